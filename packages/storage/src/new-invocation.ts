/** An invocation that `RunCommit.invocation` creates; its run and scope are the commit's. */
export interface NewInvocation {
  /** Never used before, in any scope. */
  readonly invocationId: string;
  /** The private connection whose clients may lease it. */
  readonly connectionId: string;
  /** Name of the function. */
  readonly functionName: string;
  /** Whether it may be leased again after a client acknowledged it and its lease ended. */
  readonly idempotent: boolean;
  /** The call as the client receives it, as JSON text. Kept until the invocation is settled, withdrawn or lapsed. */
  readonly payload: string;
  /** The effect key of its result's notification; unique within the run. */
  readonly effectKey: string;
  /** The time from which it is no longer leased. */
  readonly deadlineMs: number;
  /**
   * Leases it in the commit itself, for `leaseMs`, as `invocations.lease` would: no change announces it, and it is
   * leased again only after this lease has ended. At or after its deadline it MUST stay queued.
   */
  readonly lease?: {
    /** The secret of the lease. */
    readonly leaseToken: string;
    /** Duration of the lease, in milliseconds. */
    readonly leaseMs: number;
  };
}
