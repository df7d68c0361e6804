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
 * The held polls of the clients that serve one manifest. Calls are leased for one poll after the other, so that a new
 * call costs one read of storage regardless of the number of held polls.
 */
export interface PollQueue extends PolledManifest {
  readonly polls: ReadonlySet<HeldPoll>;
  /** Holds a poll until it is answered. */
  hold(poll: NewPoll): Promise<readonly Invocation[]>;
  /**
   * Reserves the poll that has waited longest for a call that is about to be committed; `undefined` when no poll has
   * room.
   */
  reserve(invocation: NewInvocation): Reservation | undefined;
  /** Looks for new calls in storage. */
  wake(): void;
  /** Ends the polls. Resolves after the last read of storage has ended. */
  stop(): Promise<void>;
}

/** The functions that clients of a connection serve in one environment. */
export interface PolledManifest {
  readonly environment: Environment;
  readonly connectionId: string;
  /** Digest of the manifest. */
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

/** Maximum number of calls in one answer. Each may have a megabyte: docs/performance/private-calls.md#constants. */
const maxCallsPerPoll = 32;

/** Interval of reads for calls whose leases have ended, which no notice announces. Jitter adds up to a half. */
const lookMs = 1_000;

/** @param onUnused - called when no poll is held at an interval's end; the queue must not be used afterwards */
export function createPollQueue(
  { storage, workspace, clock, random, log }: PollQueuePorts,
  of: PolledManifest,
  onUnused: () => void,
): PollQueue {
  const { environment, connectionId, functions } = of;
  const polls = new Set<HeldPoll>();
  /** Whether storage may have calls that the last read did not find. */
  let mayHaveCalls = true;
  let looking: Promise<void> | undefined;
  let isStopped = false;

  const newToken = (): string => Buffer.from(random.bytes(24)).toString("base64url");

  const lease = async (limit: number): Promise<readonly Invocation[]> => {
    const scope = { workspace, environment };
    const wanted = { connectionId, functions, limit, leaseMs: invocationLeaseMs, leaseToken: newToken() };
    return (await storage.invocations.lease({ scope, ...wanted })).map(clientInvocation);
  };

  /** Answers another poll with calls whose own poll has ended. */
  const give = (calls: readonly Invocation[]): void => {
    const takers = [...polls].filter(({ max }) => max >= calls.length);
    const taker = takers.find(isWaiting) ?? takers.find(({ state }) => state.kind === "leasing");
    if (taker !== undefined) return taker.answer(calls);
    const fields = { connectionId, environment, calls: calls.length };
    log.info("A client left before its calls reached it. Another client receives them when their leases end.", fields);
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
      log.warn("Calls could not be leased. The next read tries again.", {
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
    // Jitter keeps the nodes of a cluster apart.
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
