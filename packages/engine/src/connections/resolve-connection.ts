import { environments, ProcedoError, type Environment } from "@procedo/contract";
import type { RecordRow, Storage } from "@procedo/storage";
import type { Action, DocumentedIntegration, Integration } from "../integrations/integration.ts";
import type { Clock } from "../ports/clock.ts";
import type { RegisteredFunctions } from "./private/registered-functions.ts";
import { createRedactor, nothingToRedact } from "../secrets/redact.ts";
import type { SecretBox } from "../secrets/secret-box.ts";
import type { Outside } from "../egress/outside.ts";
import type { Grants } from "../grants/grants.ts";
import type { ConnectionHealth } from "./connection-health.ts";
import {
  connectionBody,
  connectionKind,
  nameKey,
  unconfirmed,
  type ConnectionBody,
  type ConnectionPlace,
  type StaleConnection,
} from "./connection-record.ts";
import { connectionSecrets } from "./connection-secrets.ts";
import type { DocumentedActions } from "./documented-actions.ts";
import type { KeptVersion } from "./kept-versions.ts";
import type { KnownConnection, ResolveConnection, ResolvedConnection } from "./resolved-connection.ts";

export interface ResolvePorts {
  readonly storage: Pick<Storage, "records">;
  readonly workspace: string;
  readonly integrations: ReadonlyMap<string, Integration>;
  readonly secretBox: SecretBox;
  readonly documented: DocumentedActions;
  readonly health: ConnectionHealth;
  readonly clock: Pick<Clock, "monotonic">;
  readonly registered: RegisteredFunctions;
  readonly grants: Pick<Grants, "authorizationOf">;
}

/** Lifetime of a private connection's cached functions, since clients come and go without a change notice. */
const registeredForMs = 2_000;
/** Maximum time for which expired functions are still used while they are read again. */
const staleForMs = 20_000;

