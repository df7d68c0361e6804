import { invocationLeaseMs } from "@procedo/contract";
import type { Lease } from "../service/protocol-answers.ts";

/** An invocation that the service leased to this client. */
export interface Held {
  readonly id: string;
  /** Whether the function may be called again; one that may not is called only once its lease is acknowledged. */
  readonly idempotent: boolean;
  /** Of the newest hand-out. */
  leaseToken: string;
  /** Monotonic time at which the lease may have ended, in milliseconds. */
  deadlineMs: number;
  /** Whether periodic heartbeats carry it: not before its acknowledgement was answered, when it needs one. */
  beating: boolean;
  /** Aborted when the result is of no use any more. */
  readonly abort: AbortController;
  /** Whether its function has ended, or is not to be called. Only its result is still to be delivered. */
  ended: boolean;
  /** Whether the service gave the call up or to another client: no result is sent. */
  lost: boolean;
}

/** The calls that this client holds, and its room for more. */
export interface HeldInvocations {
  readonly all: readonly Held[];
  readonly size: number;
  /** How many more calls may be taken: of those that run there are never more than `concurrency`. */
  readonly free: number;
  /** Resolves when something is free; at once when it is. */
  waitForRoom(signal: AbortSignal): Promise<void>;
  /** Resolves when nothing is held. */
  waitForNone(): Promise<void>;
  /**
   * Takes a hand-out. `undefined` when it is none to be called: already held here, whose lease it renews, or already
   * called here and not to be called twice.
   *
   * @param sentAtMs - when the poll was sent; the lease cannot have begun before
   */
  take(lease: Lease, idempotent: boolean, sentAtMs: number): Held | undefined;
  /** The lease was extended by a heartbeat that was sent at this time. */
  extend(held: Held, sentAtMs: number): void;
  /** Its function has ended: while its result is on its way another call may run. */
  end(held: Held): void;
  /** Its result is of no use any more. */
  lose(held: Held, reason: string): void;
  /** Its function is about to be called: never again, unless it is idempotent. */
  rememberCall(held: Held): void;
  release(held: Held): void;
}

/** How many calls of functions that are not idempotent are remembered, lest one be called again. */
const maxRemembered = 10_000;

export function createHeldInvocations(concurrency: number): HeldInvocations {
  const held = new Map<string, Held>();
  const called = new Set<string>();
  const waiting = new Set<() => void>();
  /** Results that cannot be delivered do not pile up: there are never more of them than calls may run. */
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
        // A call that was given up and still winds down must not run beside itself: this lease ends, and the next counts.
        if (!known.lost) {
          known.leaseToken = leaseToken;
          known.deadlineMs = deadline(sentAtMs);
        }
        return undefined;
      }
      if (called.has(id)) return undefined;
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
      if (idempotent) return;
      called.add(id);
      const [oldest] = called;
      if (called.size > maxRemembered && oldest !== undefined) called.delete(oldest);
    },
    release: (one) => {
      held.delete(one.id);
      changed();
    },
  };
}
