/*
 * Authenticated links to outside services, each of one environment.
 *
 *   connection-record.ts     a connection in storage and as it is shown; connection-secrets.ts: its encrypted secrets
 *   create-connection.ts     a new one; new-connection.ts: the request
 *   accept-connection.ts     the checks before a connection is saved; mutex.ts: documents are read one at a time
 *   change-connection.ts     an update; kept-versions.ts: the versions that frozen calls still need; wake-runs.ts: runs
 *                            that wait for the connection go on
 *   connection-documents.ts  the texts of documents
 *   documented-actions.ts    the actions of a document, read once; list-actions.ts: a page of them (listed-action.ts)
 *   action-catalogue.ts      the actions of all connections, without their schemas
 *   describe-integrations.ts the integrations for which connections can be created
 *   action-metadata.ts       an action's metadata, without its call
 *   resolve-connection.ts    finds the connection of a call; resolved-connection.ts: its shape
 *   preview-connection.ts    a document before it is saved; preview-change.ts: the consequences of a change before it is
 *                            made; test-connection.ts: whether a connection works
 *   oauth-client-of.ts       the OAuth client of a connection; connection-oauth.ts: its authorization as callers see it
 *   show-connections.ts      connections as callers see them; inbound-traffic.ts: the requests to their inbound addresses
 *   list-connections.ts      the connections of an environment; connection-names.ts: their names, for publishing
 *   connection-health.ts     the latest success or failure, stored when it changes; connection-errors.ts: what it lacks
 *   remove-connection.ts     removal; connection-in-use.ts: the checks before it; connection-uses.ts: its port
 *   private/                 private connections as records: new-private-connection.ts, client-token.ts, manifests.ts (of
 *                            clients; known-manifest.ts: one of a list), registered-functions.ts, function-action.ts
 */
import { privateConnectionIntegration, ProcedoError, type Environment, type JsonObject } from "@procedo/contract";
import type { Page, PageRequest, RecordRow, Storage } from "@procedo/storage";
import { authorize, refuseRevoked, type Principal } from "../access/principal.ts";
import type { ShownOnce } from "../audit/shown-once.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import type { Action, Integration, TestAnswer } from "../integrations/integration.ts";
import type { Egress } from "../egress/egress.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { Log } from "../ports/log.ts";
import type { Random } from "../ports/random.ts";
import type { Manifests } from "./private/manifests.ts";
import { newPrivateConnection } from "./private/new-private-connection.ts";
import type { RegisteredFunctions } from "./private/registered-functions.ts";
import type { Grants } from "../grants/grants.ts";
import type { ConnectionUse, ConnectionUses } from "./connection-uses.ts";
import type { SecretBox } from "../secrets/secret-box.ts";
import type { Outside, OutsideOptions } from "../egress/outside.ts";
import type { AcceptPorts } from "./accept-connection.ts";
import { createConnectionHealth } from "./connection-health.ts";
import { changeConnection, type ChangedConnection, type ConnectionUpdate } from "./change-connection.ts";
import { createConnectionDocuments } from "./connection-documents.ts";
import { createConnection } from "./create-connection.ts";
import {
  connectionBody,
  connectionKind,
  connectionNotFound,
  environmentsOf,
  isIn,
  unconfirmed,
  type Connection,
  type ConnectionBody,
  type ConnectionPlace,
  type SavedConnection,
  type StaleConnection,
} from "./connection-record.ts";
import { connectionSecrets } from "./connection-secrets.ts";
import { createDocumentedActions } from "./documented-actions.ts";
import { listCatalogue, type CatalogueAction, type CatalogueQuery } from "./action-catalogue.ts";
import { describeIntegrations, type DescribedIntegration } from "./describe-integrations.ts";
import { pageOfActions } from "./list-actions.ts";
import { actionByName, formerNamesOf, listedAction, type ListedAction } from "./listed-action.ts";
import { listConnections } from "./list-connections.ts";
import { removeConnection } from "./remove-connection.ts";
import { previewChange, type ChangePreview } from "./preview-change.ts";
import { previewConnection, type ConnectionPreview } from "./preview-connection.ts";
import { createConnectionResolver, versionOf } from "./resolve-connection.ts";
import type { KnownConnection, ResolveConnection } from "./resolved-connection.ts";
import { testConnection } from "./test-connection.ts";
import { wakeRunsWaitingFor, type WakePorts } from "./wake-runs.ts";
import { createInboundTraffic, type InboundTraffic } from "./inbound-traffic.ts";
import { createShowConnections } from "./show-connections.ts";
import { noEnvironment, noToken } from "./connection-errors.ts";
import { createMutexes } from "./mutex.ts";
import type { NewConnection } from "./new-connection.ts";

