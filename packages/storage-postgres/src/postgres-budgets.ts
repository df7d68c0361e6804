import { ProcedoError } from "@procedo/contract";
import type { BudgetStore, HeldAmount, Reservation, ReserveResult, Scope } from "@procedo/storage";
import { amountsHeld, assertReservation, assertStorable, groupCommit, judgeReservation } from "@procedo/storage";
import type { AddedAmount, ScopedName, StoredReservation, TakenRow } from "./budget-statements.ts";
import {
  knownOf,
  knownStatement,
  takeStatement,
  takeValues,
  writeStatement,
  writeValues,
} from "./budget-statements.ts";
import type { PostgresContext } from "./context.ts";
import type { Transaction } from "./database.ts";
import { groupClock } from "./group-clock.ts";
import type { Statement } from "./statement.ts";

/** The answer to one request of a flush. A failing request does not affect the others. */
type Outcome = { readonly result: ReserveResult } | { readonly refused: unknown };

/** While one flush waits for the disk, the next one is in flight. Usually both wait for the same budgets. */
const flushesAtOnce = 2;

/** Reserves for many runs in one transaction, so that few connections wait for the same budget. */
export function postgresBudgets({ database }: PostgresContext): BudgetStore {
  const { schema } = database;
  const take = takeStatement(schema);
  const write = writeStatement(schema);
  const known = knownStatement(schema);
  const selectTaken: Statement = {
    name: "budgets-taken",
    text: `SELECT coalesce(known.taken, 0) AS taken
             FROM unnest($3::text[]) WITH ORDINALITY AS asked (name, number)
             LEFT JOIN LATERAL (SELECT taken FROM ${schema}.budgets
                                 WHERE workspace = $1 AND environment = $2 AND budget = asked.name LIMIT 1) AS known ON true
            ORDER BY number`,
  };

  async function reserveAll(tx: Transaction, requests: readonly Reservation[]): Promise<readonly Outcome[]> {
    const rows = await tx.query<TakenRow>(take, takeValues(requests, tx.nowMs));
    const placesOf = (kind: TakenRow["kind"]): ReadonlySet<string> =>
      new Set(rows.flatMap((row) => (row.kind === kind ? placeOf(row, row.name) : [])));
    const [runs, fresh] = [placesOf("run"), placesOf("key")];
    const { outcomes, added, refused, unused } = judgeAll(
      requests.filter(({ scope, key }) => fresh.has(placeOf(scope, key))),
      rows.filter(({ kind }) => kind === "budget"),
    );
    if (fresh.size > 0) await tx.query(write, writeValues(added, tx.nowMs, refused, unused));
    const held = await heldBy(
      tx,
      requests.filter(({ scope, key, runId }) => runs.has(placeOf(scope, runId)) && !fresh.has(placeOf(scope, key))),
    );
    return requests.map(({ scope, key, runId }): Outcome => {
      const place = placeOf(scope, key);
      if (!runs.has(placeOf(scope, runId))) return { refused: notStored(runId) };
      return outcomes.get(place) ?? { result: { status: "reserved", amounts: held.get(place) ?? [] } };
    });
  }

  /** Reservations by the position of their keys; no entry for an unknown key. */
  async function heldBy(
    tx: Transaction,
    requests: readonly Reservation[],
  ): Promise<ReadonlyMap<string, readonly HeldAmount[]>> {
    if (requests.length === 0) return new Map();
    const scopes = requests.map(({ scope }) => scope);
    const rows = await tx.query<StoredReservation>(known, [
      scopes.map(({ workspace }) => workspace),
      scopes.map(({ environment }) => environment),
      requests.map(({ key }) => key),
    ]);
    return new Map(rows.map((row) => [placeOf(row, row.reservation_key), amountsHeld(knownOf(row))]));
  }

  const group = groupCommit<Reservation, Outcome>({
    flush: (requests) => database.transaction((tx) => reserveAll(tx, requests)),
    keysOf: ({ scope, key }) => [placeOf(scope, key)],
    sizeOf: ({ amounts }) => amounts.reduce((sum, { budget }) => sum + budget.length, 0),
    concurrency: flushesAtOnce,
    timeLimit: database.timeLimit,
    clock: groupClock,
  });

  return {
    async reserve(request) {
      assertStorable(request);
      assertReservation(request);
      const outcome = await group.add(request);
      if ("result" in outcome) return outcome.result;
      throw outcome.refused;
    },

    async taken({ workspace, environment }, budgets) {
      assertStorable([workspace, environment, budgets]);
      const rows = await database.query<{ taken: number }>(selectTaken, [workspace, environment, budgets]);
      return rows.map(({ taken }) => taken);
    },
  };
}

interface Judgement {
  /** By the position of the key. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
  readonly added: readonly AddedAmount[];
  /** Keys of rejected reservations. */
  readonly refused: readonly ScopedName[];
  /** New budgets to which nothing was added. */
  readonly unused: readonly ScopedName[];
}

/** Judges the reservations in order of arrival by the taken amounts of their budgets. Pure. */
function judgeAll(requests: readonly Reservation[], rows: readonly TakenRow[]): Judgement {
  const budgets = new Map<string, BudgetSum>();
  for (const { workspace, environment, name, taken, flag: made } of rows) {
    const place = { workspace, environment };
    budgets.set(placeOf(place, name), { ...place, budget: name, taken, made, amount: 0, reservations: 0 });
  }
  const outcomes = new Map<string, Outcome>();
  const refused: ScopedName[] = [];
  for (const { scope, key, amounts } of requests) {
    const sumOf = (name: string): BudgetSum | undefined => budgets.get(placeOf(scope, name));
    const outcome = outcomeOf(() => judgeReservation(amounts, (name) => sumOf(name)?.taken ?? 0));
    outcomes.set(placeOf(scope, key), outcome);
    if ("refused" in outcome || outcome.result.status === "exceeded") {
      const { workspace, environment } = scope;
      refused.push({ workspace, environment, name: key });
      continue;
    }
    for (const { budget, amount } of amounts) {
      const sum = sumOf(budget);
      if (sum === undefined) continue;
      sum.taken += amount;
      sum.amount += amount;
      sum.reservations += 1;
    }
  }
  const sums = [...budgets.values()];
  return {
    outcomes,
    refused,
    added: sums.filter(({ reservations }) => reservations > 0),
    unused: sums
      .filter(({ made, reservations }) => made && reservations === 0)
      .map(({ workspace, environment, budget }) => ({ workspace, environment, name: budget })),
  };
}

/** A locked budget with the amount that is added to it. */
interface BudgetSum extends AddedAmount {
  /** Includes the added amount. */
  taken: number;
  readonly made: boolean;
  amount: number;
  reservations: number;
}

function notStored(runId: string): ProcedoError {
  return new ProcedoError("internal", `Run "${runId}" is not stored; a run reserves after its first row.`);
}

function outcomeOf(judge: () => ReserveResult): Outcome {
  try {
    return { result: judge() };
  } catch (error) {
    return { refused: error };
  }
}

function placeOf(
  { workspace, environment }: Pick<AddedAmount, "workspace" | "environment"> | Scope,
  name: string,
): string {
  return JSON.stringify([workspace, environment, name]);
}
