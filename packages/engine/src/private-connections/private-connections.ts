/*
 * Connections to clients in customers' networks, which poll for calls. The service never connects to a client.
 *
 *   clients.ts              clients by token: private-client.ts
 *   register-manifest.ts    registers the functions of a client
 *   presence.ts             records which clients poll
 *   dispatcher.ts           dispatches calls to polls: poll-queue.ts has the polls of one manifest, held-poll.ts one poll,
 *                           poll-reservations.ts the polls that wait for the commit of a call
 *   hold-leases.ts          acknowledgements and heartbeats
 *   result-notification.ts  the notification of a run about a result
 *   run-resumer.ts          the worker, as this module needs it
 *   expire-leases.ts        reports calls whose client went silent
 *   regenerate-token.ts     replaces a client's token
 *
 * Connections, tokens and manifests as records are in connections/private/.
 */
import {
  ProcedoError,
  type Environment,
  type Invocation,
  type InvocationResult,
  type ParsedManifest,
  type ResultSettlement,
} from "@procedo/contract";
import type { InvocationSettlement, NewResult, Scope, Storage } from "@procedo/storage";
import type { Principal } from "../access/principal.ts";
import type { ShownOnce } from "../audit/shown-once.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import {
  connectionBody,
  connectionKind,
  connectionNotFound,
  type ConnectionPlace,
  type StaleConnection,
} from "../connections/connection-record.ts";
import type { JsonLimits } from "../json/json-copy.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { Random } from "../ports/random.ts";
import type { Clients } from "./clients.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { holdLeases } from "./hold-leases.ts";
import { createLeaseExpiry } from "./expire-leases.ts";
import type { Manifests } from "../connections/private/manifests.ts";
import type { ClientSelf, PrivateClient } from "./private-client.ts";
import { notificationOf } from "./result-notification.ts";
import { createPresence } from "./presence.ts";
import { regenerateToken } from "./regenerate-token.ts";
import { registerManifest } from "./register-manifest.ts";
import type { RunResumer } from "./run-resumer.ts";
import type { RegisteredFunctions } from "../connections/private/registered-functions.ts";

/** The clients of a private connection in one environment, and the functions that they serve. */
export interface PrivateConnectionState {
  /** Whether a client has polled within the last 60 seconds. */
  readonly connected: boolean;
  /** `undefined` when no client has polled within the last day. */
  readonly lastPollAtMs: number | undefined;
  /** Sorted names of the functions that recent clients serve, or those of the last client. */
  readonly registeredFunctions: readonly string[];
  /** The clients that have polled within the last day, the last one first. */
  readonly clients: readonly PolledClient[];
}

/** A client of a private connection that has polled. */
export interface PolledClient {
  /** The client's description of itself; empty if it gives none. */
  readonly clientId: string;
  /** Version of the client's program, if it states one. */
  readonly version?: string;
  /** Time of the client's last poll, in milliseconds since the epoch. */
  readonly lastPollAtMs: number;
  /** Sorted names of the functions that it serves. */
  readonly functions: readonly string[];
}

/**
 * The service's side of the clients in customers' networks. `connections` creates, lists and removes a private connection,
 * without an environment. Its calls wait in storage and are dispatched here.
 */
