import { invocationLeaseMs, type Environment, type Invocation } from "@procedo/contract";
import type { NewInvocation, Storage } from "@procedo/storage";
import { clientInvocation } from "../journal/invocation.ts";
import type { Clock } from "../ports/clock.ts";
import { errorText, type Log } from "../ports/log.ts";
import type { Random } from "../ports/random.ts";
import { holdPoll, type HeldPoll } from "./held-poll.ts";
import { reservePoll, type Reservation } from "./poll-reservations.ts";
import type { PrivateClient } from "./private-client.ts";

/**
 * The polls of the clients that serve one manifest. Storage is asked on behalf of one poll after the other, so that a new
 * call costs one look, however many polls are held.
 */
export interface PollQueue extends PolledManifest {
  readonly polls: ReadonlySet<HeldPoll>;
  /** Holds a poll until it is answered. */
  hold(poll: NewPoll): Promise<readonly Invocation[]>;
  /** Reserves the poll that has waited longest for a call that is about to be committed; `undefined`: no poll has room. */
  reserve(invocation: NewInvocation): Reservation | undefined;
  /** Looks for calls in storage: there may be new ones. */
  wake(): void;
  /** Ends the polls, and resolves once storage is asked no more. */
  stop(): Promise<void>;
}

/** The functions that clients of a connection serve in one environment. */
export interface PolledManifest {
  readonly environment: Environment;
  readonly connectionId: string;
  /** Its digest. */
  readonly manifest: string;
  readonly functions: readonly string[];
}

export interface NewPoll {
  readonly client: PrivateClient;
  /** Bounded by {@link maxCallsPerPoll}. */
  readonly max: number;
  readonly signal: AbortSignal | undefined;
}

export interface PollQueuePorts {
  readonly storage: Pick<Storage, "invocations">;
  readonly workspace: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** Calls in one answer. Each may carry a megabyte: docs/performance/private-calls.md#constants. */
const maxCallsPerPoll = 32;

/** A lease that ends announces nothing: storage is looked at this often, or up to half as often again. */
const lookMs = 1_000;

/** @param onUnused - called when no poll was held for a while; the queue is of no use then */
export function createPollQueue(
  { storage, workspace, clock, random, log }: PollQueuePorts,
  of: PolledManifest,
  onUnused: () => void,
): PollQueue {
  const { environment, connectionId, functions } = of;
  const polls = new Set<HeldPoll>();
  /** Whether storage may have calls that were not there at the last look. */
  let mayHaveCalls = true;
  let looking: Promise<void> | undefined;
  let isStopped = false;

  const newToken = (): string => Buffer.from(random.bytes(24)).toString("base64url");

  const lease = async (limit: number): Promise<readonly Invocation[]> => {
    const scope = { workspace, environment };
    const wanted = { connectionId, functions, limit, leaseMs: invocationLeaseMs, leaseToken: newToken() };
    return (await storage.invocations.lease({ scope, ...wanted })).map(clientInvocation);
  };

  /** Gives calls to another poll than the one that they were leased for, which has ended. */
  const give = (calls: readonly Invocation[]): void => {
    const takers = [...polls].filter(({ max }) => max >= calls.length);
    const taker = takers.find(isWaiting) ?? takers.find(({ state }) => state.kind === "leasing");
    if (taker !== undefined) return taker.answer(calls);
    const fields = { connectionId, environment, calls: calls.length };
    log.info("A client left while calls were on their way to it. Another gets them when their leases end.", fields);
  };

  const leaseFor = async (poll: HeldPoll): Promise<void> => {
    poll.state = { kind: "leasing" };
    mayHaveCalls = false;
    try {
      const calls = await lease(poll.max);
      if (calls.length >= poll.max) mayHaveCalls = true;
      if (calls.length === 0) return;
      // The client may have left meanwhile.
      if (isLeasing(poll)) poll.answer(calls);
      else give(calls);
    } catch (error) {
      mayHaveCalls = true;
      throw error;
    } finally {
      if (isLeasing(poll)) poll.release();
    }
  };

  const lookAll = async (): Promise<void> => {
    try {
      for (let poll = firstWaiting(); mayHaveCalls && poll !== undefined; poll = firstWaiting()) await leaseFor(poll);
    } catch (error) {
      log.warn("Calls could not be leased. The next look tries again.", {
        connectionId,
        environment,
        error: errorText(error),
      });
    } finally {
      looking = undefined;
    }
  };
  const firstWaiting = (): HeldPoll | undefined => [...polls].find(isWaiting);
  const look = (): void => {
    if (looking === undefined && mayHaveCalls && firstWaiting() !== undefined && !isStopped) looking = lookAll();
  };
  const wake = (): void => {
    mayHaveCalls = true;
    look();
  };

  const lookLater = (): (() => void) =>
    // Each node looks at times of its own.
    clock.after(lookMs * (1 + random.uniform() / 2), () => {
      if (polls.size === 0) {
        onUnused();
        return;
      }
      cancelLook = lookLater();
      wake();
    });
  let cancelLook = lookLater();

  return {
    ...of,
    polls,
    hold: ({ client, max, signal }) => {
      const request = { client, max: Math.min(max, maxCallsPerPoll), signal };
      const { poll, answered } = holdPoll(clock, request, (unanswered) => {
        polls.delete(poll);
        if (unanswered.length > 0) give(unanswered);
      });
      polls.add(poll);
      look();
      return answered;
    },
    reserve: (invocation) => {
      const ports = { now: () => clock.now(), newToken, give, freed: look };
      for (const poll of polls) {
        const reservation = reservePoll(poll, invocation, ports);
        if (reservation !== undefined) return reservation;
      }
      return undefined;
    },
    wake,
    stop: async () => {
      isStopped = true;
      cancelLook();
      for (const poll of [...polls]) poll.expire();
      await looking;
    },
  };
}

function isWaiting({ state }: HeldPoll): boolean {
  return state.kind === "waiting";
}

function isLeasing({ state }: HeldPoll): boolean {
  return state.kind === "leasing";
}
