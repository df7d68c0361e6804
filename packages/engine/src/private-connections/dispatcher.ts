import { ProcedoError, type Environment, type Invocation } from "@procedo/contract";
import type { NewInvocation } from "@procedo/storage";
import { isStale, type StaleConnection } from "../connections/connection-record.ts";
import {
  createPollQueue,
  type NewPoll,
  type PolledManifest,
  type PollQueue,
  type PollQueuePorts,
} from "./poll-queue.ts";
import type { Reservation } from "./poll-reservations.ts";
import type { PrivateClient } from "./private-client.ts";

/** Holds the polls of clients, and dispatches calls to them: from storage, or together with the commit of a call. */
export interface Dispatcher {
  /**
   * Holds a poll until it is answered.
   *
   * @throws ProcedoError `overloaded` when {@link maxHeldPolls} polls of the connection are held in its environment;
   *   `shutting_down`; the errors of the check
   */
  hold(poll: NewPoll & Pick<PolledManifest, "manifest" | "functions">): Promise<readonly Invocation[]>;
  /** Reserves a held poll for a call that is about to be committed; `undefined` when no held poll can accept it. */
  reserve(environment: Environment, invocation: NewInvocation): Reservation | undefined;
  /** Looks for new calls of this connection, or of all connections. */
  wake(connectionId?: string): void;
  /** Checks the clients with held polls, of one connection or all, and ends the polls of clients that are refused. */
  recheck(stale?: StaleConnection): void;
  /** Ends all polls. */
  stop(): Promise<void>;
}

export interface DispatcherPorts extends PollQueuePorts {
  /** Whether the client may still poll with this manifest. @throws ProcedoError `unauthorized`, `manifest_required` */
  readonly check: (client: PrivateClient, manifest: string) => Promise<unknown>;
}

/** Maximum number of held polls of one connection in one environment. */
const maxHeldPolls = 1_000;
const overloadedRetryMs = 5_000;

export function createDispatcher(ports: DispatcherPorts): Dispatcher {
  const queues = new Map<string, PollQueue>();
  const toRecheck = new Set<PollQueue>();
  let rechecking: Promise<void> | undefined;
  let isStopped = false;

  const queueOf = (of: PolledManifest): PollQueue => {
    const key = `${of.environment} ${of.connectionId} ${of.manifest}`;
    const known = queues.get(key);
    if (known !== undefined) return known;
    const queue = createPollQueue(ports, of, () => queues.delete(key));
    queues.set(key, queue);
    return queue;
  };

  const queuesOf = ({ environment, connectionId }: Pick<PolledManifest, "environment" | "connectionId">) =>
    [...queues.values()].filter((one) => one.connectionId === connectionId && one.environment === environment);

  const recheckAll = async (): Promise<void> => {
    // A queue that is added meanwhile is visited as well.
    for (const queue of toRecheck) {
      toRecheck.delete(queue);
      const verdicts = new Map<string, Promise<unknown>>();
      for (const poll of [...queue.polls]) {
        const { client } = poll;
        const verdict = verdicts.get(client.tokenDigest) ?? ports.check(client, queue.manifest);
        verdicts.set(client.tokenDigest, verdict);
        await verdict.catch((error: unknown) => {
          // A failure of storage says nothing about the token.
          if (ProcedoError.isError(error) && !error.retryable) poll.fail(error);
        });
      }
    }
    rechecking = undefined;
  };

  return {
    hold: async ({ manifest, functions, ...poll }) => {
      if (isStopped) throw new ProcedoError("shutting_down", "The service is stopping. Poll again.");
      const { environment, connectionId } = poll.client;
      const held = queuesOf(poll.client).reduce((sum, { polls }) => sum + polls.size, 0);
      if (held >= maxHeldPolls) {
        const message = `${maxHeldPolls} polls of this connection are held in ${environment}. Poll again later, or start fewer clients.`;
        throw new ProcedoError("overloaded", message, { retryAfterMs: overloadedRetryMs });
      }
      if (poll.signal?.aborted === true) return [];
      return await queueOf({ environment, connectionId, manifest, functions }).hold(poll);
    },
    reserve: (environment, invocation) => {
      if (isStopped) return undefined;
      const { connectionId, functionName } = invocation;
      for (const queue of queuesOf({ environment, connectionId })) {
        const reservation = queue.functions.includes(functionName) ? queue.reserve(invocation) : undefined;
        if (reservation !== undefined) return reservation;
      }
      return undefined;
    },
    wake: (connectionId) => {
      for (const queue of queues.values()) {
        if (connectionId === undefined || queue.connectionId === connectionId) queue.wake();
      }
    },
    recheck: (stale) => {
      for (const queue of queues.values()) {
        if (queue.polls.size > 0 && (stale === undefined || isStale(queue, stale))) toRecheck.add(queue);
      }
      if (rechecking === undefined && toRecheck.size > 0) rechecking = recheckAll();
    },
    stop: async () => {
      isStopped = true;
      await Promise.all([...[...queues.values()].map((queue) => queue.stop()), rechecking]);
    },
  };
}
