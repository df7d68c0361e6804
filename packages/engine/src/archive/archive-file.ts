import { createHash } from "node:crypto";
import { ProcedoError, type Environment } from "@procedo/contract";
import type { Entry } from "@procedo/procedure";
import type { NewStub, RunHead } from "@procedo/storage";
import type { Audit } from "../audit/audit.ts";

/** Where archived runs go: a folder, a bucket. */
export interface RunArchive {
  /**
   * Stores a file of this name, which no other has; whole, or not at all. It MUST be durable when the promise resolves:
   * its runs are deleted then.
   *
   * @param lines each a run's export as JSON, with its line break
   */
  write(name: string, lines: AsyncIterable<string>): Promise<void>;
}

/** A run that is old enough and stays: its record is not a true one. */
export interface KeptRun {
  readonly environment: Environment;
  readonly runId: string;
  readonly message: string;
}

/** A file that the archive has made durable. */
export interface ArchiveFile {
  readonly name: string;
  /** SHA-256, in hexadecimal. */
  readonly digest: string;
  /** The runs that are in it, in the order in which they ended. */
  readonly runs: readonly (RunHead & NewStub)[];
}

/** Characters after which a file takes no further run: what their stubs are to keep is held in memory. */
const fullAt = 64 * 1024 * 1024;

interface WriteRequest {
  readonly environment: Environment;
  readonly heads: readonly RunHead[];
  readonly name: string;
  readonly to: RunArchive;
  /** Lets others work between two runs. */
  readonly pause: () => Promise<void>;
  readonly keep: (run: KeptRun) => void;
}

/**
 * Writes the exports of runs to one file of the archive; to none when none of them can be exported.
 *
 * @returns also the runs for which there was no room
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
      // As the export's rows were decoded; its schema leaves what entries are open.
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
      // Somebody else archives at the same time.
      if (error.code === "run_archived") continue;
      keep({ environment, runId: head.runId, message: error.message });
    }
  }
}

/** No reason to leave the other runs where they are. */
function isOfOneRun(error: unknown): error is ProcedoError {
  return ProcedoError.isError(error) && ["journal_broken", "run_archived", "version_not_found"].includes(error.code);
}

async function* startingWith(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}
