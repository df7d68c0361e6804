import { invocationLeaseMs, pollHoldMs, ProcedoError, type Environment, type Invocation } from "@procedo/contract";
import type { LeasedInvocation, NewInvocation, Storage } from "@procedo/storage";
import { isStale, type StaleConnection } from "../connections/connection-record.ts";
import type { Clock } from "../ports/clock.ts";
import { errorText, type Log } from "../ports/log.ts";
import type { Random } from "../ports/random.ts";
import { handedOut } from "../journal/invocation.ts";
import { hasPlace, isFree, offerTo, type Offer } from "./offers.ts";
import { createPollQueues, type HeldPoll, type PollQueue } from "./poll-queues.ts";
import type { PrivateClient } from "./private-connections.ts";

/**
 * Polls that are being held, and what they get. The polls of one manifest form a queue: storage is asked for one of them
 * after the other, so that a call that comes to be there costs one look, however many wait for it.
 */
export interface HandOut {
  /** @throws ProcedoError as `PrivateConnections.poll` */
  wait(poll: WaitingPoll): Promise<readonly Invocation[]>;
  /**
   * A poll for a call that is about to become durable; one that is expected is waited for. `undefined` when none is being
   * held that could have it.
   */
  offer(environment: Environment, invocation: NewInvocation): Promise<Offer | undefined>;
  /** There may be calls of this connection; left out: of any. */
  wake(connectionId?: string): void;
  /**
   * Ends polls of this connection for which the check throws; left out: of any. A check that storage did not answer is made
   * again with the next look.
   */
  recheck(stale?: StaleConnection): void;
  /** Ends all polls, with nothing. */
  stop(): Promise<void>;
}

export interface WaitingPoll {
  readonly client: PrivateClient;
  readonly manifest: string;
  readonly functions: readonly string[];
  readonly max: number;
  readonly signal: AbortSignal | undefined;
}

export interface HandOutPorts {
  readonly storage: Pick<Storage, "invocations">;
  readonly workspace: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Whether the client may still poll with this manifest. @throws ProcedoError `unauthorized`, `manifest_required` */
  readonly check: (client: PrivateClient, manifest: string) => Promise<unknown>;
}

/** A poll whose time is over waits so much longer for a call that is being committed for it. */
const graceMs = 3_000;

/**
 * A client that was given calls asks for more as soon as it can. Where that takes no longer than this, the next poll is
 * waited for: a call that is queued goes out no sooner, and costs one more write.
 */
const longestComebackMs = 10;

const maxHeld = 1_000;
const retryAfterMs = 5_000;

/** Calls that one poll brings: each may carry a megabyte. */
const maxAtOnce = 32;

