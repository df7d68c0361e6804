import {
  connectionNameSchema,
  environments,
  ProcedoError,
  type DocumentProblem,
  type Environment,
  type JsonObject,
} from "@procedo/contract";
import type { NewRecord, RecordRow } from "@procedo/storage";
import type { KnownManifest } from "./private/known-manifest.ts";
import type { KeptVersion } from "./kept-versions.ts";

export const connectionKind = "connection";

/** A connection as storage has it. */
export interface ConnectionBody {
  readonly name: string;
  readonly integration: string;
  readonly settings: JsonObject;
  /** Encrypted. */
  readonly secrets: { readonly [name: string]: string };
  readonly createdAtMs: number;
  /** Where calls go, of a documented connection. */
  readonly baseUrl?: string;
  /** What its document names in place of that by now; calls are withheld until somebody says so. */
  readonly unconfirmedBaseUrl?: string;
  /** Digest of its document, which is a record of its own. */
  readonly document?: string;
  /** What it was before, newest first. */
  readonly versions?: readonly KeptVersion[];
  /** What its actions were called before, each with its name of today, in pairs: a name may be any text. */
  readonly formerNames?: readonly (readonly [former: string, today: string])[];
  readonly health?: StoredHealth;
  /**
   * SHA-256 of its tokens, of a private connection. It is one record for both environments, and calls of an environment
   * find it once it has a token there.
   */
  readonly tokens?: EnvironmentTokens;
  /** What clients of a private connection had registered before that was a record of its own for each environment. */
  readonly manifests?: Readonly<Record<Environment, readonly KnownManifest[]>>;
}

/** A private connection's tokens, or their digests, by environment: one that has none yet is left out. */
export type EnvironmentTokens = { readonly [environment in Environment]?: string };

export interface StoredHealth {
  readonly ok: boolean;
  readonly atMs: number;
  readonly message?: string;
}

/** How a connection fared when it was last used or tested. */
export interface ConnectionHealth {
  readonly status: "unknown" | "ok" | "failing" | "unconfirmed";
  /** When it came to be so. */
  readonly checkedAtMs?: number;
  readonly message?: string;
}

/** A connection as it is shown: everything but its secrets. */
export interface Connection {
  readonly connectionId: string;
  readonly name: string;
  readonly integration: string;
  /** `undefined`: a private connection is of both. */
  readonly environment: Environment | undefined;
  readonly settings: JsonObject;
  /** Names of the secrets that it holds. */
  readonly secretNames: readonly string[];
  readonly health: ConnectionHealth;
  readonly createdAtMs: number;
}

/** One connection of one environment; a private one is found in either. */
export interface ConnectionPlace {
  readonly environment: Environment;
  readonly connectionId: string;
}

/** A connection that may have changed: `environment` is `undefined` where it may have in both. */
export interface StaleConnection {
  readonly environment: Environment | undefined;
  readonly connectionId: string;
}

/** Whether what was read of a connection in one environment may have changed. */
export function isStale({ environment, connectionId }: ConnectionPlace, stale: StaleConnection): boolean {
  return connectionId === stale.connectionId && (stale.environment ?? environment) === environment;
}

/** A connection that was saved, with what its document's author should know. */
export interface SavedConnection extends Connection {
  /** Of a document that was read for this: what was left out of it, and why. */
  readonly problems: readonly DocumentProblem[];
  /**
   * Of a new private connection, for its clients, in this answer and nowhere else: one for each environment that its creator
   * reaches.
   */
  readonly tokens?: EnvironmentTokens;
}

export function connectionBody(row: RecordRow): ConnectionBody {
  return JSON.parse(row.body) as ConnectionBody;
}

/** @param environment `undefined`: of a private connection, whose name is taken where it has a token */
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
    ],
    keys: [],
  };
}

/**
 * Where calls find a connection by its name.
 *
 * @param environment `undefined`: of a private connection, which is where it has a token
 */
export function environmentsOf(
  environment: Environment | undefined,
  { tokens = {} }: Pick<ConnectionBody, "tokens">,
): readonly Environment[] {
  return environment === undefined ? environments.filter((one) => tokens[one] !== undefined) : [environment];
}

/** By which a connection is found; JSON keeps the parts apart whatever they contain. */
export function nameKey(workspace: string, environment: Environment, name: string): string {
  return JSON.stringify([workspace, environment, name]);
}

/** Whether a record is found in an environment. */
export function isIn(environment: Environment, row: Pick<RecordRow, "environment">): boolean {
  return row.environment === undefined || row.environment === environment;
}

export function shownConnection(
  connectionId: string,
  environment: Environment | undefined,
  body: ConnectionBody,
): Connection {
  const { name, integration, settings, secrets, createdAtMs, tokens } = body;
  return {
    connectionId,
    name,
    integration,
    environment: tokens === undefined ? environment : undefined,
    settings,
    secretNames: Object.keys(secrets),
    health: healthOf(body),
    createdAtMs,
  };
}

function healthOf({ health, unconfirmedBaseUrl }: ConnectionBody): ConnectionHealth {
  const checked = health && {
    status: health.ok ? ("ok" as const) : ("failing" as const),
    checkedAtMs: health.atMs,
    ...(health.message !== undefined && { message: health.message }),
  };
  if (unconfirmedBaseUrl === undefined) return checked ?? { status: "unknown" };
  return { status: "unconfirmed", message: unconfirmed(unconfirmedBaseUrl) };
}

/** Why a connection's calls are withheld, and how that ends. */
export function unconfirmed(baseUrl: string): string {
  return (
    `The document names another server by now: ${baseUrl}. Nothing is sent until the connection's setting "baseUrl" ` +
    "is set, to this address or the one before."
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

/** @param where those in which the name has to be free */
export function nameTaken(
  where: readonly Environment[],
  name: string,
  advice: string = "Choose another name.",
): ProcedoError {
  return new ProcedoError("name_taken", `There is a connection "${name}" in ${where.join(" or ")} already. ${advice}`);
}
