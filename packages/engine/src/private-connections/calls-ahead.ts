import { invocationLeaseMs, ProcedoError } from "@procedo/contract";
import type { InvocationLease, NewInvocation } from "@procedo/storage";
import type { ConnectionPlace } from "../connections/connection-record.ts";
import type { Clock } from "../ports/clock.ts";
import type { Offer } from "./offers.ts";

/**
 * Calls that a client has before they are durable. Only of functions that its own manifest does not call idempotent: it
 * asks before it calls such a one, and is answered once the call and its acknowledgement are durable, in one write.
 */
export interface CallsAhead {
  /**
   * A call has left for a client that is expected to acknowledge it at once. Resolves when it has, when it is late, or when
   * the call turns out to be unsent; with the lease for the commit that is to follow.
   */
  sent(place: ConnectionPlace, invocation: NewInvocation, leaseToken: string): Promise<SentAhead>;
  /** Nobody has the call: its commit goes on without a lease. */
  unsent(lease: InvocationLease): void;
  /** The client is about to call the function. `undefined`: not one of these. Else resolves once its commit is over. */
  acknowledge(place: ConnectionPlace, lease: InvocationLease): Promise<Acknowledged> | undefined;
}

export interface SentAhead {
  /** `undefined`: nobody has it. */
  readonly offer: Offer | undefined;
  /** Whether the client has acknowledged it in time. */
  readonly isAcknowledged: boolean;
}

export type Acknowledged =
  /** Storage has the call, acknowledged. */
  | "stored"
  /** Storage has it without, or will never have it: it knows more. */
  | "ask"
  /** Nobody can say whether storage has it, or will have it in a moment. */
  | "unknown";

interface Call extends ConnectionPlace, InvocationLease {
  readonly deadlineMs: number;
  isAcknowledged: boolean;
  /** The commit may have begun. */
  isSealed: boolean;
  readonly goOn: (isSent: boolean) => void;
  readonly over: Promise<Acknowledged>;
}

/**
 * Marks the token of a call that went ahead, so that a node which does not know of it yet can tell that it may come to.
 * Tokens are base64url besides, which has no such character.
 */
const mark = "~";

export function tokenAhead(leaseToken: string): string {
  return leaseToken + mark;
}

export function wentAhead({ leaseToken }: Pick<InvocationLease, "leaseToken">): boolean {
  return leaseToken.endsWith(mark);
}

/**
 * What another node has sent out ahead comes to be known here within milliseconds, or where a disk is slow within so many.
 */
const pausesMs = [25, 100, 400];

/** Asks again for as long as a call that went ahead elsewhere may not be durable yet. */
export async function askedUntilKnown<Answer>(
  clock: Pick<Clock, "after">,
  ask: () => Promise<Answer>,
  isUnknown: (answer: Answer) => boolean,
): Promise<Answer> {
  let answer = await ask();
  for (const pauseMs of pausesMs) {
    if (!isUnknown(answer)) break;
    await new Promise<void>((resolve) => void clock.after(pauseMs, resolve));
    answer = await ask();
  }
  return answer;
}

export function notKnownYet(): ProcedoError {
  return new ProcedoError("storage_unavailable", "It is not known yet whether the call is durable. Ask again.");
}

/** A commit waits no longer for an acknowledgement: a client that is further away acknowledges what is durable. */
const longestWaitMs = 10;

/** So long after a commit that had no answer it may still come to be: storage gives up on anything sooner. */
const unknownForMs = 10_000;

export function createCallsAhead(clock: Pick<Clock, "now" | "after" | "soon">): CallsAhead {
  const calls = new Map<string, Call>();

  return {
    sent: ({ environment, connectionId }, { invocationId, deadlineMs }, leaseToken) =>
      new Promise((resolve) => {
        let isInDoubt = false;
        const over = Promise.withResolvers<Acknowledged>();
        const forget = (): void => {
          if (calls.get(invocationId) === call) calls.delete(invocationId);
        };
        const goOn = (isSent: boolean): void => {
          if (call.isSealed) return;
          call.isSealed = true;
          cancel();
          const { isAcknowledged } = call;
          const end = (acknowledged: Acknowledged): void => {
            if (acknowledged === "unknown") clock.after(unknownForMs, forget);
            else forget();
            over.resolve(acknowledged);
          };
          if (!isSent) {
            end("ask");
            return resolve({ offer: undefined, isAcknowledged });
          }
          const offer: Offer = {
            handedTo: { leaseToken, leaseMs: invocationLeaseMs, ...(isAcknowledged && { acknowledged: true }) },
            // One that was in doubt may have been stored long ago: asking makes its lease end later.
            taken: () => end(isAcknowledged && !isInDoubt ? "stored" : "ask"),
            doubted: () => {
              isInDoubt = true;
            },
            dropped: () => end("ask"),
            unknown: () => end("unknown"),
          };
          resolve({ offer, isAcknowledged });
        };
        const call: Call = {
          ...{ environment, connectionId, invocationId, leaseToken, deadlineMs, goOn },
          over: over.promise,
          isAcknowledged: false,
          isSealed: false,
        };
        // What has arrived meanwhile is read before the turn ends.
        const cancel = clock.after(longestWaitMs, () => clock.soon(() => goOn(true)));
        calls.set(invocationId, call);
      }),

    unsent: ({ invocationId, leaseToken }) => {
      const call = calls.get(invocationId);
      if (call?.leaseToken === leaseToken) call.goOn(false);
    },

    acknowledge: ({ environment, connectionId }, { invocationId, leaseToken }) => {
      const call = calls.get(invocationId);
      if (call?.leaseToken !== leaseToken) return undefined;
      if (call.connectionId !== connectionId || call.environment !== environment) return undefined;
      if (!call.isSealed) {
        call.isAcknowledged = call.deadlineMs > clock.now();
        call.goOn(true);
      }
      return call.over;
    },
  };
}