export function createHandOut(ports: HandOutPorts): HandOut {
  const { storage, workspace, clock, random, log } = ports;
  const queues = createPollQueues({ clock, random }, (queue) => ask(queue));
  const underWay = new Set<Promise<void>>();
  let stopped = false;
  const toRecheck = new Set<PollQueue>();
  let rechecking = false;

  const newToken = (): string => Buffer.from(random.bytes(24)).toString("base64url");

  const lease = (queue: PollQueue, limit: number): Promise<readonly LeasedInvocation[]> =>
    storage.invocations.lease({
      scope: { workspace, environment: queue.environment },
      connectionId: queue.connectionId,
      functions: queue.functions,
      limit,
      leaseMs: invocationLeaseMs,
      leaseToken: newToken(),
    });

  /** Until the poll has what was leased for it, nothing is offered to it. */
  const leaseFor = async (queue: PollQueue, held: HeldPoll): Promise<number> => {
    held.asking = true;
    try {
      const leased = await lease(queue, held.max);
      if (leased.length > 0) give(queue, held, leased.map(handedOut));
      return leased.length;
    } finally {
      held.asking = false;
    }
  };

  /** A poll may have gone while storage was asked: then another one has what is there. */
  const give = (queue: PollQueue, first: HeldPoll | undefined, calls: readonly Invocation[]): void => {
    const { connectionId, environment, polls } = queue;
    const isHeld = first !== undefined && polls.has(first);
    const takers = [...polls].filter((held) => isFree(held) && held.max >= calls.length);
    // One for which storage is being asked would leave what that brings to others.
    const taker = isHeld ? first : (takers.find(({ asking }) => !asking) ?? takers[0]);
    if (taker === undefined) {
      const fields = { connectionId, environment, calls: calls.length };
      log.info("A client left while calls were on their way to it. They go to another when their lease ends.", fields);
      return;
    }
    taker.answer(calls);
  };

  const askAll = async (queue: PollQueue): Promise<void> => {
    try {
      let askedAtMs: number;
      do {
        queue.again = false;
        askedAtMs = clock.monotonic();
        for (;;) {
          const first = [...queue.polls].find(isFree);
          if (first === undefined) return;
          if ((await leaseFor(queue, first)) < first.max) break;
        }
      } while (queue.again);
      queues.foundEmpty(queue, askedAtMs);
    } catch (error) {
      const { connectionId, environment } = queue;
      log.warn("Calls could not be handed out; trying again.", { connectionId, environment, error: errorText(error) });
    }
  };

  const ask = (queue: PollQueue): void => {
    if (queue.asking) {
      queue.again = true;
      return;
    }
    queue.asking = true;
    const asked = askAll(queue).finally(() => {
      queue.asking = false;
      underWay.delete(asked);
      queues.lookLater(queue);
    });
    underWay.add(asked);
  };

  const recheckAll = async (): Promise<void> => {
    for (const queue of toRecheck) {
      toRecheck.delete(queue);
      const verdicts = new Map<string, Promise<unknown>>();
      for (const held of [...queue.polls]) {
        const { client } = held;
        const verdict = verdicts.get(client.tokenDigest) ?? ports.check(client, queue.manifest);
        verdicts.set(client.tokenDigest, verdict);
        await verdict.catch((error: unknown) => {
          // Of a token nothing is known while storage does not answer.
          if (ProcedoError.isError(error) && !error.retryable) held.fail(error);
        });
      }
    }
  };

  const offerNow = (serving: readonly PollQueue[], invocation: NewInvocation): Offer | undefined => {
    if (stopped) return undefined;
    for (const queue of serving) {
      for (const held of queue.polls) {
        if (held.asking || !hasPlace(held)) continue;
        return offerTo(held, invocation, {
          now: () => clock.now(),
          newToken,
          late: (call) => give(queue, undefined, [call]),
          released: () => (stopped ? held.answer([]) : ask(queue)),
        });
      }
    }
    return undefined;
  };

  /** Resolves when a poll has come, or is late; at once where none is expected. */
  const coming = async (serving: readonly PollQueue[]): Promise<void> => {
    const nowMs = clock.monotonic();
    const queue = serving.find((one) => comesBackUntilMs(one) > nowMs);
    if (stopped || queue === undefined) return;
    await new Promise<void>((resolve) => {
      const come = (): void => {
        queue.expecting.delete(come);
        cancel();
        resolve();
      };
      // What has arrived meanwhile is read before the turn ends.
      const cancel = clock.after(comesBackUntilMs(queue) - nowMs, () => clock.soon(come));
      queue.expecting.add(come);
    });
  };

  const handOut: HandOut = {
    wait: (poll) => {
      const { client, max, signal } = poll;
      if (stopped) return Promise.reject(new ProcedoError("shutting_down", "The service stops. Poll again."));
      if (queues.held(client) >= maxHeld) {
        const message = `${maxHeld} polls of this connection are being held in ${client.environment}. Poll again later, or start fewer clients.`;
        return Promise.reject(new ProcedoError("overloaded", message, { retryAfterMs }));
      }
      if (signal?.aborted === true) return Promise.resolve([]);
      const queue = queues.of(poll);
      return new Promise((resolve, reject) => {
        const over = (): void => {
          queue.polls.delete(held);
          cancel();
          signal?.removeEventListener("abort", gone);
          held.reservation = undefined;
        };
        /** Without what is ready for it, which others may have. */
        const leaveTo = (others: () => void): void => {
          const { ready = [] } = held.reservation ?? {};
          others();
          if (ready.length > 0) give(queue, undefined, ready);
        };
        const held: HeldPoll = {
          client,
          max: Math.min(max, maxAtOnce),
          asking: false,
          reservation: undefined,
          answer: (invocations) => {
            over();
            if (invocations.length > 0) queue.answeredAtMs = clock.monotonic();
            resolve(invocations);
          },
          fail: (error) => {
            leaveTo(over);
            reject(error instanceof Error ? error : new Error(errorText(error)));
          },
          end: () => {
            if (held.reservation === undefined) return held.answer([]);
            cancel();
            cancel = clock.after(graceMs, () => held.answer(held.reservation?.ready ?? []));
          },
        };
        const gone = (): void => leaveTo(() => held.answer([]));
        let cancel = clock.after(pollHoldMs, held.end);
        signal?.addEventListener("abort", gone, { once: true });
        queue.comebackMs = clock.monotonic() - queue.answeredAtMs;
        queue.polls.add(held);
        // Whatever comes to be there is told, or found at the next look.
        if (clock.monotonic() >= queue.emptyUntilMs) ask(queue);
        for (const come of [...queue.expecting].slice(0, held.max)) come();
      });
    },
    offer: async (environment, invocation) => {
      const serving = queues.serving(environment, invocation);
      const offer = offerNow(serving, invocation);
      if (offer !== undefined || serving.length === 0) return offer;
      await coming(serving);
      return offerNow(queues.serving(environment, invocation), invocation);
    },
    wake: (connectionId) => {
      for (const queue of queues.all()) {
        if (connectionId !== undefined && queue.connectionId !== connectionId) continue;
        queue.emptyUntilMs = 0;
        ask(queue);
      }
    },
    recheck: (stale) => {
      for (const queue of queues.all()) if (stale === undefined || isStale(queue, stale)) toRecheck.add(queue);
      if (rechecking || toRecheck.size === 0) return;
      rechecking = true;
      const rechecked = recheckAll().finally(() => {
        rechecking = false;
        underWay.delete(rechecked);
      });
      underWay.add(rechecked);
    },
    stop: async () => {
      stopped = true;
      queues.close();
      for (const queue of [...queues.all()]) for (const held of [...queue.polls]) held.end();
      await Promise.all(underWay);
    },
  };
  return handOut;
}

/** Monotonic time until which a client is expected that comes back as it did the last time. */
function comesBackUntilMs({ answeredAtMs, comebackMs }: PollQueue): number {
  return comebackMs > longestComebackMs ? -Infinity : answeredAtMs + 2 * comebackMs;
}
