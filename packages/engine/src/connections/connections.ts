import { connectionNameSchema, ProcedoError, type Environment, type JsonObject } from "@procedo/contract";
import type { RecordRow, Storage } from "@procedo/storage";
import { actor, authorize, type Principal } from "../access/principal.ts";
import type { Integration } from "../integrations/integration.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import type { Ids } from "../ports/ids.ts";
import { createRedactor } from "../secrets/redact.ts";
import type { SecretBox } from "../secrets/secret-box.ts";
import type { ResolveConnection, ResolvedConnection } from "./resolved-connection.ts";

/** A connection as it is shown: everything but its secrets. */
export interface Connection {
  readonly connectionId: string;
  readonly name: string;
  readonly integration: string;
  readonly environment: Environment;
  readonly settings: JsonObject;
  /** Names of the secrets that it holds. */
  readonly secretNames: readonly string[];
}

export interface NewConnection {
  /** How procedures name it; unique in its environment. */
  readonly name: string;
  /** Name of the integration. */
  readonly integration: string;
  readonly environment: Environment;
  /** @defaultValue `{}` */
  readonly settings?: JsonObject;
  /** Stored encrypted, never shown again. @defaultValue `{}` */
  readonly secrets?: { readonly [name: string]: string };
  readonly by: Principal;
}

/** Authenticated links to outside services, each of one environment. */
export interface Connections {
  /**
   * @throws ProcedoError `invalid_input` for an unknown integration or settings that do not fit it, `name_taken`
   */
  create(connection: NewConnection): Promise<Connection>;
  list(request: { readonly environment: Environment }): Promise<readonly Connection[]>;
  /** @throws ProcedoError `connection_not_found` */
  remove(request: {
    readonly environment: Environment;
    readonly connectionId: string;
    readonly by: Principal;
  }): Promise<void>;
}

interface ConnectionBody {
  readonly name: string;
  readonly integration: string;
  readonly settings: JsonObject;
  /** Encrypted. */
  readonly secrets: { readonly [name: string]: string };
}

interface ConnectionPorts {
  readonly storage: Pick<Storage, "records">;
  readonly workspace: string;
  readonly integrations: ReadonlyMap<string, Integration>;
  readonly secretBox: SecretBox;
  readonly audit: AuditLog;
  readonly ids: Ids;
}

const kind = "connection";

/** Connections beyond this many in one environment are not listed. */
const maxListed = 1000;

export function createConnections(ports: ConnectionPorts): {
  readonly connections: Connections;
  readonly resolve: ResolveConnection;
  /** Forgets what was read: a connection may have changed. */
  readonly forget: () => void;
} {
  const { storage, workspace, integrations, secretBox } = ports;
  let resolved = new Map<string, ResolvedConnection>();

  const nameKey = (environment: Environment, name: string): string => JSON.stringify([workspace, environment, name]);

  const open = (row: RecordRow, environment: Environment): ResolvedConnection => {
    const body = JSON.parse(row.body) as ConnectionBody;
    const integration = integrations.get(body.integration);
    if (integration === undefined) {
      throw new ProcedoError(
        "invalid_configuration",
        `Connection "${body.name}" is of integration "${body.integration}", which this engine was not given.`,
      );
    }
    const secrets: Record<string, string> = {};
    for (const [field, sealed] of Object.entries(body.secrets)) {
      secrets[field] = secretBox.open(sealed, { workspaceId: workspace, environment, kind, id: row.id, field });
    }
    return {
      name: body.name,
      connectionId: row.id,
      integration,
      // Every call in this process sees the same objects.
      settings: frozen(body.settings),
      secrets: Object.freeze(secrets),
      redact: createRedactor(Object.values(secrets)),
    };
  };

  /** An integration that takes neither settings nor secrets is its own connection, in both environments. */
  const implied = (name: string): ResolvedConnection | undefined => {
    const integration = integrations.get(name);
    if (integration === undefined || integration.needsConnection) return undefined;
    return { name, connectionId: name, integration, settings: {}, secrets: {}, redact: (value) => value };
  };

  const read = async (environment: Environment, name: string): Promise<ResolvedConnection | undefined> => {
    const key = nameKey(environment, name);
    const cache = resolved;
    const row = await storage.records.find({ kind, uniqueKey: key });
    const connection = row === undefined ? implied(name) : open(row, environment);
    if (connection !== undefined) cache.set(key, connection);
    return connection;
  };

  const connections: Connections = {
    create: async ({ name, integration: integrationName, environment, settings = {}, secrets = {}, by }) => {
      authorize(by, "manage", environment);
      const named = connectionNameSchema.safeParse(name);
      if (!named.success) {
        throw new ProcedoError("invalid_input", "The connection's name needs 1 to 128 characters.");
      }
      const integration = integrations.get(integrationName);
      if (integration === undefined) {
        const known = [...integrations.keys()].join(", ");
        throw new ProcedoError("invalid_input", `There is no integration "${integrationName}". Known: ${known}.`);
      }
      const details = integration.checkConnection(settings, secrets);
      if (details.length > 0) {
        throw new ProcedoError("invalid_input", `The connection does not fit "${integrationName}".`, { details });
      }
      const connectionId = ports.ids("con");
      const sealed: Record<string, string> = {};
      for (const [field, secret] of Object.entries(secrets)) {
        sealed[field] = secretBox.seal(secret, { workspaceId: workspace, environment, kind, id: connectionId, field });
      }
      const body: ConnectionBody = { name, integration: integrationName, settings, secrets: sealed };
      const record = {
        workspace,
        environment,
        kind,
        id: connectionId,
        body: JSON.stringify(body),
        uniqueKeys: [nameKey(environment, name)],
        keys: [],
      };
      const fact = { ...actor(by), action: "connection.created", subject: `${environment}/${name}` };
      const result = await ports.audit.record(fact, (audit) => storage.records.put({ record, ifRevision: 0, audit }));
      if (result.status !== "stored") {
        throw new ProcedoError(
          "name_taken",
          `There is a connection "${name}" in ${environment} already. Choose another name.`,
        );
      }
      resolved = new Map();
      return shown(connectionId, environment, body);
    },
    list: async ({ environment }) => {
      const page = await storage.records.list({ workspace, environment, kind, limit: maxListed });
      return page.items.map((row) => shown(row.id, environment, JSON.parse(row.body) as ConnectionBody));
    },
    remove: async ({ environment, connectionId, by }) => {
      authorize(by, "manage", environment);
      const address = { workspace, kind, id: connectionId };
      const row = await storage.records.get(address);
      const fact = { ...actor(by), action: "connection.removed", subject: `${environment}/${connectionId}` };
      const result =
        row?.environment === environment
          ? await ports.audit.record(fact, (audit) => storage.records.remove({ ...address, audit }))
          : "not_found";
      if (result === "not_found") {
        throw new ProcedoError("connection_not_found", `There is no connection "${connectionId}" in ${environment}.`);
      }
      resolved = new Map();
    },
  };

  return {
    connections,
    resolve: (environment, name) => resolved.get(nameKey(environment, name)) ?? read(environment, name),
    forget: () => {
      resolved = new Map();
    },
  };
}

function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const member of Object.values(value)) frozen(member);
  return Object.freeze(value);
}

function shown(connectionId: string, environment: Environment, body: ConnectionBody): Connection {
  const { name, integration, settings, secrets } = body;
  return { connectionId, name, integration, environment, settings, secretNames: Object.keys(secrets) };
}
