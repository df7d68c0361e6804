import type { NewInvocation } from "@procedo/storage";
import type { Clock } from "../ports/clock.ts";
import type { Random } from "../ports/random.ts";
import type { WaitingPoll } from "./hand-out.ts";
import type { OfferedPoll } from "./offers.ts";
import type { PrivateClient } from "./private-connections.ts";

/** The polls that wait for the same functions of the same connection. */
export interface PollQueue {
  readonly environment: PrivateClient["environment"];
  readonly connectionId: string;
  readonly manifest: string;
  readonly functions: readonly string[];
  readonly polls: Set<HeldPoll>;
  /** Storage is being asked. */
  asking: boolean;
  /** … and has to be asked again. */
  again: boolean;
  /** Until this monotonic time storage is not asked: it had nothing, and nobody has told of anything since. */
  emptyUntilMs: number;
  /** Monotonic time at which a poll was last answered with calls. */
  answeredAtMs: number;
  /** How long after that the next one came, the last time. */
  comebackMs: number;
  /** Told when a poll comes. */
  readonly expecting: Set<() => void>;
}

export interface HeldPoll extends OfferedPoll {
  readonly client: PrivateClient;
  /** Storage is being asked for this one. */
  asking: boolean;
  /** At most one of the two, `answer` and this, once. */
  readonly fail: (error: unknown) => void;
  /** Answers with what there is, or what is about to come. */
  readonly end: () => void;
}

/** Queues by manifest, each for as long as somebody polls or is expected, and until the next look. */
export interface PollQueues {
  /** The queue in which this poll waits. */
  of(poll: Pick<WaitingPoll, "client" | "manifest" | "functions">): PollQueue;
  all(): Iterable<PollQueue>;
  /** The queues of clients that have the function of this call. */
  serving(
    environment: PrivateClient["environment"],
    call: Pick<NewInvocation, "connectionId" | "functionName">,
  ): readonly PollQueue[];
  /** How many polls of a connection are being held for clients of one environment. */
  held(client: Pick<PrivateClient, "connectionId" | "environment">): number;
  /** Storage had nothing (more) when it was asked at this monotonic time. */
  foundEmpty(queue: PollQueue, askedAtMs: number): void;
  /** Has the queue looked at a little later: a lease that ran out announces nothing. */
  lookLater(queue: PollQueue): void;
  /** Nothing is looked at any more. */
  close(): void;
}

/** What nobody tells of is found this much later, or half as much again. */
const lookMs = 1_000;

interface Looked extends PollQueue {
  cancelLook: () => void;
}

export function createPollQueues(
  { clock, random }: { readonly clock: Pick<Clock, "after">; readonly random: Pick<Random, "uniform"> },
  look: (queue: PollQueue) => void,
): PollQueues {
  const queues = new Map<string, Looked>();
  let closed = false;

  const keyOf = (environment: string, connectionId: string, manifest: string): string =>
    `${environment} ${connectionId} ${manifest}`;

  const newQueue = (key: string, { client, manifest, functions }: Parameters<PollQueues["of"]>[0]): Looked => {
    const { environment, connectionId } = client;
    const queue: Looked = {
      environment,
      connectionId,
      manifest,
      functions,
      polls: new Set(),
      asking: false,
      again: false,
      emptyUntilMs: 0,
      answeredAtMs: -Infinity,
      comebackMs: Infinity,
      expecting: new Set(),
      cancelLook: () => {},
    };
    queues.set(key, queue);
    return queue;
  };

  return {
    of: (poll) => {
      const { environment, connectionId } = poll.client;
      const key = keyOf(environment, connectionId, poll.manifest);
      return queues.get(key) ?? newQueue(key, poll);
    },
    all: () => queues.values(),
    serving: (environment, { connectionId, functionName }) =>
      [...queues.values()].filter(
        (queue) =>
          queue.connectionId === connectionId &&
          queue.environment === environment &&
          queue.functions.includes(functionName),
      ),
    held: ({ connectionId, environment }) => {
      let held = 0;
      for (const queue of queues.values()) {
        if (queue.connectionId === connectionId && queue.environment === environment) held += queue.polls.size;
      }
      return held;
    },
    foundEmpty: (queue, askedAtMs) => {
      queue.emptyUntilMs = askedAtMs + lookMs;
    },
    lookLater: ({ environment, connectionId, manifest }) => {
      const key = keyOf(environment, connectionId, manifest);
      const known = queues.get(key);
      if (known === undefined || closed) return;
      known.cancelLook();
      // Of many nodes each looks at times of its own.
      known.cancelLook = clock.after(lookMs * (1 + random.uniform() / 2), () => {
        if (known.polls.size > 0 || known.expecting.size > 0) look(known);
        else queues.delete(key);
      });
    },
    close: () => {
      closed = true;
      for (const queue of queues.values()) queue.cancelLook();
    },
  };
}
