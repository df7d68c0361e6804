import { DatabaseSync } from "node:sqlite";
import { loadProcedure, type ModelReply, type ReservedAmount } from "@procedo/procedure";
import { deriveKey } from "../../../packages/engine/src/secrets/derive-key.ts";
import { trace, type Evidence, type TracedRun } from "../../crash/evidence.ts";
import { readDatabase } from "../../crash/read-database.ts";
import type { Bank } from "./bank-server.ts";
import { loopProcedure } from "./loop-procedure.ts";
import type { Ask } from "./model-server.ts";
import type { LoopStart } from "./process-protocol.ts";

/** The input of the checks: the database, the bank's books, and the model's requests. */
export interface LoopEvidence extends Evidence {
  readonly asks: readonly Ask[];
  readonly reservations: readonly StoredReservation[];
  /** The reserved amount of each budget, by its name. */
  readonly taken: ReadonlyMap<string, number>;
  readonly planned: readonly LoopStart[];
  readonly deaths: readonly Death[];
}

export interface StoredReservation {
  readonly key: string;
  readonly amounts: readonly ReservedAmount[];
  /** `undefined` before its settlement. */
  readonly spent: "nothing" | readonly ReservedAmount[] | undefined;
}

/** The record after the kill of a process. */
export interface Death {
  /** The turns with a recorded answer. */
  readonly answered: ReadonlySet<string>;
  /** The number of requests that the model had received. */
  readonly asks: number;
}

export interface Witnesses {
  readonly masterKey: Uint8Array;
  readonly bank: Bank;
  readonly asks: readonly Ask[];
  readonly planned: readonly LoopStart[];
  readonly deaths: readonly Death[];
}

const compiled = loadProcedure(loopProcedure);

/** Reads a database without the product's code, and the records of the bank and the model. */
export function gatherLoop(databasePath: string, { masterKey, bank, asks, planned, deaths }: Witnesses): LoopEvidence {
  const effects = bank.effects();
  const database = readDatabase(databasePath);
  const chainKey = deriveKey(masterKey, "journal");
  return {
    database,
    runs: database.runs.map((stored) => trace(stored, chainKey, compiled)),
    effects,
    effectsAfter: bank.effects(),
    starts: [],
    decisions: [],
    ledgerToken: bank.token,
    asks: [...asks],
    planned,
    deaths,
    ...readBudgets(databasePath),
  };
}

function readBudgets(path: string): Pick<LoopEvidence, "reservations" | "taken"> {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    const budgets = db.prepare("SELECT name, taken FROM budgets").all() as { name: string; taken: number }[];
    const rows = db.prepare("SELECT reservation_key AS key, amounts, spent FROM reservations").all() as {
      key: string;
      amounts: string;
      spent: string | null;
    }[];
    return {
      taken: new Map(budgets.map(({ name, taken }) => [name, taken])),
      reservations: rows.map(({ key, amounts, spent }) => ({
        key,
        amounts: JSON.parse(amounts) as readonly ReservedAmount[],
        spent: spent === null ? undefined : (JSON.parse(spent) as NonNullable<StoredReservation["spent"]>),
      })),
    };
  } finally {
    db.close();
  }
}

/** The node that offers a tool of this name. */
export function nodeOfTool(tool: string): string {
  return tool === "answer" ? "triage" : tool === "pay" ? "pay" : "split";
}

export function turnKey(runId: string, nodeId: string, turn: number): string {
  return `${runId} ${nodeId} ${turn}`;
}

export interface RecordedReply {
  readonly turn: string;
  readonly atMs: number;
  readonly reply: ModelReply;
}

/** All answers in a run's journal. */
export function repliesOf({ stored, entries }: TracedRun): readonly RecordedReply[] {
  return entries.flatMap(({ entry }) => {
    if (entry.type !== "replied" || entry.result.status !== "ok") return [];
    const { nodeId, turn, atMs, result } = entry;
    return [{ turn: turnKey(stored.runId, nodeId, turn), atMs, reply: result.reply }];
  });
}

/** The turns with a stored answer. */
export function answeredTurns({ runs }: Pick<LoopEvidence, "runs">): ReadonlySet<string> {
  return new Set(runs.flatMap((run) => repliesOf(run).map(({ turn }) => turn)));
}
