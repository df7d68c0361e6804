import type { Entry, Intent } from "@procedo/procedure";
import { readPostgres } from "../../nodes/read-postgres.ts";
import { queryOnce } from "../../nodes/postgres-world.ts";
import { createRowCodec } from "../../../packages/engine/src/journal/row-codec.ts";
import type { Bank } from "../kills/bank-server.ts";
import { atMostPerDay } from "./bounded-procedure.ts";

/** The runs of one procedure, and the sum that bounds them. */
export interface LimitBooks {
  readonly runs: readonly LimitedRun[];
  /** The reserved amount of each budget, by its name. */
  readonly taken: ReadonlyMap<string, number>;
  /** The keys under which the bank has paid. */
  readonly paid: ReadonlySet<string>;
}

export interface LimitedRun {
  readonly runId: string;
  readonly status: string;
  readonly error: string | null;
  readonly entries: readonly Entry[];
}

export async function takenOf(url: string): Promise<ReadonlyMap<string, number>> {
  const rows = await queryOnce<{ budget: string; taken: string }>(url, "SELECT budget, taken FROM procedo.budgets");
  return new Map(rows.map(({ budget, taken }) => [budget, Number(taken)]));
}

export async function readBooks(url: string, bank: Bank): Promise<LimitBooks> {
  const { runs } = await readPostgres(url);
  return {
    taken: await takenOf(url),
    paid: new Set(bank.effects().flatMap(({ key, executions }) => (executions > 0 && key !== null ? [key] : []))),
    runs: runs.map(({ runId, status, error, journal }) => {
      const codec = createRowCodec(runId);
      return { runId, status, error, entries: journal.flatMap(({ seq, body }) => codec.decode(seq, body)) };
    }),
  };
}

/** The sum that the bank had paid before the other evidence was read. */
export function paidBy(bank: Bank): number {
  return bank.effects().reduce((sum, { executions, bodies }) => {
    const { amount } = JSON.parse(bodies[0] ?? "{}") as { readonly amount: number };
    return executions > 0 ? sum + amount * executions : sum;
  }, 0);
}

/** The violations at the end of all work. Pure. */
export function judgeBooks({ runs, taken, paid }: LimitBooks): readonly string[] {
  const faults: string[] = [];
  const expected = new Map<string, number>();
  for (const { runId, status, error, entries } of runs) {
    const last = lastIntent(entries);
    const isPaid = last !== undefined && paid.has(last.key);
    const isUnknown = last !== undefined && !isPaid && wasGivenUp(entries);
    if (status !== "completed" && status !== "failed") faults.push(`Run ${runId} is still ${status}.`);
    if (status === "completed" && !isPaid) faults.push(`Run ${runId} records a payment that was never made.`);
    if (status === "failed" && isPaid && !wasGivenUp(entries))
      faults.push(`Run ${runId} failed, and has paid: ${error ?? ""}`);
    const isRefusedByLimit = /has no room/.test(error ?? "");
    if (isRefusedByLimit && last !== undefined) faults.push(`Run ${runId} had no room, and made a call.`);
    const isExplained = isRefusedByLimit || /refused with 422/.test(error ?? "") || wasGivenUp(entries);
    if (status === "failed" && !isExplained) faults.push(`Run ${runId} failed: ${error ?? "no error"}`);
    for (const { budget, amount } of isPaid || isUnknown ? (last?.reserved ?? []) : []) {
      expected.set(budget, (expected.get(budget) ?? 0) + amount);
    }
  }
  for (const [budget, amount] of taken) {
    if (amount > atMostPerDay) faults.push(`${amount} of ${budget} are taken, of ${atMostPerDay}.`);
    const right = expected.get(budget) ?? 0;
    if (amount !== right) faults.push(`${amount} of ${budget} are reserved; ${right} were paid or are uncertain.`);
  }
  return faults;
}

function lastIntent(entries: readonly Entry[]): Intent | undefined {
  return entries.findLast((entry) => entry.type === "intent");
}

/** Whether a person gave up the uncertain call. */
function wasGivenUp(entries: readonly Entry[]): boolean {
  return entries.some((entry) => entry.type === "review_closed" && entry.answer.status === "rejected");
}
