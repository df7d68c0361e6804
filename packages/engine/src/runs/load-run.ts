import { ProcedoError } from "@procedo/contract";
import { fold, initialState, type CompiledProcedure, type RunState } from "@procedo/procedure";
import type { JournalRow, Scope } from "@procedo/storage";
import { firstBrokenRow } from "../journal/chain.ts";
import { createJournalWriter, type JournalWriter } from "../journal/journal-writer.ts";
import { createRowCodec } from "../journal/row-codec.ts";

/**
 * Brings a run back from its journal: checks the chain, folds the entries.
 *
 * @throws ProcedoError `journal_broken` when a row is missing, was changed, or does not follow from the ones before
 */
export function loadRun(
  chainKey: Uint8Array,
  procedure: CompiledProcedure,
  claim: {
    readonly scope: Scope;
    readonly runId: string;
    readonly epoch: number;
    readonly journal: readonly JournalRow[];
  },
): { readonly state: RunState; readonly writer: JournalWriter } {
  const { runId, journal } = claim;
  const brokenAt = firstBrokenRow(chainKey, runId, journal);
  if (brokenAt !== undefined) throw broken(runId, `Row ${brokenAt} does not follow from the row before it.`);
  const codec = createRowCodec(runId);
  let state: RunState | undefined;
  try {
    for (const { seq, body } of journal) {
      for (const entry of codec.decode(seq, body)) {
        if (state !== undefined) state = fold(procedure, state, entry);
        else if (entry.type === "started") state = initialState(procedure, entry);
        else throw new Error(`It begins with "${entry.type}".`);
      }
    }
  } catch (error) {
    throw broken(runId, "Its entries do not make a run of this version.", error);
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
    "journal_broken",
    `The journal of run "${runId}" cannot be trusted. ${why} The run is set aside; compare it with a backup or an export.`,
    { cause },
  );
}
