import type { RunAttention } from "./run-tally.ts";
import type { Scope } from "./scope.ts";

/** `running` and `awaiting_review` are open, the others final. */
export type RunStatus = "running" | "awaiting_review" | "completed" | "failed";

/** The runs to list. */
export interface RunQuery {
  /** The workspace and environment of the runs. */
  readonly scope: Scope;
  /** Only runs of these statuses; an empty list matches no run. @defaultValue any status */
  readonly statuses?: readonly RunStatus[];
  /** Only runs of this procedure. @defaultValue any procedure */
  readonly procedureId?: string;
  /** Only runs of this version. @defaultValue any version */
  readonly version?: string;
  /** Only runs that this person started, in exactly this spelling. @defaultValue any person */
  readonly startedBy?: string;
  /** Only runs that this trigger started. @defaultValue any run */
  readonly triggerId?: string;
  /** Only runs that wait for a review, and runs that failed lately without being cancelled. @defaultValue all runs */
  readonly attention?: RunAttention;
  /**
   * Only the run with exactly this id, and runs whose reference begins with this text. Texts are compared and sorted by
   * their Unicode code points, so that upper and lower case differ and no character stands for others.
   * @defaultValue any run
   */
  readonly search?: string;
  /** Earliest creation time, inclusive. */
  readonly fromMs?: number;
  /** Latest creation time, exclusive. */
  readonly toMs?: number;
}
