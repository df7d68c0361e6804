import {
  connectionNameSchema,
  environments,
  ProcedoError,
  type DocumentProblem,
  type Environment,
  type JsonObject,
} from "@procedo/contract";
import type { NewRecord, RecordRow } from "@procedo/storage";
import { uniqueAddressOf } from "../integrations/inbound-address.ts";
import { needsAuthorization, type ConnectionOAuth } from "./connection-oauth.ts";
import type { KeptVersion } from "./kept-versions.ts";

export const connectionKind = "connection";

/** A connection as it is stored. */
export interface ConnectionBody {
  readonly name: string;
  readonly integration: string;
  readonly settings: JsonObject;
  /** Encrypted. */
  readonly secrets: { readonly [name: string]: string };
  /** The person who created it. */
  readonly createdBy: string;
  readonly createdAtMs: number;
  /** Left out until its name, settings or secrets are changed. */
  readonly updatedAtMs?: number;
  /** When its settings or secrets were changed last: since then it may belong to another account. Left out before. */
  readonly accountSinceMs?: number;
  /** Base URL of the calls of a documented connection. */
  readonly baseUrl?: string;
  /** A different base URL that a new document names. Calls are withheld until an update sets the base URL. */
  readonly unconfirmedBaseUrl?: string;
  /** Digest of the document, which is a separate record. */
  readonly document?: string;
  /** Earlier versions, which frozen calls may need; newest first. */
  readonly versions?: readonly KeptVersion[];
  /** Former names of actions, each with the current one. They are pairs because a name may be any text. */
  readonly formerNames?: readonly (readonly [former: string, today: string])[];
  readonly health?: StoredHealth;
  /** The address that its service sends events to; absent unless its integration has events. */
  readonly inboundAddress?: string;
  /**
   * SHA-256 of the tokens of a private connection. The connection is one record for both environments; calls in an
   * environment find it only when it has a token there.
   */
  readonly tokens?: EnvironmentTokens;
}

/** Tokens of a private connection, or their digests, by environment. An environment without a token is left out. */
export type EnvironmentTokens = { readonly [environment in Environment]?: string };

export interface StoredHealth {
  readonly ok: boolean;
  readonly atMs: number;
  readonly message?: string;
}

/** Health of a connection, from its last calls and tests. */
export interface ConnectionHealth {
  /**
   * Result of the last calls and tests. `unknown`: there was none yet. `unconfirmed`: the new document names another
   * server, and calls are withheld until an update sets the base URL. `needs_authorization`: a person has to authorize the
   * connection, and runs that call it wait.
   */
  readonly status: "unknown" | "ok" | "failing" | "unconfirmed" | "needs_authorization";
  /** When this result was first seen, in milliseconds since the epoch. */
  readonly checkedAtMs?: number;
  /** The failure, for `failing`; the remedy, for `unconfirmed` and `needs_authorization`. */
  readonly message?: string;
}

/** Whether a person has to do something for a connection of this health. */
export function isInTrouble({ status }: Pick<ConnectionHealth, "status">): boolean {
  return status === "failing" || status === "unconfirmed" || status === "needs_authorization";
}

/** A connection as it is shown to callers, without its secrets. */
export interface Connection {
  /** Identifier of the connection. */
  readonly connectionId: string;
  /** Name by which procedures refer to it. */
  readonly name: string;
  /** Name of its integration. */
  readonly integration: string;
  /** `undefined` for a private connection, which belongs to both. */
  readonly environment: Environment | undefined;
  /** Its settings, as the integration completed them. */
  readonly settings: JsonObject;
  /** The environments in which a private connection has a token; `undefined` for other connections. */
  readonly tokenEnvironments: readonly Environment[] | undefined;
  /** Names of its secrets. */
  readonly secretNames: readonly string[];
  /** Whether the connection works. */
  readonly health: ConnectionHealth;
  /** `undefined` unless its integration has events. */
  readonly inbound: ConnectionInbound | undefined;
  /** Its authorization; `undefined` unless it uses OAuth. */
  readonly oauth: ConnectionOAuth | undefined;
  /** The person who created it. */
  readonly createdBy: string;
  /** Time of its creation, in milliseconds since the epoch. */
  readonly createdAtMs: number;
  /** Time of the last change of its name, settings or secrets, in milliseconds since the epoch. */
  readonly updatedAtMs: number;
}

/** The events that a connection receives. */
export interface ConnectionInbound {
  /** The address that its service sends them to, such as `in_live_…`. */
  readonly address: string;
  /** The types that triggers can choose. */
  readonly events: readonly string[];
  /** Time of the last verified request, in milliseconds since the epoch, to the minute; `undefined` if there was none. */
  readonly lastReceivedAtMs: number | undefined;
  /** Refused requests of the last 24 hours, as this process counted them since its start. */
  readonly refusedLast24h: number;
}

/** A connection in one environment. A private connection is found in both. */
export interface ConnectionPlace {
  /** The environment in which the connection is addressed. */
  readonly environment: Environment;
  /** Identifier of the connection. */
  readonly connectionId: string;
}

/** A connection that may have changed. `environment` is `undefined` when it may have changed in both. */
export interface StaleConnection {
  readonly environment: Environment | undefined;
  readonly connectionId: string;
}

/** Whether a change may have made the cached data of a connection stale. */
export function isStale({ environment, connectionId }: ConnectionPlace, stale: StaleConnection): boolean {
  return connectionId === stale.connectionId && (stale.environment ?? environment) === environment;
}