export interface PrivateConnections {
  /** The client with this token; `undefined` for any other text. A token is invalid as soon as it is regenerated. */
  authenticate(token: string): Promise<PrivateClient | undefined>;
  /**
   * Creates a new token for one environment, which only this answer shows. The previous token is revoked, also for held
   * polls. Once an environment has a token, its calls find the connection by its name.
   *
   * @throws ProcedoError `connection_not_found`, also for another kind of connection; `permission_denied`,
   *   `environment_mismatch`, `revision_conflict`; `name_taken` for the first token where another connection has the name
   */
  regenerateToken(
    request: ConnectionPlace & { readonly by: Principal },
    answer?: ShownOnce,
  ): Promise<{ readonly environment: Environment; readonly token: string }>;
  /**
   * The clients of a private connection in one environment, and the functions that they serve.
   *
   * @throws ProcedoError `connection_not_found`, also for another kind of connection
   */
  status(request: ConnectionPlace): Promise<PrivateConnectionState>;
  /**
   * Registers the functions of a client. The newest 20 manifests of its environment are kept.
   *
   * @throws ProcedoError `unauthorized` when the token was revoked meanwhile; `invalid_input` with each function whose input
   *   schema cannot be used
   */
  register(client: PrivateClient, manifest: ParsedManifest): Promise<{ readonly digest: string }>;
  /**
   * Waits up to 25 s for calls of the manifest's functions, and leases up to `max` (at most 32) for 60 s. Returns no
   * call after that time and when the engine stops. After the signal aborts, this poll receives no call.
   *
   * @throws ProcedoError `unauthorized` as soon as the token is revoked; `manifest_required` for a manifest that is not
   *   stored; `overloaded` when 1000 polls of the connection are held in its environment; `shutting_down` once the
   *   engine has stopped
   */
  poll(
    client: PrivateClient,
    request: ClientSelf & {
      readonly max: number;
      readonly manifest: string | undefined;
      readonly signal?: AbortSignal;
    },
  ): Promise<readonly Invocation[]>;
  /**
   * Extends leases to 60 s from now and acknowledges their calls. Returns the ids of calls that the client must
   * abandon.
   */
  heartbeat(
    client: PrivateClient,
    leases: readonly { readonly invocationId: string; readonly leaseToken: string }[],
  ): Promise<readonly string[]>;
  /**
   * Stores a result, with which the run continues, even if a review of the unknown outcome is open. A repetition
   * changes nothing.
   *
   * @param result parsed without losing a digit (`parseKeepingExact`)
   * @throws ProcedoError `stale_lease` when the call was leased to another client, or no run waits for it
   */
  result(client: PrivateClient, result: InvocationResult): Promise<void>;
  /**
   * Stores several results, each as {@link PrivateConnections.result} does. Returns in the same order whether each was
   * accepted or finally rejected.
   *
   * @throws ProcedoError the first error of `result` other than `stale_lease`. Other results may have been stored; all
   *   of them can be sent again
   */
  results(client: PrivateClient, results: readonly InvocationResult[]): Promise<readonly ResultSettlement[]>;
}

export interface PrivateConnectionPorts {
  readonly storage: Pick<Storage, "invocations" | "records">;
  readonly workspace: string;
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Limits of a step's output. */
  readonly limits: JsonLimits;
  readonly resumer: RunResumer;
  readonly clients: Clients;
  readonly dispatcher: Dispatcher;
  readonly manifests: Manifests;
  readonly registered: RegisteredFunctions;
}

