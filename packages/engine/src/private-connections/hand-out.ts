import { invocationLeaseMs, pollHoldMs, ProcedoError, type Environment, type Invocation } from "@procedo/contract";
import type { LeasedInvocation, NewInvocation, Storage } from "@procedo/storage";
import type { Clock } from "../ports/clock.ts";
import { errorText, type Log } from "../ports/log.ts";
import type { Random } from "../ports/random.ts";
import { handedOut } from "./invocation.ts";
import { hasPlace, isFree, offerTo, type Offer, type OfferedPoll } from "./offers.ts";
import type { PrivateClient } from "./private-connections.ts";

/**
 * Polls that are being held, and what they get. The polls of one manifest form a queue: storage is asked for one of them
 * after the other, so that a call that comes to be there costs one look, however many wait for it.
 */
export interface HandOut {
  /** @throws ProcedoError as `PrivateConnections.poll` */
  wait(poll: WaitingPoll): Promise<readonly Invocation[]>;
  /** A poll for a call that is about to become durable; `undefined` when none is being held that could have it. */
  offer(environment: Environment, invocation: NewInvocation): Offer | undefined;
  /** There may be calls of this connection; left out: of any. */
  wake(connectionId?: string): void;
  /** Ends polls for which the check throws. One that storage did not answer is made again with the next look. */
  recheck(): void;
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

/** A lease that ran out announces nothing. */
const lookMs = 1_000;

const maxHeld = 1_000;
const retryAfterMs = 5_000;

/** Calls that one poll brings: each may carry a megabyte. */
const maxAtOnce = 32;

/** The polls that wait for the same functions of the same connection. */
interface Queue {
  readonly environment: PrivateClient["environment"];
  readonly connectionId: string;
  readonly manifest: string;
  readonly functions: readonly string[];
  readonly polls: Set<Held>;
  /** Storage is being asked. */
  asking: boolean;
  /** … and has to be asked again. */
  again: boolean;
  cancelLook: () => void;
}

interface Held extends OfferedPoll {
  readonly client: PrivateClient;
  /** Storage is being asked for this one. */
  asking: boolean;
  /** At most one of the two, `answer` and this, once. */
  readonly fail: (error: unknown) => void;
  /** Answers with what there is, or what is about to come. */
  readonly end: () => void;
}

export function createHandOut(ports: HandOutPorts): HandOut {
  const { storage, workspace, clock, random, log } = ports;
  const queues = new Map<string, Queue>();
  const underWay = new Set<Promise<void>>();
  let stopped = false;
  let rechecking = false;
  let recheckAgain = false;

  const heldOf = (connectionId: string): number => {
    let held = 0;
    for (const queue of queues.values()) if (queue.connectionId === connectionId) held += queue.polls.size;
    return held;
  };

  const queueOf = ({ client, manifest, functions }: WaitingPoll): Queue => {
    const { environment, connectionId } = client;
    const key = JSON.stringify([environment, connectionId, manifest]);
    const known = queues.get(key);
    if (known !== undefined) return known;
    const rest = { polls: new Set<Held>(), asking: false, again: false, cancelLook: () => {} };
    const queue: Queue = { environment, connectionId, manifest, functions, ...rest };
    queues.set(key, queue);
    return queue;
  };

  /** Of many nodes each looks at times of its own. */
  const lookLater = (queue: Queue): void => {
    queue.cancelLook();
    queue.cancelLook = clock.after(lookMs * (1 + random.uniform() / 2), () => ask(queue));
  };

  const leave = (queue: Queue, held: Held): void => {
    queue.polls.delete(held);
    if (queue.polls.size > 0) return;
    queue.cancelLook();
    const key = JSON.stringify([queue.environment, queue.connectionId, queue.manifest]);
    if (queues.get(key) === queue) queues.delete(key);
  };

  const newToken = (): string => Buffer.from(random.bytes(24)).toString("base64url");

  const lease = (queue: Queue, limit: number): Promise<readonly LeasedInvocation[]> =>
    storage.invocations.lease({
      scope: { workspace, environment: queue.environment },
      connectionId: queue.connectionId,
      functions: queue.functions,
      limit,
      leaseMs: invocationLeaseMs,
      leaseToken: newToken(),
    });

  const leaseFor = async (queue: Queue, held: Held): Promise<readonly LeasedInvocation[]> => {
    held.asking = true;
    try {
      return await lease(queue, held.max);
    } finally {
      held.asking = false;
    }
  };

  /** A poll may have gone while storage was asked: then another one has what is there. */
  const give = (queue: Queue, first: Held | undefined, calls: readonly Invocation[]): void => {
    const { connectionId, environment, polls } = queue;
    const isHeld = first !== undefined && polls.has(first);
    const taker = isHeld ? first : [...polls].find((held) => isFree(held) && held.max >= calls.length);
    if (taker === undefined) {
      const fields = { connectionId, environment, calls: calls.length };
      log.info("A client left while calls were on their way to it; they wait for the end of their lease.", fields);
      return;
    }
    taker.answer(calls);
  };

  const askAll = async (queue: Queue): Promise<void> => {
    try {
      do {
        queue.again = false;
        for (;;) {
          const first = [...queue.polls].find(isFree);
          if (first === undefined) return;
          const leased = await leaseFor(queue, first);
          if (leased.length > 0) give(queue, first, leased.map(handedOut));
          if (leased.length < first.max) break;
        }
      } while (queue.again);
    } catch (error) {
      const { connectionId, environment } = queue;
      log.warn("Calls could not be handed out; trying again.", { connectionId, environment, error: errorText(error) });
    }
  };

  const ask = (queue: Queue): void => {
    if (queue.asking) {
      queue.again = true;
      return;
    }
    queue.asking = true;
    const asked = askAll(queue).finally(() => {
      queue.asking = false;
      underWay.delete(asked);
      if (queue.polls.size > 0) lookLater(queue);
    });
    underWay.add(asked);
  };

  const recheckAll = async (): Promise<void> => {
    for (const queue of [...queues.values()]) {
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

  const handOut: HandOut = {
    wait: (poll) => {
      const { client, max, signal } = poll;
      if (stopped) return Promise.reject(new ProcedoError("shutting_down", "The service stops. Poll again."));
      if (heldOf(client.connectionId) >= maxHeld) {
        const message = `${maxHeld} polls of this connection are being held. Poll again later, or start fewer clients.`;
        return Promise.reject(new ProcedoError("overloaded", message, { retryAfterMs }));
      }
      if (signal?.aborted === true) return Promise.resolve([]);
      const queue = queueOf(poll);
      return new Promise((resolve, reject) => {
        const over = (): void => {
          leave(queue, held);
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
        const held: Held = {
          client,
          max: Math.min(max, maxAtOnce),
          asking: false,
          reservation: undefined,
          answer: (invocations) => {
            over();
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
        queue.polls.add(held);
        ask(queue);
      });
    },
    offer: (environment, invocation) => {
      if (stopped) return undefined;
      const { connectionId, functionName } = invocation;
      for (const queue of queues.values()) {
        if (queue.connectionId !== connectionId || queue.environment !== environment) continue;
        if (!queue.functions.includes(functionName)) continue;
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
    },
    wake: (connectionId) => {
      for (const queue of queues.values()) {
        if (connectionId === undefined || queue.connectionId === connectionId) ask(queue);
      }
    },
    recheck: () => {
      if (rechecking) {
        recheckAgain = true;
        return;
      }
      if (queues.size === 0) return;
      rechecking = true;
      const rechecked = recheckAll().finally(() => {
        rechecking = false;
        underWay.delete(rechecked);
        if (recheckAgain) {
          recheckAgain = false;
          handOut.recheck();
        }
      });
      underWay.add(rechecked);
    },
    stop: async () => {
      stopped = true;
      for (const queue of [...queues.values()]) for (const held of [...queue.polls]) held.end();
      await Promise.all(underWay);
    },
  };
  return handOut;
}
