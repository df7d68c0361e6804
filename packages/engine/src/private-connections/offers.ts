import { invocationLeaseMs, type Invocation } from "@procedo/contract";
import type { NewInvocation } from "@procedo/storage";
import { handedOut } from "../journal/invocation.ts";

/** The lease with which a call is committed, for the poll that gets it once it is durable. */
export interface Offer {
  readonly handedTo: NonNullable<NewInvocation["handedTo"]>;
  /** The call is durable, and leased. May follow `dropped`. */
  taken(): void;
  /** The call is not durable, as far as is known. */
  dropped(): void;
}

/** Calls that one poll is to have together, once all of them are durable. */
export interface Reservation {
  readonly leaseToken: string;
  /** What is being committed. */
  readonly awaited: Set<Offer>;
  readonly ready: Invocation[];
}

/** A poll that is being held, as far as offers concern it. */
export interface OfferedPoll {
  readonly max: number;
  reservation: Reservation | undefined;
  readonly answer: (invocations: readonly Invocation[]) => void;
}

export interface OfferPorts {
  readonly now: () => number;
  readonly newToken: () => string;
  /** A call that its poll did not wait for. */
  readonly late: (invocation: Invocation) => void;
  /** The poll waits for nothing in particular any more. */
  readonly released: () => void;
}

/** Whether a poll waits for nothing in particular. */
export function isFree({ reservation }: OfferedPoll): boolean {
  return reservation === undefined;
}

/** Whether a poll has room for one more call. Once the first is durable, another would have it wait for a second commit. */
export function hasPlace({ max, reservation }: OfferedPoll): boolean {
  return reservation === undefined || (reservation.ready.length === 0 && reservation.awaited.size < max);
}

/** Has a call go out once it is durable. */
export function offerTo(poll: OfferedPoll, invocation: NewInvocation, ports: OfferPorts): Offer {
  const reservation = (poll.reservation ??= { leaseToken: ports.newToken(), awaited: new Set(), ready: [] });
  const { leaseToken, awaited, ready } = reservation;

  const leave = (): boolean => poll.reservation === reservation && awaited.delete(offer);
  const goOnIfLast = (): void => {
    if (awaited.size > 0) return;
    poll.reservation = undefined;
    if (ready.length > 0) poll.answer(ready);
    else ports.released();
  };
  const offer: Offer = {
    handedTo: { leaseToken, leaseMs: invocationLeaseMs },
    taken: () => {
      const isAwaited = leave();
      // Storage did not hand out what came too late.
      if (invocation.deadlineMs > ports.now()) {
        const call = handedOut({ ...invocation, leaseToken });
        if (isAwaited) ready.push(call);
        else ports.late(call);
      }
      if (isAwaited) goOnIfLast();
    },
    dropped: () => {
      if (leave()) goOnIfLast();
    },
  };
  awaited.add(offer);
  return offer;
}
