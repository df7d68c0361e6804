import { createHmac, createHash } from "node:crypto";
import { fold, initialState, type Entry, type RunState } from "@procedo/procedure";
import { createRowCodec } from "../../../packages/engine/src/journal/row-codec.ts";
import type { KeptRow, KeptRun } from "../history.ts";

/** An entry and its row. */
export interface PlacedEntry {
  readonly entry: Entry;
  readonly row: KeptRow;
}

/** A run as its journal describes it, read incrementally while the simulation runs. */
export interface FollowedRun {
  readonly run: KeptRun;
  readonly entries: readonly PlacedEntry[];
  readonly state: RunState | undefined;
  /** Reads the new rows and returns their faults. */
  follow(): readonly JournalFault[];
}

export type JournalFault = { readonly kind: "chain" | "fold"; readonly text: string };

export function followRun(run: KeptRun, chainKey: Uint8Array): FollowedRun {
  const codec = createRowCodec(run.runId);
  const entries: PlacedEntry[] = [];
  let state: RunState | undefined;
  let read = 0;
  let previous = "";

  return {
    run,
    entries,
    get state() {
      return state;
    },
    follow: () => {
      const faults: JournalFault[] = [];
      for (; read < run.rows.length; read++) {
        const row = run.rows[read] as KeptRow;
        if (row.seq !== read + 1) faults.push({ kind: "chain", text: `Row ${row.seq} stands at place ${read + 1}.` });
        if (row.hash !== expectedHash(chainKey, previous, run.runId, row)) {
          faults.push({ kind: "chain", text: `The hash of row ${row.seq} does not follow from the row before it.` });
        }
        previous = row.hash;
        try {
          for (const entry of codec.decode(row.seq, row.body)) {
            entries.push({ entry, row });
            if (state !== undefined) state = fold(run.procedure, state, entry);
            else if (entry.type === "started") state = initialState(run.procedure, entry);
            else throw new Error(`The journal begins with "${entry.type}".`);
          }
        } catch (error) {
          faults.push({ kind: "fold", text: `Row ${row.seq} does not fold: ${String(error)}` });
        }
      }
      return faults;
    },
  };
}

/** A second definition of the chain, on purpose: the product's code must not judge itself. */
function expectedHash(key: Uint8Array, previous: string, runId: string, { seq, body }: KeptRow): string {
  const digest = createHash("sha256").update(body).digest("base64url");
  return createHmac("sha256", key).update(`${previous}\n${runId}\n${seq}\n${digest}`).digest("base64url");
}
