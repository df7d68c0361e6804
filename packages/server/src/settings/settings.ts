import { resolve } from "node:path";
import { ProcedoError, type ErrorDetail } from "@procedo/contract";
import { isNetwork } from "@procedo/engine";
import { readModelSettings, type ModelSettings } from "./model-settings.ts";
import { readOidcSettings, type OidcSettings } from "./oidc-settings.ts";
import { address, oneOf, onOrOff, reader, whole, type Reading, type Variables } from "./values.ts";

/** Minimum severity of logged lines. */
export type LogLevel = (typeof logLevels)[number];

/** Configuration of a server. {@link readSettings} reads it from the environment and checks every value. */
export interface Settings {
  /** `PORT`, 0 to 65535; 0 takes a free one. @defaultValue 8787 */
  readonly port: number;
  /** `HOST`, the address to listen on. @defaultValue "127.0.0.1" */
  readonly host: string;
  /** `PROCEDO_DATA_DIR`, absolute: folder of the database and the key file. @defaultValue "./.procedo" */
  readonly dataDir: string;
  /** `DATABASE_URL`: a Postgres database, which replaces the one in the data folder. @defaultValue none */
  readonly databaseUrl: string | undefined;
  /** `PROCEDO_DATABASE_POOL`: maximum number of Postgres connections, 2 to 1000. @defaultValue the adapter's */
  readonly databasePool: number | undefined;
  /**
   * `PROCEDO_DATABASE_NOTIFY`, `on` or `off`: whether nodes notify each other of changes through the database, or poll
   * for them several times per second. A pooler in transaction mode needs `off`. @defaultValue on
   */
  readonly databaseNotify: boolean;
  /** `PROCEDO_ROLE`: whether this process serves HTTP, executes runs, or both. @defaultValue "all" */
  readonly role: Role;
  /**
   * `PROCEDO_MASTER_KEY`: at least 32 bytes. @defaultValue the key file in the data folder, created on the first start
   */
  readonly masterKey: Uint8Array | undefined;
  /** `RUNNER_URL`: address of the Runner API for applications. @defaultValue the address of the listener */
  readonly runnerUrl: string | undefined;
  /** `APP_URL`: address of the dashboard and its API for people. @defaultValue `runnerUrl` */
  readonly appUrl: string | undefined;
  /** `SDK_URL`: address that private-connection clients poll. @defaultValue `runnerUrl` */
  readonly sdkUrl: string | undefined;
  /**
   * `PROCEDO_ALLOW_NETWORKS`: networks that outgoing requests may reach in addition to the public internet.
   * @defaultValue none
   */
  readonly allowNetworks: readonly string[];
  /**
   * `PROCEDO_TRUSTED_PROXIES`: networks of the reverse proxies whose `X-Forwarded-For` names the sender of a request.
   * @defaultValue none
   */
  readonly trustedProxies: readonly string[];
  /** `PROCEDO_REQUESTS_PER_SECOND`: limit per API key or person, 1 to 1000000. @defaultValue no limit */
  readonly requestsPerSecond: number | undefined;
  /**
   * `PROCEDO_DRAIN_MS`, 0 to 3600000: how long a stopping server waits for calls in progress. Each call is also bounded
   * by its own timeout. @defaultValue 60000
   */
  readonly drainMs: number;
  /** The `PROCEDO_MODEL…` variables. @defaultValue no models */
  readonly models: ModelSettings;
  /** The `PROCEDO_OIDC…` variables. @defaultValue no identity provider: people sign in by password */
  readonly oidc: OidcSettings | undefined;
  /**
   * `PROCEDO_METRICS_ADDRESS`, `HOST:PORT`: a separate address that serves `/metrics` without authentication.
   * @defaultValue none
   */
  readonly metricsAddress: MetricsAddress | undefined;
  /**
   * `PROCEDO_METRICS_TOKEN`, 16 to 512 characters: serves `/metrics` on the main address to requests with
   * `Authorization: Bearer` and this token. @defaultValue not served there
   */
  readonly metricsToken: string | undefined;
  /** `PROCEDO_LOG_LEVEL`. @defaultValue "info" */
  readonly logLevel: LogLevel;
}

/** A separate address for `/metrics`; port 0 selects a free port. */
export interface MetricsAddress {
  /** The address to listen on. */
  readonly host: string;
  /** The port to listen on; 0 selects a free one. */
  readonly port: number;
}

/** `http` serves and executes nothing. `execute` executes runs and serves only `/healthz`, `/readyz` and `/metrics`. */
export type Role = (typeof roles)[number];

const roles = ["all", "http", "execute"] as const;

export const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

const minMasterKeyBytes = 32;

/** The default timeout of a call in a procedure. */
const defaultDrainMs = 60_000;

