import { invocationLeaseMs } from "@procedo/contract";
import type { InvocationLease, NewInvocation } from "@procedo/storage";
import type { ConnectionPlace } from "../connections/connection-record.ts";
import type { Clock } from "../ports/clock.ts";
import type { Offer } from "./offers.ts";

/**
 * Calls that a client has before they are durable. Only calls of functions that are not idempotent: their client asks before it calls
 * one, and is answered once the call and its acknowledgement are durable, in one write.
 */
export interface CallsAhead {
  /**
   * A call has left for a client that is expected to acknowledge it at once. Resolves when it has, or when it is late;
   * with the lease for the commit that is to follow.
   */
  sent(place: ConnectionPlace, invocation: NewInvocation, leaseToken: string): Promise<SentAhead>;
  /**
   * The client is about to call the function. `undefined`: not one of these. Else resolves once storage has the call or
   * not; `true`: it does, acknowledged. After `false` storage knows more.
   */
  acknowledge(place: ConnectionPlace, lease: InvocationLease): Promise<boolean> | undefined;
}

export interface SentAhead {
  readonly offer: Offer;
  /** Whether the client has acknowledged it in time. */
  readonly isAcknowledged: boolean;
}

interface Call extends ConnectionPlace, InvocationLease {
  isAcknowledged: boolean;
  /** The commit may have begun. */
  isSealed: boolean;
  readonly heard: () => void;
  readonly stored: Promise<boolean>;
}

/**
 * Marks the token of a call that went ahead, so that a node which does not know of it yet can tell that it may come to. Tokens are
 * base64url besides, which has no such character.
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

/** A commit waits no longer for an acknowledgement: a client that is further away acknowledges what is durable. */
const longestWaitMs = 10;

export function createCallsAhead(clock: Pick<Clock, "after" | "soon">): CallsAhead {
  const calls = new Map<string, Call>();

  return {
    sent: ({ environment, connectionId }, { invocationId }, leaseToken) =>
      new Promise((resolve) => {
        let settle = (_isStored: boolean): void => {};
        const stored = new Promise<boolean>((settled) => (settle = settled));
        const goOn = (): void => {
          if (call.isSealed) return;
          call.isSealed = true;
          cancel();
          const { isAcknowledged } = call;
          const over = (isStored: boolean): void => {
            if (calls.get(invocationId) === call) calls.delete(invocationId);
            settle(isStored && isAcknowledged);
          };
          const offer: Offer = {
            handedTo: { leaseToken, leaseMs: invocationLeaseMs, ...(isAcknowledged && { acknowledged: true }) },
            taken: () => over(true),
            doubted: () => {},
            dropped: () => over(false),
          };
          resolve({ offer, isAcknowledged });
        };
        const call: Call = {
          ...{ environment, connectionId, invocationId, leaseToken, stored },
          isAcknowledged: false,
          isSealed: false,
          heard: goOn,
        };
        // What has arrived meanwhile is read before the turn ends.
        const cancel = clock.after(longestWaitMs, () => clock.soon(goOn));
        calls.set(invocationId, call);
      }),

    acknowledge: ({ environment, connectionId }, { invocationId, leaseToken }) => {
      const call = calls.get(invocationId);
      if (call?.leaseToken !== leaseToken) return undefined;
      if (call.connectionId !== connectionId || call.environment !== environment) return undefined;
      if (!call.isSealed) {
        call.isAcknowledged = true;
        call.heard();
      }
      return call.stored;
    },
  };
}