/** Authenticated links to outside services. Each belongs to one environment; private connections belong to both. */
export interface Connections {
  /**
   * A private connection (integration `private_connection`) is created with its name only. The answer contains its
   * tokens, one for each environment in which `by` may manage. Its name is reserved where it has a token.
   *
   * @throws ProcedoError `invalid_input` for an unknown integration or invalid settings or secrets, `invalid_document`
   *   with every problem of its document, `destination_not_allowed`, `name_taken`; `overloaded` when many documents wait
   */
  create(connection: NewConnection, options?: OutsideOptions & ShownOnce): Promise<SavedConnection>;
  /** A connection without its secrets. @throws ProcedoError `connection_not_found` */
  get(request: ConnectionPlace): Promise<Connection>;
  /** The connections of the environment and the private ones, ordered by id. @throws ProcedoError `invalid_cursor` */
  list(request: { readonly environment: Environment } & PageRequest): Promise<Page<Connection>>;
  /**
   * Replaces the fields that are given. A new document may replace actions; those that calls were frozen with are kept.
   * If the document names another server, calls are withheld until an update confirms the address in
   * `settings.baseUrl`.
   *
   * @throws ProcedoError `connection_not_found`, those of {@link Connections.create}; `environment_mismatch` for a new name of
   *   a private connection that has a token out of the principal's reach; `connection_in_use` for a new name while published
   *   versions call the old one, unless `force`; `revision_conflict`
   */
  update(changes: ConnectionUpdate, options?: OutsideOptions): Promise<ChangedConnection>;
  /**
   * Removes a connection with its secrets.
   *
   * @param request.force removes it even while published versions call it. @defaultValue false
   * @throws ProcedoError `connection_not_found`; `environment_mismatch` for a connection that is out of the principal's reach,
   *   or has a token that is; `connection_in_use` while published versions call it, unless `force`; `revision_conflict`
   */
  remove(request: ConnectionPlace & { readonly by: Principal; readonly force?: boolean }): Promise<void>;
  /**
   * Sends one harmless request, to check that the address answers and accepts the credentials. For a coded integration
   * it checks the settings and secrets instead, for a private connection that a client has polled recently.
   *
   * @throws ProcedoError `connection_not_found`
   */
  test(request: ConnectionPlace & { readonly by: Principal }, options?: OutsideOptions): Promise<TestAnswer>;
  /**
   * Reads a document without saving anything.
   *
   * @throws ProcedoError `invalid_input` for an integration without documents, or a document that cannot be fetched;
   *   `destination_not_allowed`, `overloaded`
   */
  preview(
    request: {
      readonly integration: string;
      readonly settings: JsonObject;
      readonly environment: Environment;
      readonly by: Principal;
    },
    options?: OutsideOptions,
  ): Promise<ConnectionPreview>;
  /**
   * The consequences of new settings and secrets, without saving anything. A document given by its URL is fetched, and
   * fetched again when the change is made.
   *
   * @throws ProcedoError as {@link Connections.update}
   */
  previewChange(changes: Omit<ConnectionUpdate, "name" | "force">, options?: OutsideOptions): Promise<ChangePreview>;
  /**
   * The actions that tool calls can use, in the order of the document.
   *
   * @throws ProcedoError `connection_not_found`, `invalid_cursor`
   */
  actions(
    request: ConnectionPlace & {
      /** Words that the name, path or description must contain. */
      readonly search?: string;
    } & PageRequest,
    options?: OutsideOptions,
  ): Promise<Page<ListedAction>>;
  /**
   * One action, by its name or a former name.
   *
   * @throws ProcedoError `connection_not_found`, `not_found`
   */
  action(request: ConnectionPlace & { readonly name: string }, options?: OutsideOptions): Promise<ListedAction>;
  /**
   * The actions of all connections of an environment, without their schemas. A page covers at most 10 connections, and
   * may be empty although more pages follow.
   *
   * @throws ProcedoError `invalid_cursor`
   */
  catalogue(request: CatalogueQuery & PageRequest, options?: OutsideOptions): Promise<Page<CatalogueAction>>;
  /** The integrations for which connections can be created, by name, and the fields of their connections. */
  integrations(): readonly DescribedIntegration[];
  /** The text of its document; `undefined` when it has none. @throws ProcedoError `connection_not_found` */
  document(request: ConnectionPlace): Promise<string | undefined>;
  /** The default versions and drafts that call the connection. @throws ProcedoError `connection_not_found` */
  usedBy(request: ConnectionPlace): Promise<readonly ConnectionUse[]>;
  /** The number of procedures whose default version or draft calls a connection, by the connection's name. */
  useCounts(request: { readonly environment: Environment }): Promise<ReadonlyMap<string, number>>;
}

