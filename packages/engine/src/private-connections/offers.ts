import { invocationLeaseMs, type Invocation } from "@procedo/contract";
import type { NewInvocation } from "@procedo/storage";
import { tokenAhead } from "./calls-ahead.ts";
import { handedOut } from "./invocation.ts";

/** The lease with which a call goes out around the commit that makes it durable, and the poll that has it then. */
export interface Offer {
  readonly handedTo: NonNullable<NewInvocation["handedTo"]>;
  /** The call is durable, and leased. */
  taken(): void;
  /** Nothing is known of it by now. It may be taken or dropped later. */
  doubted(): void;
  /** It is not durable, as far as anybody knows. */
  dropped(): void;
}

/** Calls that one poll is to have together, once those that have to be are durable. */
export interface Reservation {
  readonly leaseToken: string;
  /** What is being committed. */
  readonly awaited: Set<Offer>;
  readonly ready: Invocation[];
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
 * Whether a poll has room for one more. What comes once the first is durable would have it wait for another commit, and
 * goes to another poll.
 */
export function hasPlace({ max, reservation }: OfferedPoll): boolean {
  if (reservation === undefined) return true;
  return !reservation.isClosed && reservation.ready.length + reservation.awaited.size < max;
}

/** Sends a call out before it is durable, together with what else this poll is to have; answers its lease token. */
export function sendAheadTo(poll: OfferedPoll, invocation: NewInvocation, ports: OfferPorts): string {
  const isFirst = poll.reservation === undefined;
  const reservation = (poll.reservation ??= newReservation(ports));
  const { awaited, ready } = reservation;
  const leaseToken = tokenAhead(reservation.leaseToken);
  ready.push(handedOut({ ...invocation, leaseToken }));
  if (isFirst) {
    ports.soon(() => {
      if (poll.reservation === reservation && awaited.size === 0) answerWith(poll, reservation, ports);
    });
  }
  return leaseToken;
}

/** Has a call go out once it is durable. */
export function offerTo(poll: OfferedPoll, invocation: NewInvocation, ports: OfferPorts): Offer {
  const reservation = (poll.reservation ??= newReservation(ports));
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
  };
  awaited.add(offer);
  return offer;
}

function newReservation({ newToken }: OfferPorts): Reservation {
  return { leaseToken: newToken(), awaited: new Set(), ready: [], isClosed: false };
}

function answerWith(poll: OfferedPoll, { ready }: Reservation, { released }: OfferPorts): void {
  poll.reservation = undefined;
  if (ready.length > 0) poll.answer(ready);
  else released();
}
