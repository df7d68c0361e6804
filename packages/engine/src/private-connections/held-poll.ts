import { pollHoldMs, type Invocation } from "@procedo/contract";
import type { Clock } from "../ports/clock.ts";
import type { PrivateClient } from "./private-client.ts";

/** A client's poll, from its request to its answer. */
export interface HeldPoll {
  readonly client: PrivateClient;
  /** Maximum number of calls in its answer. */
  readonly max: number;
  state: PollState;
  /** Answers the poll with these calls. */
  answer(calls: readonly Invocation[]): void;
  /** Answers the poll with an error. */
  fail(error: Error): void;
  /** Makes the poll wait for any call again. An expired poll is answered with no call. */
  release(): void;
  /**
   * Ends the wait. A reserved poll waits up to {@link graceMs} longer for its commits; any other is answered with no
   * call.
   */
  expire(): void;
}

export type PollState =
  /** Waits for any call. */
  | { readonly kind: "waiting" }
  /** Calls are being leased from storage for the poll. */
  | { readonly kind: "leasing" }
  | Reserved
  /** The poll was answered, or its client has left. */
  | { readonly kind: "ended" };

/** Calls are being committed for the poll, all leased under one token. */
export interface Reserved {
  readonly kind: "reserved";
  readonly leaseToken: string;
  /** The number of commits without an answer. */
  pending: number;
  /** The calls that are durable. */
  readonly ready: Invocation[];
}

/** Maximum wait for a commit after the poll has expired: docs/performance/private-calls.md#constants. */
const graceMs = 3_000;

const waiting: PollState = { kind: "waiting" };
const ended: PollState = { kind: "ended" };

/**
 * Holds a poll until it is answered, expires or its signal aborts.
 *
 * @param onEnd - called once, with calls that were ready for a client that has left
 */
export function holdPoll(
  clock: Pick<Clock, "after">,
  { client, max, signal }: Pick<HeldPoll, "client" | "max"> & { readonly signal: AbortSignal | undefined },
  onEnd: (unanswered: readonly Invocation[]) => void,
): { readonly poll: HeldPoll; readonly answered: Promise<readonly Invocation[]> } {
  const { promise: answered, resolve, reject } = Promise.withResolvers<readonly Invocation[]>();
  let isExpired = false;

  const ready = (): readonly Invocation[] => (poll.state.kind === "reserved" ? poll.state.ready : []);
  const end = (unanswered: readonly Invocation[]): void => {
    poll.state = ended;
    cancelTimer();
    signal?.removeEventListener("abort", leave);
    onEnd(unanswered);
  };
  const leave = (): void => {
    end(ready());
    resolve([]);
  };
  const poll: HeldPoll = {
    client,
    max,
    state: waiting,
    answer: (calls) => {
      end([]);
      resolve(calls);
    },
    fail: (error) => {
      end(ready());
      reject(error);
    },
    release: () => {
      if (isExpired) poll.answer([]);
      else poll.state = waiting;
    },
    expire: () => {
      isExpired = true;
      cancelTimer();
      if (poll.state.kind !== "reserved") poll.answer([]);
      else cancelTimer = clock.after(graceMs, () => poll.answer(ready()));
    },
  };
  let cancelTimer = clock.after(pollHoldMs, () => poll.expire());
  signal?.addEventListener("abort", leave, { once: true });
  return { poll, answered };
}
