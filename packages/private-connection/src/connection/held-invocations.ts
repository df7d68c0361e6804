import { invocationLeaseMs } from "@procedo/contract";
import { LruCache } from "@procedo/contract/syntax";
import type { Lease } from "../service/protocol-answers.ts";

/** An invocation that the service leased to this client. */
export interface Held {
  readonly id: string;
  /**
   * Whether the function may be called again. A non-idempotent function is called only once its lease is acknowledged.
   */
  readonly idempotent: boolean;
  /** The token of the latest dispatch. */
  leaseToken: string;
  /** The monotonic time at which the lease may have ended, in milliseconds. */
  deadlineMs: number;
  /**
   * Whether periodic heartbeats include the call. A call that needs an acknowledgement is included only after the
   * answer to it.
   */
  beating: boolean;
  /** Aborted when the result is no longer needed. */
  readonly abort: AbortController;
  /** Whether the function has ended or will not be called. Only the result remains to be delivered. */
  ended: boolean;
  /** Whether the service abandoned the call or leased it to another client; then no result is sent. */
  lost: boolean;
}

/** The calls that this client holds, and its capacity for more. */
export interface HeldInvocations {
  readonly all: readonly Held[];
  readonly size: number;
  /** The number of calls that can be accepted now. At most `concurrency` calls run at the same time. */
  readonly free: number;
  /** Resolves when there is capacity; immediately if there already is. */
  waitForRoom(signal: AbortSignal): Promise<void>;
  /** Resolves when no call is held. */
  waitForNone(): Promise<void>;
  /**
   * Accepts a dispatched call. Returns `undefined` for a call that must not start: if it is already held, its lease is
   * renewed; if it was already called, it must not be called twice.
   *
   * @param sentAtMs - when the poll was sent; the lease cannot have begun before
   */
  take(lease: Lease, idempotent: boolean, sentAtMs: number): Held | undefined;
  /** Extends the lease after a heartbeat that was sent at this time. */
  extend(held: Held, sentAtMs: number): void;
  /** Must be called when the function has ended. Another call may run while the result is delivered. */
  end(held: Held): void;
  /** Marks a call whose result is no longer needed. */
  lose(held: Held, reason: string): void;
  /** Must be called before the function is called, so that it is never called again unless it is idempotent. */
  rememberCall(held: Held): void;
  release(held: Held): void;
}

/** The number of non-idempotent calls that are remembered, so that none is called again. */
const maxRemembered = 10_000;

export function createHeldInvocations(concurrency: number): HeldInvocations {
  const held = new Map<string, Held>();
  const called = new LruCache<string, true>(maxRemembered);
  const waiting = new Set<() => void>();
  /** Limits undelivered results, too: there are never more of them than calls that may run. */
  const free = (): number => {
    let running = 0;
    for (const { ended } of held.values()) if (!ended) running++;
    return Math.max(0, Math.min(concurrency - running, 2 * concurrency - held.size));
  };
  const deadline = (sentAtMs: number): number => sentAtMs + invocationLeaseMs;

  function changed(): void {
    for (const wake of [...waiting]) wake();
  }
  function until(isTrue: () => boolean, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const check = (): void => {
        if (!isTrue() && signal?.aborted !== true) return;
        waiting.delete(check);
        signal?.removeEventListener("abort", check);
        resolve();
      };
      waiting.add(check);
      signal?.addEventListener("abort", check);
      check();
    });
  }
  return {
    get all() {
      return [...held.values()];
    },
    get size() {
      return held.size;
    },
    get free() {
      return free();
    },
    waitForRoom: (signal) => until(() => free() > 0, signal),
    waitForNone: () => until(() => held.size === 0),
    take: ({ invocationId: id, leaseToken }, idempotent, sentAtMs) => {
      const known = held.get(id);
      if (known !== undefined) {
        // An abandoned call that is still running must not run twice. This lease ends; a later one counts.
        if (!known.lost) {
          known.leaseToken = leaseToken;
          known.deadlineMs = deadline(sentAtMs);
        }
        return undefined;
      }
      if (called.get(id) === true) return undefined;
      const abort = new AbortController();
      const fresh: Held = {
        id,
        idempotent,
        leaseToken,
        deadlineMs: deadline(sentAtMs),
        beating: idempotent,
        abort,
        ended: false,
        lost: false,
      };
      held.set(id, fresh);
      return fresh;
    },
    extend: (one, sentAtMs) => {
      one.deadlineMs = Math.max(one.deadlineMs, deadline(sentAtMs));
    },
    end: (one) => {
      one.ended = true;
      changed();
    },
    lose: (one, reason) => {
      if (one.lost) return;
      one.lost = true;
      one.abort.abort(new Error(reason));
    },
    rememberCall: ({ id, idempotent }) => {
      if (!idempotent) called.set(id, true);
    },
    release: (one) => {
      held.delete(one.id);
      changed();
    },
  };
}