/**
 * Reads the settings. An empty variable counts as unset.
 *
 * @throws ProcedoError `invalid_configuration` with every invalid variable in `details`: its name, its value unless it
 *   is a secret, and the allowed values
 */
export function readSettings(env: Variables): Settings {
  const problems: ErrorDetail[] = [];
  const read = reader(env, problems);
  const settings: Settings = {
    port: read("PORT", 8787, port),
    host: read("HOST", "127.0.0.1", host),
    dataDir: read("PROCEDO_DATA_DIR", resolve(".procedo"), (text) => ({ value: resolve(text) })),
    databaseUrl: read("DATABASE_URL", undefined, databaseUrl),
    databasePool: read("PROCEDO_DATABASE_POOL", undefined, (text) => whole(text, 2, 1_000)),
    databaseNotify: read("PROCEDO_DATABASE_NOTIFY", true, onOrOff),
    role: read("PROCEDO_ROLE", "all", (text) => oneOf(roles, text)),
    masterKey: read("PROCEDO_MASTER_KEY", undefined, masterKey),
    runnerUrl: read("RUNNER_URL", undefined, address),
    appUrl: read("APP_URL", undefined, address),
    sdkUrl: read("SDK_URL", undefined, address),
    allowNetworks: read("PROCEDO_ALLOW_NETWORKS", [], networks),
    trustedProxies: read("PROCEDO_TRUSTED_PROXIES", [], networks),
    requestsPerSecond: read("PROCEDO_REQUESTS_PER_SECOND", undefined, (text) => whole(text, 1, 1_000_000)),
    drainMs: read("PROCEDO_DRAIN_MS", defaultDrainMs, (text) => whole(text, 0, 3_600_000)),
    models: readModelSettings(read, problems),
    oidc: readOidcSettings(read, problems),
    metricsAddress: read("PROCEDO_METRICS_ADDRESS", undefined, metricsAddress),
    metricsToken: read("PROCEDO_METRICS_TOKEN", undefined, metricsToken),
    logLevel: read("PROCEDO_LOG_LEVEL", "info", (text) => oneOf(logLevels, text)),
  };
  if (problems.length === 0) return settings;
  throw new ProcedoError("invalid_configuration", problems.map(({ message }) => message).join("\n"), {
    details: problems,
  });
}

function port(text: string): Reading<number> {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  return value <= 65_535 ? { value } : { wrong: `is "${text}". Give a number from 0 to 65535; 0 selects a free port.` };
}

function host(text: string): Reading<string> {
  return /^[A-Za-z0-9.:_-]+$/.test(text)
    ? { value: text }
    : { wrong: `is "${text}". Give an IP address or a host name, without a port: 127.0.0.1, 0.0.0.0, ::1.` };
}

function metricsAddress(text: string): Reading<MetricsAddress> {
  const [, bracketed, plain, digits = ""] = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._-]+)):(\d{1,5})$/.exec(text) ?? [];
  const name = bracketed ?? plain;
  if (name !== undefined && Number(digits) <= 65_535) return { value: { host: name, port: Number(digits) } };
  return { wrong: `is "${text}". Give a host and a port: 127.0.0.1:9464, 0.0.0.0:9464, [::1]:9464.` };
}

/** The value is a secret and is never shown. */
function metricsToken(text: string): Reading<string> {
  if (/^[A-Za-z0-9._~+/-]{16,512}=*$/.test(text)) return { value: text };
  return { wrong: "is not a valid token. Give 16 to 512 letters, digits or any of . _ ~ + / -: openssl rand -hex 32" };
}

const keyRule = `Give at least ${minMasterKeyBytes} random bytes as hex or base64: openssl rand -base64 32`;

function masterKey(text: string): Reading<Uint8Array> {
  const hex = /^(?:[0-9a-f]{2})+$/i.test(text);
  if (!hex && !/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return { wrong: `is neither hex nor base64. ${keyRule}` };
  const bytes = Buffer.from(text, hex ? "hex" : "base64");
  if (bytes.byteLength >= minMasterKeyBytes) return { value: new Uint8Array(bytes) };
  return { wrong: `holds ${bytes.byteLength} bytes. ${keyRule}` };
}

function networks(text: string): Reading<readonly string[]> {
  const value = text.split(/[\s,]+/).filter((entry) => entry !== "");
  const invalid = value.find((entry) => !isNetwork(entry));
  if (invalid === undefined) return { value };
  return {
    wrong: `has "${invalid}", which is not a network. Give a list in CIDR with no bits set after the prefix, such as 10.0.0.0/8,fd00::/8`,
  };
}

/** The value may contain a password and is never shown. */
function databaseUrl(text: string): Reading<string> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && ["postgres:", "postgresql:"].includes(url.protocol)) return { value: text };
  return {
    wrong: "is no address of a Postgres database. Give one such as postgresql://user:password@host:5432/procedo",
  };
}
