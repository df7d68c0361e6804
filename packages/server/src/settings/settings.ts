import { resolve } from "node:path";
import { ProcedoError, type ErrorDetail } from "@procedo/contract";
import { readModelSettings, type ModelSettings } from "./model-settings.ts";
import { networkProblem } from "./network.ts";
import { address, oneOf, onOrOff, reader, whole, type Reading, type Variables } from "./values.ts";

/** What the service logs: this and everything graver. */
export type LogLevel = (typeof logLevels)[number];

/** How a server is set up: {@link readSettings} of the environment, every value checked. */
export interface Settings {
  /** `PORT`, 0 to 65535; 0 takes a free one. @defaultValue 8787 */
  readonly port: number;
  /** `HOST`, the address to listen on. @defaultValue "127.0.0.1" */
  readonly host: string;
  /** `PROCEDO_DATA_DIR`, absolute: the database and the key file. @defaultValue "./.procedo" */
  readonly dataDir: string;
  /** `DATABASE_URL`: a Postgres database in place of the one in the data folder. @defaultValue none */
  readonly databaseUrl: string | undefined;
  /** `PROCEDO_DATABASE_POOL`: connections to Postgres at once, 2 to 1000. @defaultValue the adapter's */
  readonly databasePool: number | undefined;
  /**
   * `PROCEDO_DATABASE_NOTIFY`, `on` or `off`: whether nodes tell each other of changes through the database, or look for them
   * several times a second. A pooler that hands connections out by transaction needs `off`. @defaultValue on
   */
  readonly databaseNotify: boolean;
  /** `PROCEDO_ROLE`: what this process does of serving HTTP and executing runs. @defaultValue "all" */
  readonly role: Role;
  /** `PROCEDO_MASTER_KEY`: at least 32 bytes. @defaultValue the key file in the data folder, made on the first start */
  readonly masterKey: Uint8Array | undefined;
  /** `RUNNER_URL`, where applications reach the Runner API. @defaultValue the address that is listened on */
  readonly runnerUrl: string | undefined;
  /** `APP_URL`, where people reach the dashboard and its API. @defaultValue `runnerUrl` */
  readonly appUrl: string | undefined;
  /** `SDK_URL`, where private-connection clients poll. @defaultValue `runnerUrl` */
  readonly sdkUrl: string | undefined;
  /** `PROCEDO_ALLOW_NETWORKS`: networks beside the public internet that outgoing requests may reach. @defaultValue none */
  readonly allowNetworks: readonly string[];
  /** `PROCEDO_REQUESTS_PER_SECOND`: of one API key, 1 to 1000000. @defaultValue no limit */
  readonly requestsPerSecond: number | undefined;
  /**
   * `PROCEDO_DRAIN_MS`, 0 to 3600000: how long a server that is told to end listens to the calls that are under way, each for no
   * longer than its own timeout. @defaultValue 60000
   */
  readonly drainMs: number;
  /** `PROCEDO_MODEL` and what belongs to it. @defaultValue no models */
  readonly models: ModelSettings;
  /** `PROCEDO_METRICS_ADDRESS`, `HOST:PORT`: where `/metrics` is served to everybody who reaches it. @defaultValue nowhere */
  readonly metricsAddress: MetricsAddress | undefined;
  /**
   * `PROCEDO_METRICS_TOKEN`, 16 to 512 characters: `/metrics` is served beside the interface, to requests with
   * `Authorization: Bearer` and this token. @defaultValue it is not served there
   */
  readonly metricsToken: string | undefined;
  /** `PROCEDO_LOG_LEVEL`. @defaultValue "info" */
  readonly logLevel: LogLevel;
}

/** An address of its own for `/metrics`; port 0 takes a free one. */
export interface MetricsAddress {
  readonly host: string;
  readonly port: number;
}

/** `http` serves and executes nothing, `execute` executes and serves nobody but `/healthz`, `/readyz` and `/metrics`. */
export type Role = (typeof roles)[number];

const roles = ["all", "http", "execute"] as const;

export const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

const minMasterKeyBytes = 32;

/** As long as a call may take whose procedure says nothing of it. */
const defaultDrainMs = 60_000;

/**
 * Reads the settings. An empty variable counts as one that is not set.
 *
 * @throws ProcedoError `invalid_configuration` with every wrong variable in `details`: its name, its value unless that
 *   is a secret, and what is allowed
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
    requestsPerSecond: read("PROCEDO_REQUESTS_PER_SECOND", undefined, (text) => whole(text, 1, 1_000_000)),
    drainMs: read("PROCEDO_DRAIN_MS", defaultDrainMs, (text) => whole(text, 0, 3_600_000)),
    models: readModelSettings(read, problems),
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
  return value <= 65_535 ? { value } : { wrong: `is "${text}". Give a number from 0 to 65535; 0 takes a free port.` };
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

/** It is a secret: nothing of it is shown. */
function metricsToken(text: string): Reading<string> {
  if (/^[A-Za-z0-9._~+/-]{16,512}=*$/.test(text)) return { value: text };
  return { wrong: "is no token. Give 16 to 512 letters, digits or any of . _ ~ + / -: openssl rand -hex 32" };
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
  const problem = value.map(networkProblem).find((found) => found !== undefined);
  if (problem === undefined) return { value };
  return { wrong: `holds what is no network: ${problem}. Give a list such as 10.0.0.0/8,fd00::/8` };
}

/** It may carry a password: nothing of it is ever shown. */
function databaseUrl(text: string): Reading<string> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && ["postgres:", "postgresql:"].includes(url.protocol)) return { value: text };
  return {
    wrong: "is no address of a Postgres database. Give one such as postgresql://user:password@host:5432/procedo",
  };
}
