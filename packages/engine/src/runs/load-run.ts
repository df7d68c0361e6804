import { ProcedoError } from "@procedo/contract";
import { fold, initialState, type CompiledProcedure, type RunState } from "@procedo/procedure";
import type { JournalRow, Scope } from "@procedo/storage";
import { chainFollower } from "../journal/chain.ts";
import { createJournalWriter, type JournalWriter } from "../journal/journal-writer.ts";
import { createRowCodec } from "../journal/row-codec.ts";
import { sliceBytes, type Slices } from "../journal/slices.ts";

/**
 * Restores a run from its journal, in slices: checks the chain, folds the entries.
 *
 * @throws ProcedoError `journal_corrupted` when a row is missing, was changed, or does not follow from the ones before
 */
export async function loadRun(
  { chainKey, slices }: { readonly chainKey: Uint8Array; readonly slices: Slices },
  procedure: CompiledProcedure,
  claim: {
    readonly scope: Scope;
    readonly runId: string;
    readonly epoch: number;
    readonly journal: readonly JournalRow[];
  },
): Promise<{ readonly state: RunState; readonly writer: JournalWriter }> {
  const { runId, journal } = claim;
  const follows = chainFollower(chainKey, runId);
  const codec = createRowCodec(runId);
  let state: RunState | undefined;
  let read = 0;
  for (const [index, row] of journal.entries()) {
    if (!follows(row)) throw broken(runId, `Row ${index + 1} does not follow from the row before it.`);
    try {
      for (const entry of codec.decode(row.seq, row.body)) {
        if (state !== undefined) state = fold(procedure, state, entry);
        else if (entry.type === "started") state = initialState(procedure, entry);
        else throw new Error(`It begins with "${entry.type}".`);
      }
    } catch (error) {
      throw broken(runId, "Its entries do not make a run of this version.", error);
    }
    read += row.body.length;
    if (read < sliceBytes) continue;
    read = 0;
    await slices.next();
  }
  const last = journal.at(-1);
  if (state === undefined || last === undefined) throw broken(runId, "It is empty.");
  const bytes = journal.reduce((sum, row) => sum + Buffer.byteLength(row.body), 0);
  const { scope, epoch } = claim;
  const writer = createJournalWriter(chainKey, codec, { scope, runId, epoch, seq: last.seq, hash: last.hash, bytes });
  return { state, writer };
}

function broken(runId: string, why: string, cause?: unknown): ProcedoError {
  return new ProcedoError(
    "journal_corrupted",
    `The journal of run "${runId}" cannot be trusted. ${why} The run is quarantined; compare it with a backup or an export.`,
    { cause },
  );
}
