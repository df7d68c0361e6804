import type { CompiledProcedure, Entry, RunState } from "@procedo/procedure";
import { fold, initialState, loadProcedure } from "@procedo/procedure";
import type { LedgerEffect } from "@procedo-examples/ledger";
import { firstBrokenRow } from "../../packages/engine/src/journal/chain.ts";
import { createRowCodec } from "../../packages/engine/src/journal/row-codec.ts";
import { deriveKey } from "../../packages/engine/src/secrets/derive-key.ts";
import { crashProcedure } from "./crash-procedure.ts";
import { readDatabase, type DatabaseContent, type StoredRun } from "./read-database.ts";
import type { Decision, Start, World } from "./world.ts";

/** The input of the checks: the database, the ledger's books and the acknowledged requests. */
export interface Evidence {
  readonly database: DatabaseContent;
  readonly runs: readonly TracedRun[];
  /** The ledger's books before the database was read: each of these requests has its intent in the database. */
  readonly effects: readonly LedgerEffect[];
  /** The books after that: they contain each request that the database records. */
  readonly effectsAfter: readonly LedgerEffect[];
  readonly starts: readonly Start[];
  readonly decisions: readonly Decision[];
  readonly ledgerToken: string;
}

/** A run and its journal. */
export interface TracedRun {
  readonly stored: StoredRun;
  readonly entries: readonly PlacedEntry[];
  readonly state: RunState | undefined;
  /** The reason why its journal cannot be read. */
  readonly broken: string | undefined;
}

export interface PlacedEntry {
  readonly seq: number;
  readonly entry: Entry;
}

/**
 * Collects the evidence of a world while its node lives: opening the database without a node would perform the node's
 * recovery.
 *
 * @defaultValue `read` reads the world's SQLite file
 */
export async function gather(
  world: World,
  read: () => DatabaseContent | Promise<DatabaseContent> = () => readDatabase(world.databasePath),
): Promise<Evidence> {
  const starts = world.starts.map((start) => ({ ...start }));
  const decisions = world.decisions.map((decision) => ({ ...decision }));
  const effects = await world.ledger.effects();
  const database = await read();
  const effectsAfter = await world.ledger.effects();
  const chainKey = deriveKey(world.masterKey, "journal");
  const procedure = loadProcedure(crashProcedure);
  return {
    database,
    runs: database.runs.map((stored) => trace(stored, chainKey, procedure)),
    effects,
    effectsAfter,
    starts,
    decisions,
    ledgerToken: world.ledgerToken,
  };
}

/** Reads a run without the product's code: its chain, its entries and its folded state. */
export function trace(stored: StoredRun, chainKey: Uint8Array, procedure: CompiledProcedure): TracedRun {
  const entries: PlacedEntry[] = [];
  const brokenRow = firstBrokenRow(chainKey, stored.runId, stored.journal);
  if (brokenRow !== undefined)
    return { stored, entries, state: undefined, broken: `row ${brokenRow} breaks the chain` };
  const codec = createRowCodec(stored.runId);
  let state: RunState | undefined;
  try {
    for (const { seq, body } of stored.journal) {
      for (const entry of codec.decode(seq, body)) {
        entries.push({ seq, entry });
        if (state !== undefined) state = fold(procedure, state, entry);
        else if (entry.type === "started") state = initialState(procedure, entry);
        else throw new Error(`it begins with "${entry.type}"`);
      }
    }
  } catch (error) {
    return { stored, entries, state, broken: error instanceof Error ? error.message : String(error) };
  }
  return { stored, entries, state, broken: undefined };
}