export function createPrivateConnections(ports: PrivateConnectionPorts): {
  readonly privateConnections: PrivateConnections;
  /** Discards the cached clients of a connection that may have changed, or all, and checks those with held polls. */
  readonly forget: (stale?: StaleConnection) => void;
  /** Starts the search for calls whose client went silent. */
  readonly start: () => void;
  /** Ends the held polls with no call. */
  readonly stop: () => Promise<void>;
} {
  const { storage, workspace, clock, random, log, limits, manifests, registered, resumer, clients, dispatcher } = ports;
  const presence = createPresence({ storage, workspace, clock, log });
  const sweep = createLeaseExpiry({ storage, workspace, clock, random, log });
  const scopeOf = ({ environment }: ConnectionPlace): Scope => ({ workspace, environment });

  const find = async ({ environment, connectionId }: ConnectionPlace) => {
    const row = await storage.records.get({ workspace, kind: connectionKind, id: connectionId });
    const body = row && connectionBody(row);
    if (row === undefined || body?.tokens === undefined) throw connectionNotFound(environment, connectionId);
    return { revision: row.revision, body, tokens: body.tokens };
  };

  const settle = async (result: NewResult): Promise<InvocationSettlement> => {
    const claimFor = resumer.claimFor(result.scope.environment);
    if (claimFor === undefined) return await storage.invocations.settle(result);
    const claiming = { ...result, claimFor };
    return (await resumer.resumeWith(claiming)) ?? (await storage.invocations.settle(claiming));
  };

  /** @throws ProcedoError `stale_lease`, `unauthorized` */
  const take = async (client: PrivateClient, given: InvocationResult): Promise<void> => {
    const { invocationId, leaseToken } = given;
    const { connectionId } = client;
    const body = JSON.stringify(notificationOf(given, limits));
    const result = { scope: scopeOf(client), connectionId, invocationId, leaseToken, body };
    const settled = await settle(result);
    if (settled.status === "repeated") return;
    if (settled.status === "accepted") {
      if (settled.claimed !== undefined) resumer.adopt(settled.claimed);
      return;
    }
    const message =
      settled.status === "stale"
        ? `Invocation "${invocationId}" was leased to another client. This result was not used.`
        : `No run is waiting for invocation "${invocationId}". This result was not used.`;
    throw new ProcedoError("stale_lease", message);
  };

  const privateConnections: PrivateConnections = {
    authenticate: (token) => clients.authenticate(token),

    regenerateToken: (request, answer = {}) => regenerateToken({ ...ports, find, forget }, request, answer),

    status: async (place) => {
      await find(place);
      const here = await registered.clients(place);
      const [last] = here;
      const polled: PolledClient[] = [];
      for (const { clientId, version, lastSeenMs, manifest } of here) {
        const functions = [...((await manifests.read(place, manifest)) ?? new Map<string, never>()).keys()].sort();
        polled.push({ clientId, ...(version !== undefined && { version }), lastPollAtMs: lastSeenMs, functions });
      }
      return {
        connected: registered.isConnected(here),
        lastPollAtMs: last?.lastSeenMs,
        registeredFunctions: [...(await registered.of(place)).keys()],
        clients: polled,
      };
    },

    register: (client, manifest) => registerManifest({ storage, workspace, clock, log, manifests }, client, manifest),

    poll: async (client, { max, manifest = "", signal, ...self }) => {
      const functions = await clients.functionsOf(client, manifest);
      // The token may have been revoked during the read. That revocation checked only the polls that were held then.
      await clients.check(client);
      void presence.record(client, { ...self, manifest });
      return await dispatcher.hold({ client, manifest, functions, max, signal });
    },

    heartbeat: async (client, leases) => {
      await clients.check(client);
      return await holdLeases({ storage, workspace }, client, leases);
    },

    result: async (client, given) => {
      await clients.check(client);
      await take(client, given);
    },

    results: async (client, given) => {
      await clients.check(client);
      // Results that are still being stored when another fails must not outlive this answer.
      const taken = await Promise.allSettled(given.map((one) => take(client, one)));
      return given.map(({ invocationId }, index) => settlementOf(invocationId, taken[index]));
    },
  };

  const forget = (stale?: StaleConnection): void => {
    clients.forget(stale);
    dispatcher.recheck(stale);
  };
  return {
    privateConnections,
    forget,
    start: () => sweep.start(),
    stop: async () => {
      await Promise.all([sweep.stop(), dispatcher.stop()]);
    },
  };
}

/** @throws the error of storing the result, unless it is a final rejection of this result */
function settlementOf(invocationId: string, taken: PromiseSettledResult<void> | undefined): ResultSettlement {
  if (taken?.status === "fulfilled") return { invocationId, success: true };
  const error: unknown = taken?.reason;
  if (!ProcedoError.isError(error) || error.code !== "stale_lease") throw error;
  return { invocationId, success: false, error: error.message, code: error.code };
}
