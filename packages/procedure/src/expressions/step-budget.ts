/**
 * Maximum number of steps for all evaluations on one scope together. A step is an operator within a macro, an item of a
 * list, a key of an object or 64 characters of text: usually 50 nanoseconds, at worst 250. Five branches that each
 * filter and map 10,000 items stay within the limit.
 */
export const stepLimit = 500_000;

/** The remaining steps. Evaluations that belong together share one budget. */
export interface StepBudget {
  /** Number of steps that are left. */
  left: number;
}

/** A full budget. */
export function createStepBudget(): StepBudget {
  return { left: stepLimit };
}
