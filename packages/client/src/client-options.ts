import {
  apiKeyPrefixes,
  checkOptionNames,
  type Environment,
  environments,
  type OptionNames,
  ProcedoError,
} from "@procedo/contract";

/** Where the service is, and who asks. */
export interface ClientOptions {
  /** A raw API key, `rsk_sandbox_…` or `rsk_live_…`. It decides the environment. */
  readonly apiKey: string;
  /** Base address of the Runner API, such as `https://procedo.example.com`. */
  readonly runnerUrl: string;
  /**
   * Base address of the dashboard application, whose API lists runs and takes decisions.
   *
   * @defaultValue `runnerUrl`
   */
  readonly appUrl?: string;
  /**
   * How long one attempt of a request may take, in milliseconds; 1 to 3600000. A
   * synchronous run's `executionTimeoutMs` is added to it.
   *
   * @defaultValue 10 000
   */
  readonly timeoutMs?: number;
  /**
   * How often a request is repeated when the network, a gateway or a busy service failed it. Every request is safe to
   * repeat. 0 to 100; 0: never.
   *
   * @defaultValue 4
   */
  readonly retries?: number;
  /**
   * Sends the requests, for a proxy or instrumentation.
   *
   * @defaultValue the global `fetch`
   */
  readonly fetch?: typeof globalThis.fetch;
}

const optionNames = {
  apiKey: true,
  runnerUrl: true,
  appUrl: true,
  timeoutMs: true,
  retries: true,
  fetch: true,
} satisfies OptionNames<ClientOptions>;

/** Options with their defaults. */
export interface CheckedOptions {
  readonly apiKey: string;
  readonly environment: Environment;
  /** Without a slash at its end. */
  readonly runnerUrl: string;
  /** Base of the Dashboard API, without a slash at its end. */
  readonly apiUrl: string;
  /** Without a slash at its end. */
  readonly appUrl: string;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly fetch: typeof globalThis.fetch;
}

/** @throws ProcedoError `invalid_configuration`; it never tells the key */
export function checkOptions(options: ClientOptions): CheckedOptions {
  checkOptionNames("createClient", optionNames, options, "invalid_configuration");
  const runnerUrl = checkAddress("runnerUrl", options.runnerUrl);
  const appUrl = options.appUrl === undefined ? runnerUrl : checkAddress("appUrl", options.appUrl);
  return {
    apiKey: options.apiKey,
    environment: environmentOf(options.apiKey),
    runnerUrl,
    appUrl,
    apiUrl: `${appUrl}/api/v1`,
    timeoutMs: whole("timeoutMs", options.timeoutMs ?? 10_000, 1, 3_600_000),
    retries: whole("retries", options.retries ?? 4, 0, 100),
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
  };
}

function whole(name: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw refused(`${name} is ${String(value)}. Give a whole number from ${least} to ${most}.`);
}

function environmentOf(apiKey: unknown): Environment {
  const prefixes = Object.values(apiKeyPrefixes).join(" or ");
  if (typeof apiKey !== "string" || apiKey === "") throw refused(`apiKey is missing; it begins with ${prefixes}.`);
  // Such as a line break from a file: fetch would refuse the header and quote the key.
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw refused("apiKey contains white space or characters that no key has.");
  const environment = environments.find((each) => apiKey.startsWith(apiKeyPrefixes[each]));
  if (environment !== undefined) return environment;
  const hint = /^run_(sandbox|live)_/.test(apiKey) ? " This one is the token of a private connection." : "";
  throw refused(`apiKey is no API key: these begin with ${prefixes}.${hint}`);
}

function checkAddress(name: string, value: unknown): string {
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw refused(`${name} is no address; it looks like https://procedo.example.com.`);
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw refused(`${name} is an address only: without credentials, query and fragment.`);
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

const refused = (message: string): ProcedoError => new ProcedoError("invalid_configuration", message);
