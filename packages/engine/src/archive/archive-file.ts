import { createHash } from "node:crypto";
import { ProcedoError, type Environment } from "@procedo/contract";
import type { Entry } from "@procedo/procedure";
import type { NewStub, RunHead } from "@procedo/storage";
import type { Audit } from "../audit/audit.ts";

/** The destination of archived runs, such as a folder or a bucket. */
export interface RunArchive {
  /**
   * Stores a file under this unique name, completely or not at all. The file MUST be durable when the promise resolves,
   * because its runs are then deleted.
   *
   * @param lines each line is a run's export as JSON, with its line break
   */
  write(name: string, lines: AsyncIterable<string>): Promise<void>;
}

/** A run that is old enough but is not archived, because its record cannot be verified. */
export interface KeptRun {
  /** The environment of the run. */
  readonly environment: Environment;
  /** Identifier of the run. */
  readonly runId: string;
  /** The reason why the run's record cannot be verified. */
  readonly message: string;
}

/** A file that the archive has made durable. */
export interface ArchiveFile {
  readonly name: string;
  /** SHA-256, in hexadecimal. */
  readonly digest: string;
  /** The runs in the file, in the order in which they ended. */
  readonly runs: readonly (RunHead & NewStub)[];
}

/** Characters after which a file takes no further run, because the outputs for its stubs are held in memory. */
const fullAt = 64 * 1024 * 1024;

interface WriteRequest {
  readonly environment: Environment;
  readonly heads: readonly RunHead[];
  readonly name: string;
  readonly to: RunArchive;
  /** Lets other work run between two runs. */
  readonly pause: () => Promise<void>;
  readonly keep: (run: KeptRun) => void;
}

/**
 * Writes the exports of runs to one file of the archive; writes no file if none of the runs can be exported.
 *
 * @returns the file, and the runs for which it had no room
 */
export async function writeArchiveFile(
  audit: Pick<Audit, "exportRun">,
  request: WriteRequest,
): Promise<{ readonly file: ArchiveFile | undefined; readonly rest: readonly RunHead[] }> {
  const { name, to } = request;
  const digest = createHash("sha256");
  const runs: (RunHead & NewStub)[] = [];
  let length = 0;
  let rest: readonly RunHead[] = [];
  let isWhole = false;

  async function* lines(): AsyncGenerator<string> {
    for await (const { line, run, index } of exportsOf(audit, request)) {
      digest.update(line);
      runs.push(run);
      length += line.length;
      rest = request.heads.slice(index + 1);
      yield line;
      if (length >= fullAt) break;
    }
    if (length < fullAt) rest = [];
    isWhole = true;
  }

  const all = lines();
  const first = await all.next();
  if (first.done === true) return { file: undefined, rest };
  await to.write(name, startingWith(first.value, all));
  if (!isWhole) throw new ProcedoError("internal", `The archive did not read "${name}" to its end.`);
  return { file: { name, digest: digest.digest("hex"), runs }, rest };
}

async function* exportsOf(
  audit: Pick<Audit, "exportRun">,
  { environment, heads, keep, pause }: WriteRequest,
): AsyncGenerator<{ readonly line: string; readonly run: RunHead & NewStub; readonly index: number }> {
  for (const [index, head] of heads.entries()) {
    await pause();
    try {
      const { runId } = head;
      const exported = await audit.exportRun({ environment, runId });
      const last = exported.rows.at(-1);
      // The rows of an export were decoded to entries. Its schema does not specify them.
      const ended = last?.entries.at(-1) as Entry | undefined;
      if (last === undefined || ended?.type !== "ended") {
        keep({ environment, runId, message: `The journal of run "${runId}" stops before its end.` });
        continue;
      }
      const output = ended.result.status === "completed" ? JSON.stringify(ended.result.output) : undefined;
      const run = { runId, seq: last.seq, hash: last.hash, endedAtMs: head.endedAtMs, output };
      yield { line: `${JSON.stringify(exported)}\n`, run, index };
    } catch (error) {
      if (!isOfOneRun(error)) throw error;
      // Another archiver has archived the run meanwhile.
      if (error.code === "run_archived") continue;
      keep({ environment, runId: head.runId, message: error.message });
    }
  }
}

/** Whether an error concerns one run, so that the other runs can still be archived. */
function isOfOneRun(error: unknown): error is ProcedoError {
  return ProcedoError.isError(error) && ["journal_corrupted", "run_archived", "version_not_found"].includes(error.code);
}

async function* startingWith(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}
