import {
  checkOptionNames,
  type Environment,
  kindOf,
  type OptionNames,
  ProcedoError,
  quotedValue,
} from "@procedo/contract";
import { type EnvironmentSettings, readEnvironment } from "../environment.ts";
import type { PrivateFunction } from "../functions/private-function.ts";
import { consoleLog, type Log } from "../log.ts";
import { checkAddress } from "../service/address.ts";
import { checkToken } from "../service/token.ts";

/** The functions of a private connection, and its way to the service. */
export interface PrivateConnectionOptions {
  /** The functions that procedures may call; no other function is ever called. */
  readonly functions: readonly PrivateFunction[];
  /**
   * The connection's token, `run_sandbox_…` or `run_live_…`. The token determines the environment.
   *
   * @defaultValue the variable `PROCEDO_CONNECTION_TOKEN`
   */
  readonly token?: string;
  /**
   * The service's SDK address, `https://…`; plain HTTP is allowed only to this machine.
   *
   * @defaultValue the variable `PROCEDO_SDK_URL`
   */
  readonly url?: string;
  /**
   * The maximum number of concurrent calls; 1 to 1000.
   *
   * @defaultValue 10
   */
  readonly concurrency?: number;
  /**
   * The address of an outbound HTTP proxy, `http://proxy.example.com:3128`; `false` for none. This machine is always
   * reached directly.
   *
   * @defaultValue the variables `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`
   */
  readonly proxy?: string | false;
  /**
   * CA certificates in PEM, trusted instead of the system's. To trust an additional authority, set
   * `NODE_EXTRA_CA_CERTS` to its file.
   */
  readonly ca?: string | readonly string[];
  /**
   * Whether the stack of an error that a function throws is sent with its message. A stack reveals details of this
   * network.
   *
   * @defaultValue false
   */
  readonly sendStackTraces?: boolean;
  /**
   * Receives the messages that an operator should know; they never contain the token.
   *
   * @defaultValue the console
   */
  readonly log?: Log;
}

const optionNames = {
  functions: true,
  token: true,
  url: true,
  concurrency: true,
  proxy: true,
  ca: true,
  sendStackTraces: true,
  log: true,
} satisfies OptionNames<PrivateConnectionOptions>;

/** Options with their defaults. */
export interface CheckedConnectionOptions {
  readonly token: string;
  readonly environment: Environment;
  /** Without a trailing slash. */
  readonly url: string;
  readonly concurrency: number;
  readonly proxy: string | false | undefined;
  readonly proxies: EnvironmentSettings["proxies"];
  readonly ca: string | readonly string[] | undefined;
  readonly sendStackTraces: boolean;
  readonly log: Log;
}

const maxConcurrency = 1_000;

/** @throws ProcedoError `invalid_configuration`; its message never contains the token */
export function checkConnectionOptions(
  options: PrivateConnectionOptions,
  settings: EnvironmentSettings = readEnvironment(),
): CheckedConnectionOptions {
  checkOptionNames("createPrivateConnection", optionNames, options, "invalid_configuration");
  const functions: unknown = options.functions;
  if (!Array.isArray(functions)) {
    const message = `functions is ${kindOf(functions)}. Give a list of functions from defineFunction.`;
    throw new ProcedoError("invalid_configuration", message);
  }
  const { concurrency = 10 } = options;
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > maxConcurrency) {
    throw new ProcedoError(
      "invalid_configuration",
      `concurrency is ${quotedValue(concurrency)}. Give a whole number from 1 to ${maxConcurrency}.`,
    );
  }
  const { ca } = options;
  if (ca !== undefined && typeof ca !== "string" && !Array.isArray(ca)) {
    const message = `ca is ${kindOf(ca)}. Give certificates in PEM, as a string or a list of strings.`;
    throw new ProcedoError("invalid_configuration", message);
  }
  return {
    ...checkToken(options.token ?? settings.token),
    url: checkAddress(options.url ?? settings.url),
    concurrency,
    proxy: options.proxy,
    proxies: settings.proxies,
    ca: options.ca,
    sendStackTraces: options.sendStackTraces ?? false,
    log: options.log ?? consoleLog,
  };
}
