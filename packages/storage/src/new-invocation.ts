/** An invocation that `RunCommit.invocation` creates; its run and scope are the commit's. */
export interface NewInvocation {
  /** Never used before, in any scope. */
  readonly invocationId: string;
  readonly connectionId: string;
  readonly functionName: string;
  /** Whether a call that was acknowledged and lost may be handed out again. */
  readonly idempotent: boolean;
  /** The call as a client gets it, as JSON text. Kept until the invocation is settled, withdrawn or lapsed. */
  readonly payload: string;
  /** The effect key of the notification that its result becomes; unique for the run. */
  readonly effectKey: string;
  /** The time from which it is not handed out any more. */
  readonly deadlineMs: number;
  /**
   * Leases it with the commit itself, for `leaseMs`, as `lease` would: it is leased when it is created, no change announces
   * it, and it is handed out again only once this lease has ended. At or after its deadline it MUST stay queued.
   */
  readonly handedTo?: { readonly leaseToken: string; readonly leaseMs: number };
}