/** Finds connections by name and caches them until they may have changed. */
export function createConnectionResolver(ports: ResolvePorts): {
  readonly resolve: ResolveConnection;
  readonly known: KnownConnection;
  /** Discards a connection that may have changed, or all when it is left out. */
  readonly forget: (stale?: StaleConnection) => void;
} {
  const { storage, workspace, integrations } = ports;
  const resolved = { sandbox: noneResolved(), live: noneResolved() };
  let reading = new Map<string, Promise<ResolvedConnection | undefined>>();

  const open = async (
    row: RecordRow,
    environment: Environment,
    outside: Outside | undefined,
  ): Promise<ResolvedConnection> => {
    const body = connectionBody(row);
    const place = { environment, connectionId: row.id };
    if (body.tokens !== undefined) {
      const goodUntilMs = ports.clock.monotonic() + registeredForMs;
      const actions = await ports.registered.of(place);
      const ofClients = { settings: {}, secrets: {}, redactor: nothingToRedact, actions, goodUntilMs };
      return { name: body.name, connectionId: row.id, ...ofClients };
    }
    const integration = integrations.get(body.integration) ?? unknownIntegration(body);
    const secrets = connectionSecrets(ports.secretBox, workspace, environment, row.id).open(body.secrets);
    const client = integration.oauth?.({ environment, settings: body.settings, secrets });
    const texts = Object.values(secrets);
    const authorization = client === undefined ? undefined : ports.grants.authorizationOf(place, client, texts);
    const common = {
      name: body.name,
      connectionId: row.id,
      // All calls in this process share these objects.
      settings: frozen(body.settings),
      secrets: Object.freeze(secrets),
      redactor: authorization?.redactor ?? createRedactor(texts),
      ...(authorization !== undefined && { authorization }),
      ...(body.accountSinceMs !== undefined && { accountSinceMs: body.accountSinceMs }),
    };
    if (integration.kind === "coded") {
      const { actions, limits, account } = integration;
      return {
        ...common,
        actions,
        ...(limits !== undefined && { limits }),
        // Calls of an integration that names no account may go nowhere.
        ...(account !== undefined && { health: ports.health.reportOf(place, body.health) }),
      };
    }
    return {
      ...common,
      actions: await ports.documented.of(integration, place, versionOf(body), outside),
      formerNames: new Map(body.formerNames),
      ...(body.unconfirmedBaseUrl !== undefined && { withheld: unconfirmed(body.unconfirmedBaseUrl) }),
      actionAt: (name, revision) => earlierAction(ports.documented, integration, place, body, { name, revision }),
      health: ports.health.reportOf(place, body.health),
    };
  };

  /** An integration that takes neither settings nor secrets is its own connection, in both environments. */
  const implied = (name: string): ResolvedConnection | undefined => {
    const integration = integrations.get(name);
    if (integration?.kind !== "coded" || integration.needsConnection) return undefined;
    const { actions } = integration;
    return { name, connectionId: name, settings: {}, secrets: {}, redactor: nothingToRedact, actions };
  };

  const read = async (
    environment: Environment,
    name: string,
    outside?: Outside,
  ): Promise<ResolvedConnection | undefined> => {
    const cache = resolved[environment];
    const uniqueKey = nameKey(workspace, environment, name);
    const row = await storage.records.find({ kind: connectionKind, uniqueKey });
    const connection = row === undefined ? implied(name) : await open(row, environment, outside);
    if (connection !== undefined) cache.set(name, connection);
    return connection;
  };

  /** Concurrent callers share one read. */
  const readAgain = (environment: Environment, name: string): Promise<ResolvedConnection | undefined> => {
    const key = nameKey(workspace, environment, name);
    const under = reading;
    const known = under.get(key);
    if (known !== undefined) return known;
    const coming = read(environment, name).finally(() => under.delete(key));
    // Callers that await the read get its error; a refresh in the background is not awaited.
    coming.catch(() => {});
    under.set(key, coming);
    return coming;
  };

  /** An expired connection is read again; meanwhile the old one is used, up to {@link staleForMs}. */
  const known: KnownConnection = (environment, name) => {
    const kept = resolved[environment].get(name);
    if (kept?.goodUntilMs === undefined) return kept;
    const overMs = ports.clock.monotonic() - kept.goodUntilMs;
    if (overMs >= 0) void readAgain(environment, name);
    return overMs < staleForMs ? kept : undefined;
  };

  return {
    known,
    resolve: async (environment, name, outside) => {
      const isKept = resolved[environment].has(name);
      return (
        known(environment, name) ?? (await (isKept ? readAgain(environment, name) : read(environment, name, outside)))
      );
    },
    forget: (stale) => {
      for (const environment of environments) {
        if ((stale?.environment ?? environment) !== environment) continue;
        // A read that is in progress writes its entry into the old map, so a stale entry is never used.
        const before = resolved[environment];
        resolved[environment] = noneResolved();
        if (stale === undefined) continue;
        for (const [name, connection] of before) {
          const { connectionId } = connection;
          // A new connection may have the name of an integration that needs no connection.
          if (connectionId !== stale.connectionId && !isImplied(connection))
            resolved[environment].set(name, connection);
        }
      }
      reading = new Map();
    },
  };
}

/** Connections by name, in one map per environment: a composite key would have to be built for each call. */
function noneResolved(): Map<string, ResolvedConnection> {
  return new Map();
}

/** Whether an integration is its own connection. */
function isImplied({ connectionId, name }: ResolvedConnection): boolean {
  return connectionId === name;
}

/** The current version of a documented connection. */
export function versionOf({ document = "", settings, baseUrl }: ConnectionBody): KeptVersion {
  return { document, settings, ...(baseUrl !== undefined && { baseUrl }) };
}

/** Searches the earlier versions of the connection that have its current base URL, newest first. */
async function earlierAction(
  documented: DocumentedActions,
  integration: DocumentedIntegration,
  place: ConnectionPlace,
  { versions = [], formerNames = [], baseUrl }: ConnectionBody,
  { name, revision }: { readonly name: string; readonly revision: string },
): Promise<Action | undefined> {
  const today = formerNames.find(([former]) => former === name)?.[1] ?? name;
  const names = [name, today, ...formerNames.flatMap(([former, its]) => (its === today ? [former] : []))];
  for (const version of versions) {
    if (version.baseUrl !== baseUrl) continue;
    const actions = await documented.of(integration, place, version);
    for (const one of names) {
      const action = actions.get(one);
      if (action?.revision === revision) return action;
    }
  }
  return undefined;
}

function unknownIntegration({ name, integration }: ConnectionBody): never {
  throw new ProcedoError(
    "invalid_configuration",
    `Connection "${name}" uses the integration "${integration}", which this engine was not given.`,
  );
}

function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const member of Object.values(value)) frozen(member);
  return Object.freeze(value);
}
