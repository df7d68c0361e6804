import type { Environment } from "@procedo/contract";
import type { ClaimedRun, InvocationSettlement, NewResult } from "@procedo/storage";

/** The worker of this process, which resumes a run when the result of its call is stored. */
export interface RunResumer {
  /** The worker's id while it has room for a run of the environment. Storage then claims the run for it. */
  claimFor(environment: Environment): string | undefined;
  /** Executes a run that storage has claimed for the worker. */
  adopt(claim: ClaimedRun): void;
  /**
   * Stores a result together with the row that follows from it, if the worker keeps the run in memory. `undefined` when
   * nothing was sent to storage.
   */
  resumeWith(result: NewResult): Promise<InvocationSettlement | undefined>;
}
