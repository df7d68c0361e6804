import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { ProcedoError } from "@procedo/contract";
import type { WorkerAnswer } from "./document-worker.ts";
import { unpackApi } from "./packed-operations.ts";
import { readOperations, type DocumentAnswer, type DocumentRequest } from "./read-operations.ts";

/**
 * Reads documents without blocking the calling thread.
 *
 * @throws ProcedoError `overloaded` when reading takes longer than a minute, `invalid_document` when it needs too much
 *   memory
 */
export type DocumentReader = (request: DocumentRequest) => Promise<DocumentAnswer>;

export interface ReaderPorts {
  /** Calls back once after `delayMs`. The returned function cancels the timer. */
  readonly after: (delayMs: number, callback: () => void) => () => void;
  readonly maxHeapMb: number;
}

/** Up to this size, a document is read on the calling thread: 5 ms, less than the start of a thread. */
const maxCharactersHere = 16 * 1024;

/** The largest documents take 5 s. */
const maxReadMs = 60_000;
/** The largest documents need a heap of 600 MB; documents of 6 MB need 96 MB. */
const usualHeapMb = 2_048;

const retryAfterMs = 30_000;

export function createDocumentReader({
  after = timeout,
  maxHeapMb = usualHeapMb,
}: Partial<ReaderPorts> = {}): DocumentReader {
  return async (request) => {
    const { text, before } = request;
    const characters = text.length + (before === undefined || before.text === text ? 0 : before.text.length);
    const file = characters <= maxCharactersHere ? undefined : workerFile();
    return file === undefined ? readOperations(request) : await readInWorker(file, request, { after, maxHeapMb });
  };
}

function timeout(delayMs: number, callback: () => void): () => void {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
}

/** `undefined` in a CommonJS bundle. */
const here = import.meta.url as string | undefined;
const isSource = here?.endsWith(".ts") ?? false;

/**
 * `undefined` when a bundler moved this module without the worker's file. Documents are then read on the calling
 * thread.
 */
function workerFile(): URL | undefined {
  if (here === undefined) return undefined;
  const file = isSource ? new URL("./document-worker.ts", here) : new URL("./document-worker.js", here);
  return file.protocol === "file:" && existsSync(fileURLToPath(file)) ? file : undefined;
}

/** Each document has its own thread, so that all its memory is released together and no thread remains. */
async function readInWorker(file: URL, request: DocumentRequest, ports: ReaderPorts): Promise<DocumentAnswer> {
  const worker = new Worker(file, {
    name: "procedo-document",
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: ports.maxHeapMb },
    // The process's own flags are not passed on: `--input-type` does not apply to files, and modules of `--import` are
    // not meant for this thread.
    execArgv: isSource ? ["--conditions=@procedo/source"] : [],
  });
  let cancel = (): void => {};
  try {
    const answer = await new Promise<WorkerAnswer>((resolve, reject) => {
      cancel = ports.after(maxReadMs, () => reject(tookTooLong()));
      worker.once("message", resolve);
      worker.once("error", (error: Error) => reject(isOutOfMemory(error) ? tookTooMuch(ports.maxHeapMb) : error));
      worker.once("exit", () => reject(new Error("The thread that read the document ended without an answer.")));
    });
    return answer.ok ? { ...answer, api: await unpackApi(answer.api) } : answer;
  } finally {
    cancel();
    await worker.terminate();
  }
}

function isOutOfMemory(error: Error): boolean {
  return "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}

function tookTooLong(): ProcedoError {
  const message = `Reading the document took longer than ${maxReadMs / 1000} s. Try again later, or make it smaller.`;
  return new ProcedoError("overloaded", message, { retryAfterMs });
}

function tookTooMuch(maxHeapMb: number): ProcedoError {
  const message = `Reading the document takes more than ${maxHeapMb} MB of memory. Make it smaller.`;
  return new ProcedoError("invalid_document", message, { details: [{ path: "/settings/spec", message }] });
}
