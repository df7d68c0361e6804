import type { Entry } from "@procedo/procedure";
import type { JournalRow, Scope, Storage } from "@procedo/storage";
import { createRowReader } from "./row-codec.ts";
import { sliceBytes, type Slices } from "./slices.ts";

export interface JournalPorts {
  readonly storage: Pick<Storage, "runs">;
  readonly slices: Slices;
}

export interface RunPlaceInStorage {
  readonly scope: Scope;
  readonly runId: string;
}

/**
 * A run's journal from the beginning, in pages of {@link sliceBytes}. Each page after the first has a slice of its own.
 */
export async function* journalPages(
  { storage, slices }: JournalPorts,
  { scope, runId }: RunPlaceInStorage,
): AsyncGenerator<readonly JournalRow[]> {
  let afterSeq = 0;
  for (;;) {
    if (afterSeq > 0) await slices.next();
    const rows = await storage.runs.journal({ scope, runId, afterSeq, maxBytes: sliceBytes });
    const last = rows.at(-1);
    // A damaged storage may repeat rows, which would never end.
    if (last === undefined || last.seq <= afterSeq) return;
    yield rows;
    afterSeq = last.seq;
  }
}

/** Calls `visit` with each row of a journal and its entries, in slices. Returns the number of rows. */
export async function visitRows(
  ports: JournalPorts,
  run: RunPlaceInStorage,
  visit: (row: JournalRow, entries: readonly Entry[]) => void,
): Promise<number> {
  const reader = createRowReader(run.runId);
  let rows = 0;
  for await (const page of journalPages(ports, run)) {
    rows += page.length;
    for (const row of page) visit(row, reader.decode(row.seq, row.body));
  }
  return rows;
}
