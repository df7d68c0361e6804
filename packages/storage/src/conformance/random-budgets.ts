import type { BudgetAmount, BudgetSettlement, HeldAmount } from "../budgets.ts";
import type { Scope } from "../scope.ts";
import type { Random } from "./random.ts";
import type { Step } from "./random-step.ts";
import { reservation, sandbox, share } from "./samples.ts";

/** Budgets of the random reservations. */
export const randomBudgets = ["budget-0", "budget-1", "budget-2", "budget-3"] as const;

export interface RandomBudgets {
  readonly steps: readonly [() => Step, ...(() => Step)[]];
  /** Settlements for a row of the run: of keys that are reserved, already settled, or not reserved yet. */
  readonly settlements: (runId: string) => readonly BudgetSettlement[];
}

/** Random reservations, including late and repeated ones, and settlements of the same keys. */
export function randomBudgetCalls(random: Random, scope: () => Scope, runId: () => string): RandomBudgets {
  // Each effect belongs to one run, and so does its key.
  const anyKey = (run: string): string => `key-${run}-${random.integer(6)}`;
  const names = (): readonly string[] => {
    const some = random.some(randomBudgets, 0.5);
    const atLeastOne = some.length === 0 ? randomBudgets.slice(0, 1) : some;
    return random.chance(0.5) ? atLeastOne : atLeastOne.toReversed();
  };
  const amountOf = (budget: string): BudgetAmount => {
    const amount = random.chance(0.02) ? Number.MAX_SAFE_INTEGER - random.integer(40) : random.integer(30);
    return random.chance(0.85) ? share(budget, amount, 30 + random.integer(40)) : share(budget, amount);
  };
  const spent = (): "nothing" | readonly HeldAmount[] =>
    random.chance(0.5) ? "nothing" : names().map((budget) => ({ budget, amount: random.integer(40) }));

  function reserve(): Step {
    const of = random.chance(0.9) ? sandbox : scope();
    const run = runId();
    const key = anyKey(random.chance(0.95) ? run : runId());
    const request = reservation(key, { scope: of, runId: run, amounts: names().map(amountOf) });
    return { name: "reserve", call: ({ budgets }) => budgets.reserve(request) };
  }

  function taken(): Step {
    const of = random.chance(0.8) ? sandbox : scope();
    const known = [...names(), "unknown"];
    return { name: "taken", call: ({ budgets }) => budgets.taken(of, known) };
  }

  return {
    steps: [reserve, reserve, reserve, reserve, taken],
    settlements: (run) => Array.from({ length: random.integer(4) }, () => ({ key: anyKey(run), spent: spent() })),
  };
}