/** A saved connection, with the problems of its document. */
export interface SavedConnection extends Connection {
  /** The parts of the document that were left out, and the reasons. Empty when no document was read. */
  readonly problems: readonly DocumentProblem[];
  /**
   * Tokens for the clients of a new private connection, one for each environment that its creator reaches. Only the
   * answer to the creation shows them.
   */
  readonly tokens?: EnvironmentTokens;
}

export function connectionBody(row: RecordRow): ConnectionBody {
  return JSON.parse(row.body) as ConnectionBody;
}

/** @param environment `undefined` for a private connection, whose name is reserved where it has a token */
export function connectionRecord(
  workspace: string,
  environment: Environment | undefined,
  connectionId: string,
  body: ConnectionBody,
): NewRecord {
  return {
    workspace,
    environment,
    kind: connectionKind,
    id: connectionId,
    body: JSON.stringify(body),
    uniqueKeys: [
      ...environmentsOf(environment, body).map((one) => nameKey(workspace, one, body.name)),
      ...Object.values(body.tokens ?? {}),
      ...(body.inboundAddress === undefined ? [] : [uniqueAddressOf(body.inboundAddress)]),
    ],
    keys: [],
  };
}

/**
 * The environments in which calls find a connection by its name.
 *
 * @param environment `undefined` for a private connection, which is found where it has a token
 */
export function environmentsOf(
  environment: Environment | undefined,
  { tokens = {} }: Pick<ConnectionBody, "tokens">,
): readonly Environment[] {
  return environment === undefined ? environments.filter((one) => tokens[one] !== undefined) : [environment];
}

/** The unique key of a connection's name. As JSON it is unambiguous for all names. */
export function nameKey(workspace: string, environment: Environment, name: string): string {
  return JSON.stringify([workspace, environment, name]);
}

/** Whether a record belongs to an environment, or to both. */
export function isIn(environment: Environment, row: Pick<RecordRow, "environment">): boolean {
  return row.environment === undefined || row.environment === environment;
}

export function shownConnection(
  connectionId: string,
  environment: Environment | undefined,
  body: ConnectionBody,
  {
    inbound,
    oauth,
    tokenFailure,
  }: Pick<Connection, "inbound" | "oauth"> & {
    /** Why it has no access token at the moment. */
    readonly tokenFailure: ConnectionOAuth["lastFailure"];
  },
): Connection {
  const { name, integration, settings, secrets, createdBy, createdAtMs, updatedAtMs = createdAtMs, tokens } = body;
  return {
    connectionId,
    name,
    integration,
    environment: tokens === undefined ? environment : undefined,
    tokenEnvironments: tokens === undefined ? undefined : environmentsOf(undefined, body),
    settings,
    secretNames: Object.keys(secrets),
    health: healthOf(body, oauth, tokenFailure),
    inbound,
    oauth,
    createdBy,
    createdAtMs,
    updatedAtMs,
  };
}

function healthOf(
  { health, unconfirmedBaseUrl }: ConnectionBody,
  oauth: ConnectionOAuth | undefined,
  tokenFailure: ConnectionOAuth["lastFailure"],
): ConnectionHealth {
  if (oauth !== undefined && needsAuthorization(oauth)) {
    const { lastFailure } = oauth;
    const reason = lastFailure === undefined ? "" : ` ${lastFailure.message}`;
    const message = `A person has to authorize this connection.${reason}`;
    return {
      status: "needs_authorization",
      ...(lastFailure !== undefined && { checkedAtMs: lastFailure.atMs }),
      message,
    };
  }
  if (tokenFailure !== undefined) {
    const message = `There is no access token, and calls wait. ${tokenFailure.message}`;
    return { status: "failing", checkedAtMs: tokenFailure.atMs, message };
  }
  const checked = health && {
    status: health.ok ? ("ok" as const) : ("failing" as const),
    checkedAtMs: health.atMs,
    ...(health.message !== undefined && { message: health.message }),
  };
  if (unconfirmedBaseUrl === undefined) return checked ?? { status: "unknown" };
  return { status: "unconfirmed", message: unconfirmed(unconfirmedBaseUrl) };
}

/** Explains why the calls of a connection are withheld, and how to resume them. */
export function unconfirmed(baseUrl: string): string {
  return (
    `The document now names another server: ${baseUrl}. Calls are withheld until the connection's setting "baseUrl" ` +
    "is set to this address or to the previous one."
  );
}

/** @throws ProcedoError `invalid_input` */
export function checkConnectionName(name: string): void {
  if (connectionNameSchema.safeParse(name).success) return;
  const details = [{ path: "/name", message: "must have 1 to 128 characters" }];
  throw new ProcedoError("invalid_input", "The connection's name needs 1 to 128 characters.", { details });
}

export function connectionNotFound(environment: Environment, connectionId: string): ProcedoError {
  return new ProcedoError("connection_not_found", `There is no connection "${connectionId}" in ${environment}.`);
}

/** @param where the environments in which the name has to be free */
export function nameTaken(
  where: readonly Environment[],
  name: string,
  advice: string = "Choose another name.",
): ProcedoError {
  return new ProcedoError(
    "name_taken",
    `A connection named "${name}" exists already in ${where.join(" or ")}. ${advice}`,
  );
}
