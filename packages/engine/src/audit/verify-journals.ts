import type { Environment, JsonObject } from "@procedo/contract";
import type { Entry } from "@procedo/procedure";
import type { JournalRow, Page, RunRow } from "@procedo/storage";
import { chainFollower } from "../journal/chain.ts";
import { journalPages, type RunPlaceInStorage } from "../journal/read-journal.ts";
import { createRowReader } from "../journal/row-codec.ts";
import { outputOf } from "../journal/short-journal.ts";
import type { AddProblem } from "./audit-report.ts";
import type { VerifyPorts } from "./verify-ports.ts";

const pageSize = 100;

/**
 * Verifies the journal of every run of an environment, whether a checkpoint lists it or not. Returns the number of
 * runs. Archived runs are not counted: storage no longer has their journals.
 */
export async function verifyJournals(
  ports: VerifyPorts,
  environment: Environment,
  signal: AbortSignal | undefined,
  add: AddProblem,
): Promise<number> {
  const { storage, workspace } = ports;
  const scope = { workspace, environment };
  let runs = 0;
  let cursor: string | undefined;
  do {
    const query = { scope, limit: pageSize };
    const page: Page<RunRow> = await storage.runs.list(cursor === undefined ? query : { ...query, cursor });
    for (const row of page.items) {
      signal?.throwIfAborted();
      const { runId } = row;
      const read = await readRun(ports, { scope, runId });
      if (read.rows === 0 && (await storage.retention.stub({ scope, runId })) !== undefined) continue;
      runs += 1;
      if (read.brokenAt !== undefined) {
        const message = `Row ${read.brokenAt} of run "${runId}" does not follow from the row before it.`;
        add({ kind: "run_broken", environment, runId, seq: read.brokenAt, message });
      } else if (row.endedAtMs !== undefined && !read.hasEndEntry) {
        const message = `Run "${runId}" has ended, and its journal stops before the end, at row ${read.rows}.`;
        add({ kind: "run_cut", environment, runId, seq: read.rows + 1, message });
      } else if (await outputDiffers(ports, { scope, runId }, read.output)) {
        const message = `The stored output of run "${runId}" is not the output in its journal.`;
        add({ kind: "run_output_changed", environment, runId, message });
      }
    }
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return runs;
}

interface ReadRun {
  readonly rows: number;
  readonly brokenAt: number | undefined;
  /**
   * The last row of an ended run says that it ended. A truncated journal is thus found before a checkpoint lists the
   * run.
   */
  readonly hasEndEntry: boolean;
  readonly output: JsonObject | undefined;
}

async function readRun(ports: VerifyPorts, run: RunPlaceInStorage): Promise<ReadRun> {
  const follows = chainFollower(ports.chainKey, run.runId);
  const reader = createRowReader(run.runId);
  let rows = 0;
  let brokenAt: number | undefined;
  let last: readonly Entry[] = [];
  for await (const page of journalPages(ports, run)) {
    for (const row of page) {
      rows += 1;
      if (!follows(row)) brokenAt ??= rows;
      last = decoded(reader, row);
    }
  }
  if (rows === 0) brokenAt = 1;
  return { rows, brokenAt, hasEndEntry: last.at(-1)?.type === "ended", output: outputOf(last) };
}

function decoded(reader: ReturnType<typeof createRowReader>, { seq, body }: JournalRow): readonly Entry[] {
  try {
    return reader.decode(seq, body);
  } catch {
    return [];
  }
}

/** The output that polls return is not part of the chain. This compares it with the output in the chained journal. */
async function outputDiffers(
  { storage }: VerifyPorts,
  run: RunPlaceInStorage,
  output: JsonObject | undefined,
): Promise<boolean> {
  const stored = await storage.runs.output({ ...run, maxBytes: longestText });
  return stored !== undefined && (output === undefined || stored.text !== JSON.stringify(output));
}

/** A length that no database exceeds. */
const longestText = 2 ** 31 - 1;
