import { invocationLeaseMs, type Invocation } from "@procedo/contract";
import type { NewInvocation } from "@procedo/storage";
import { clientInvocation } from "../journal/invocation.ts";
import type { HeldPoll, Reserved } from "./held-poll.ts";

/** A held poll's claim to a call that is being committed. */
export interface Reservation {
  /** The lease that the commit writes. */
  readonly lease: NonNullable<NewInvocation["lease"]>;
  /** The call is durable and leased. May follow `released`, after a commit that was repeated. */
  committed(): void;
  /** The call is not durable, as far as is known: its row was refused, or storage has not answered. */
  released(): void;
}

export interface ReservationPorts {
  readonly now: () => number;
  readonly newToken: () => string;
  /** Passes calls to another poll after their own has ended or was released. */
  readonly give: (calls: readonly Invocation[]) => void;
  /** Called when none of the poll's calls became durable, so that it waits for any call again. */
  readonly freed: () => void;
}

/**
 * Reserves a poll for one more call that is about to be committed; `undefined` when the poll has no room. Once one of
 * its calls is durable, a poll accepts no further one, since its answer would wait for another commit.
 */
export function reservePoll(
  poll: HeldPoll,
  invocation: NewInvocation,
  { now, newToken, give, freed }: ReservationPorts,
): Reservation | undefined {
  const reserved = reservedState(poll, newToken);
  if (reserved === undefined || reserved.ready.length > 0 || reserved.pending >= poll.max) return undefined;
  const { leaseToken } = reserved;
  reserved.pending += 1;
  let isPending = true;

  const settle = (calls: readonly Invocation[]): void => {
    const isAwaited = isPending && poll.state === reserved;
    isPending = false;
    if (!isAwaited) {
      if (calls.length > 0) give(calls);
      return;
    }
    reserved.pending -= 1;
    reserved.ready.push(...calls);
    if (reserved.pending > 0) return;
    if (reserved.ready.length > 0) {
      poll.answer(reserved.ready);
      return;
    }
    poll.release();
    freed();
  };

  return {
    lease: { leaseToken, leaseMs: invocationLeaseMs },
    // Storage leases no call at or after its deadline.
    committed: () => settle(invocation.deadlineMs > now() ? [clientInvocation({ ...invocation, leaseToken })] : []),
    released: () => settle([]),
  };
}

function reservedState(poll: HeldPoll, newToken: () => string): Reserved | undefined {
  if (poll.state.kind === "waiting") poll.state = { kind: "reserved", leaseToken: newToken(), pending: 0, ready: [] };
  return poll.state.kind === "reserved" ? poll.state : undefined;
}