export interface ConnectionPorts {
  readonly storage: Pick<Storage, "records"> & WakePorts["storage"];
  readonly workspace: string;
  readonly integrations: ReadonlyMap<string, Integration>;
  readonly secretBox: SecretBox;
  readonly egress: Pick<Egress, "fetch" | "connect" | "check">;
  readonly audit: AuditLog;
  readonly uses: ConnectionUses;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly manifests: Manifests;
  readonly registered: RegisteredFunctions;
  readonly grants: Grants;
}

export function createConnections(ports: ConnectionPorts): {
  readonly connections: Connections;
  readonly resolve: ResolveConnection;
  readonly known: KnownConnection;
  /** Discards cached data of a connection that may have changed, or of all connections when it is left out. */
  readonly forget: (stale?: StaleConnection) => void;
  readonly traffic: InboundTraffic;
} {
  const { storage, workspace, integrations, secretBox, clock, uses, registered } = ports;
  const mutexes = createMutexes(clock);
  const pause = (): Promise<void> => new Promise((resolve) => clock.soon(resolve));
  const documents = createConnectionDocuments({ storage, workspace, pause });
  const documented = createDocumentedActions({ documents, mutexes });
  const health = createConnectionHealth({ storage, workspace, clock, log: ports.log });
  const accepting = (environment: Environment): Omit<AcceptPorts, "outside"> => ({
    egress: ports.egress,
    mutex: mutexes[environment],
  });
  const { resolve, known, forget } = createConnectionResolver({
    storage,
    workspace,
    integrations,
    secretBox,
    documented,
    health,
    clock,
    registered,
    grants: ports.grants,
  });

  const find = async ({ environment, connectionId }: ConnectionPlace): Promise<RecordRow> => {
    const row = await storage.records.get({ workspace, kind: connectionKind, id: connectionId });
    if (row === undefined || !isIn(environment, row)) throw connectionNotFound(environment, connectionId);
    return row;
  };
  const traffic = createInboundTraffic({ records: storage.records, workspace, kind: connectionKind, clock });
  const showAll = createShowConnections({ ...ports, traffic });
  const show = async ({ environment, connectionId }: ConnectionPlace, body: ConnectionBody): Promise<Connection> => {
    const [shown] = await showAll(environment, [{ connectionId, body }]);
    return shown ?? Promise.reject(connectionNotFound(environment, connectionId));
  };
  const integrationOf = (name: string): Integration => {
    const integration = integrations.get(name);
    if (integration !== undefined) return integration;
    const message = `There is no integration "${name}". Known: ${[...integrations.keys()].join(", ")}.`;
    throw new ProcedoError("invalid_input", message, {
      details: [{ path: "/integration", message: "is not one of this service's integrations" }],
    });
  };

  const actionsOf = async (
    place: ConnectionPlace,
    body: ConnectionBody,
    outside: Outside | undefined,
  ): Promise<ReadonlyMap<string, Action>> => {
    if (body.tokens !== undefined) return await registered.of(place);
    const integration = integrationOf(body.integration);
    if (integration.kind === "coded") return integration.actions;
    return await documented.of(integration, place, versionOf(body), outside);
  };

  const saving = { ...ports, documents, documented, find, integrationOf, show };
  const connections: Connections = {
    create: async (connection, { outside, isAwaited } = {}) => {
      if (connection.integration === privateConnectionIntegration) {
        const created = await newPrivateConnection(ports, connection, { isAwaited });
        forget({ environment: undefined, connectionId: created.connectionId });
        return created;
      }
      const { environment } = connection;
      if (environment === undefined) throw noEnvironment();
      const creating = { ...saving, accepting: { ...accepting(environment), outside } };
      const created = await createConnection(creating, { ...connection, environment });
      forget({ environment, connectionId: created.connectionId });
      return created;
    },

    get: async (place) => await show(place, connectionBody(await find(place))),

    list: (request) => listConnections({ storage, workspace, show: showAll, pause }, request),

    update: async (changes, { outside } = {}) => {
      const changed = await changeConnection(
        { ...saving, accepting: { ...accepting(changes.environment), outside } },
        changes,
      );
      forget({ environment: changed.environment, connectionId: changed.connectionId });
      // Its calls may need no authorization any more.
      await wakeRunsWaitingFor(ports, changes);
      return changed;
    },

    remove: async (request) => {
      await removeConnection({ ...ports, documents }, request);
      // A private connection was removed from both environments.
      forget({ environment: undefined, connectionId: request.connectionId });
      await wakeRunsWaitingFor(ports, request);
    },

    test: async ({ environment, connectionId, by }, { outside } = {}) => {
      authorize(by, "manage", environment);
      const place = { environment, connectionId };
      const body = connectionBody(await find(place));
      if (body.unconfirmedBaseUrl !== undefined) return { ok: false, error: unconfirmed(body.unconfirmedBaseUrl) };
      if (body.tokens !== undefined) {
        if (body.tokens[environment] === undefined) return { ok: false, error: noToken(environment) };
        if (registered.isConnected(await registered.clients(place))) return { ok: true };
        return { ok: false, error: `No client of ${environment} has polled within the last minute. Start one.` };
      }
      const integration = integrationOf(body.integration);
      refuseRevoked(by);
      const testing = { ...accepting(environment), grants: ports.grants, outside, clock };
      const answer = await testConnection(testing, integration, {
        place,
        settings: body.settings,
        secrets: connectionSecrets(secretBox, workspace, environment, connectionId).open(body.secrets),
        document: () => documents.read(place, versionOf(body).document),
      });
      const isAsked = integration.kind === "documented" || integration.account !== undefined;
      if (isAsked) await health.record(place, answer.ok ? undefined : answer.error);
      return answer;
    },

    preview: async ({ integration, settings, environment, by }, { outside } = {}) => {
      authorize(by, "manage", environment);
      const previewing = { ...accepting(environment), outside, pause };
      return await previewConnection(previewing, integrationOf(integration), settings);
    },

    previewChange: async (changes, { outside } = {}) =>
      await previewChange({ ...saving, accepting: { ...accepting(changes.environment), outside } }, changes),

    actions: async ({ environment, connectionId, ...page }, { outside } = {}) => {
      const place = { environment, connectionId };
      const body = connectionBody(await find(place));
      const actions = await actionsOf(place, body, outside);
      const query = [workspace, environment, connectionId, body.document];
      const { items, nextCursor } = await pageOfActions(actions, query, page, pause);
      const formerNames = formerNamesOf(body.formerNames);
      return { items: items.map((action) => listedAction(action, formerNames)), nextCursor };
    },

    action: async ({ environment, connectionId, name }, { outside } = {}) => {
      const place = { environment, connectionId };
      const body = connectionBody(await find(place));
      return actionByName(await actionsOf(place, body, outside), body, name);
    },

    catalogue: (query, { outside } = {}) =>
      listCatalogue(
        {
          storage,
          workspace,
          integrations,
          pause,
          // The calls of a connection whose integration is missing cannot be made.
          actionsOf: async (place, body) => {
            const isKnown = body.tokens !== undefined || integrations.has(body.integration);
            return isKnown ? await actionsOf(place, body, outside) : new Map();
          },
        },
        query,
      ),

    integrations: () => describeIntegrations(integrations),

    document: async (place) => {
      const { document } = connectionBody(await find(place));
      return document === undefined ? undefined : await documents.read(place, document);
    },

    usedBy: async (place) => {
      const row = await find(place);
      const body = connectionBody(row);
      // Without a token in the environment, calls there do not find this connection by its name.
      if (!environmentsOf(row.environment, body).includes(place.environment)) return [];
      return await uses.find(place.environment, body.name);
    },

    useCounts: async ({ environment }) => await uses.counts(environment),
  };

  return { connections, resolve, known, forget, traffic };
}
