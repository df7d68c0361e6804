import { failAtLimit } from "./evaluation-failure.ts";
import type { Scope, ValueScope } from "./expression.ts";
import type { Value } from "./value.ts";
import { stepLimit, type StepBudget, createStepBudget } from "./step-budget.ts";

/** Maximum number of characters in a text that an expression makes. */
export const textLimit = 1_048_576;

/** The scope and the remaining budget of one evaluation. */
export interface Frame {
  readonly scope: Scope | ValueScope;
  readonly budget: StepBudget;
  /** Values of macro variables, by the slot that the compilation assigned. */
  readonly locals: Value[];
  /**
   * Lists and maps made by this evaluation. Only these can contain a decimal or a time, so only these are traversed at
   * the exit.
   */
  made: Set<object> | undefined;
}

export function openFrame(scope: Scope | ValueScope): Frame {
  return { scope, budget: scope.budget ?? createStepBudget(), locals: [], made: undefined };
}

/** Deducts steps from the budget, before the work whenever its size is known in advance. */
export function spend({ budget }: Frame, steps: number): void {
  budget.left -= steps;
  if (budget.left >= 0) return;
  failAtLimit(
    `takes more than ${stepLimit} steps, together with the evaluations before it: use shorter lists, or fewer macros within macros`,
  );
}

/**
 * The keys of an object. Their number is known only after they are listed; their steps are deducted before any further
 * work.
 */
export function keysOf(object: object, frame: Frame): readonly string[] {
  const keys = Object.keys(object);
  spend(frame, keys.length);
  return keys;
}

/** Deducts the steps for reading a text of this length. */
export function spendText(frame: Frame, length: number): void {
  spend(frame, 1 + (length >> 6));
}

/** Deducts the steps for making a text of this length, and refuses one that is too long. */
export function spendMadeText(frame: Frame, length: number): void {
  if (length > textLimit) failAtLimit(`makes a text of more than ${textLimit} characters`);
  spendText(frame, length);
}

/** Marks a list or map as made by this evaluation. */
export function made<T extends object>(frame: Frame, container: T): T {
  (frame.made ??= new Set()).add(container);
  return container;
}
