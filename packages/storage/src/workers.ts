/** Leases: one per worker, not one per run. */
export interface WorkerStore {
  /**
   * Makes the worker's lease end `leaseMs` from now. MUST revive a worker whose lease has run out.
   *
   * MUST notice when storage's clock is behind the time of an earlier heartbeat of any worker, also before a restart,
   * by more than `clockToleranceMs`: the clock was set back. Then, once for all workers and before the lease is renewed,
   * what ends later than `clockToleranceMs` from now MUST be moved up by as much as the clock was set back, but not before
   * now: the wake times of runs of status `running`, the due times of deliveries, and the leases of workers, deliveries and
   * invocations. MUST NOT move what is a date for people: the wake times of runs that await a review.
   */
  heartbeat(request: { readonly workerId: string; readonly leaseMs: number }): Promise<void>;

  /** Ends the lease and makes every run that the worker holds claimable at once, not as taken over. */
  release(request: { readonly workerId: string }): Promise<void>;

  /** Ids of the runs that this worker holds according to storage: so it finds a run whose claim had a lost answer. */
  listRuns(request: { readonly workerId: string }): Promise<readonly string[]>;

  /** MUST say whether the lease of any worker is running: whether runs are executed at all. */
  areWorking(): Promise<boolean>;

  /** Parks single runs that the worker holds, claimable at once and not as taken over. Other runs MUST stay untouched. */
  releaseRuns(request: { readonly workerId: string; readonly runIds: readonly string[] }): Promise<void>;
}
