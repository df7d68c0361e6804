import type { TriggerProblem } from "@procedo/contract";

/** Why a firing failed; as JSON text in its row. */
export interface FiringError {
  /** The reason in words. */
  readonly message: string;
  /** Its places: pointers into the trigger (`/input/amount`) or into the run's input (`/data/amount`). */
  readonly details: readonly TriggerProblem[];
}
