import { invocationLeaseMs, type Invocation } from "@procedo/contract";
import type { NewInvocation } from "@procedo/storage";
import { tokenAhead } from "./calls-ahead.ts";
import { handedOut } from "./invocation.ts";

/** The lease with which a call goes out around the commit that makes it durable, and the poll that has it then. */
export interface Offer {
  readonly handedTo: NonNullable<NewInvocation["handedTo"]>;
  /** The call is durable, and leased. */
  taken(): void;
  /** Nothing is known of it by now. What follows is one of the others. */
  doubted(): void;
  /** It is not durable. */
  dropped(): void;
  /** Nothing will be known of it here. It may be durable, or come to be in a moment. */
  unknown(): void;
}

/** Calls that one poll is to have together, once those that have to be are durable. */
export interface Reservation {
  readonly leaseToken: string;
  /** What is being committed. */
  readonly awaited: Set<Offer>;
  readonly ready: Invocation[];
  /** Of calls that leave before they are durable; others would keep these waiting. */
  readonly isAhead: boolean;
  /** One of the commits has come back: what else is offered would have it wait for another. */
  isClosed: boolean;
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
  /** After what else happens in this turn of the event loop. */
  readonly soon: (work: () => void) => void;
  /** The poll has nothing to wait for any more but what comes. */
  readonly released: () => void;
}

/** Whether a poll waits for nothing in particular. */
export function isFree({ reservation }: OfferedPoll): boolean {
  return reservation === undefined;
}

/**
 * Whether a poll has room for one more, ahead or not. What comes once the first is durable would have it wait for another
 * commit, and goes to another poll.
 */
export function hasPlace({ max, reservation }: OfferedPoll, isAhead: boolean): boolean {
  if (reservation === undefined) return true;
  const { ready, awaited, isClosed } = reservation;
  return reservation.isAhead === isAhead && !isClosed && ready.length + awaited.size < max;
}

/** Sends a call out before it is durable, together with what else this poll is to have; answers its lease token. */
export function sendAheadTo(poll: OfferedPoll, invocation: NewInvocation, ports: OfferPorts): string {
  const isFirst = poll.reservation === undefined;
  const reservation = (poll.reservation ??= newReservation(ports, true));
  const leaseToken = tokenAhead(reservation.leaseToken);
  reservation.ready.push(handedOut({ ...invocation, leaseToken }));
  if (isFirst) {
    ports.soon(() => {
      if (poll.reservation === reservation) answerWith(poll, reservation, ports);
    });
  }
  return leaseToken;
}

/** Has a call go out once it is durable. */
export function offerTo(poll: OfferedPoll, invocation: NewInvocation, ports: OfferPorts): Offer {
  const reservation = (poll.reservation ??= newReservation(ports, false));
  const { leaseToken, awaited, ready } = reservation;

  const leave = (): boolean => poll.reservation === reservation && awaited.delete(offer);
  const goOnIfLast = (): void => {
    if (awaited.size === 0) answerWith(poll, reservation, ports);
  };
  const drop = (): void => {
    if (leave()) goOnIfLast();
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
      reservation.isClosed = true;
      if (isAwaited) goOnIfLast();
    },
    doubted: drop,
    dropped: drop,
    unknown: drop,
  };
  awaited.add(offer);
  return offer;
}

function newReservation({ newToken }: OfferPorts, isAhead: boolean): Reservation {
  return { leaseToken: newToken(), awaited: new Set(), ready: [], isAhead, isClosed: false };
}

function answerWith(poll: OfferedPoll, { ready }: Reservation, { released }: OfferPorts): void {
  poll.reservation = undefined;
  if (ready.length > 0) poll.answer(ready);
  else released();
}
