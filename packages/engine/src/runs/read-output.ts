import { ProcedoError, type JsonObject } from "@procedo/contract";
import type { Entry } from "@procedo/procedure";
import type { LargeReads } from "../journal/large-reads.ts";
import { createRowReader } from "../journal/row-codec.ts";
import { parsedBytes } from "../journal/parsed-bytes.ts";
import { outputOf, shortJournalBytes } from "../journal/short-journal.ts";
import type { RunPlaceInStorage } from "../journal/read-journal.ts";
import { readPast, readStub, type PastPorts } from "../journal/read-past.ts";

const largeBytes = 64 * 1024;

/**
 * The output of a completed run, which is stored in a short journal or beside the run's row. Nothing else is read,
 * unless the run ended before outputs were stored.
 *
 * @throws ProcedoError `journal_corrupted` when no output is found
 */
export async function readOutput(
  ports: PastPorts,
  { scope, runId }: RunPlaceInStorage,
  { beforeLargeRead = async () => {}, onRead = () => {} }: LargeReads = {},
): Promise<JsonObject> {
  const { runs } = ports.storage;
  const run = { scope, runId };
  const stored = await runs.output({ ...run, maxBytes: largeBytes });
  if (stored?.text !== undefined) return JSON.parse(stored.text) as JsonObject;
  if (stored !== undefined) {
    await beforeLargeRead();
    const { text } = (await runs.output({ ...run, maxBytes: stored.bytes })) ?? {};
    if (text !== undefined) {
      onRead(parsedBytes(text));
      return JSON.parse(text) as JsonObject;
    }
  }
  const reader = createRowReader(runId);
  let last: readonly Entry[] = [];
  const rows = await runs.journal({ ...run, maxBytes: shortJournalBytes });
  for (const { seq, body } of rows) last = reader.decode(seq, body);
  const output = outputOf(last);
  if (output !== undefined) return output;
  const stub = rows.length === 0 ? await readStub(ports.storage, run) : undefined;
  if (stub !== undefined) return stub.output ?? {};
  await beforeLargeRead();
  const past = await readPast(ports, run, (_row, entries) => (last = entries));
  const found = past.kind === "archived" ? (past.output ?? {}) : outputOf(last);
  if (found !== undefined) return found;
  throw new ProcedoError(
    "journal_corrupted",
    `Run "${runId}" has completed, but its journal has no output. Restore its rows from a backup.`,
  );
}
