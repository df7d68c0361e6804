/** Leases of workers. A run has no lease of its own. */
export interface WorkerStore {
  /**
   * Makes the worker's lease end `leaseMs` from now. MUST revive a worker whose lease has ended.
   *
   * MUST notice when storage's clock is behind the time of an earlier heartbeat of any worker, also before a restart,
   * by more than `clockToleranceMs`: the clock was set back. Then, once for all workers and before the lease is
   * renewed, times later than `clockToleranceMs` from now MUST be made earlier by the same amount, but not earlier than now:
   * the wake times of runs of status `running`, the due times of deliveries, and the leases of workers, deliveries and
   * invocations. The wake times of runs that await a review MUST NOT be moved: they are deadlines for people.
   */
  heartbeat(request: { readonly workerId: string; readonly leaseMs: number }): Promise<void>;

  /** Ends the lease and makes every run of the worker claimable at once, without `takenOver`. */
  release(request: { readonly workerId: string }): Promise<void>;

  /** Ids of the runs that this worker owns according to storage. It thus finds runs whose claim's answer was lost. */
  listRuns(request: { readonly workerId: string }): Promise<readonly string[]>;

  /** MUST return whether any worker's lease has not ended: whether runs are being executed. */
  areWorking(): Promise<boolean>;

  /** Parks individual runs of the worker, claimable at once and without `takenOver`. Other runs MUST NOT change. */
  releaseRuns(request: { readonly workerId: string; readonly runIds: readonly string[] }): Promise<void>;
}
