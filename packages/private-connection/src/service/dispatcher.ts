import { ignoreInterimAnswers, ProcedoError } from "@procedo/contract";
import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from "undici";
import type { ProxySettings } from "../environment.ts";
import { isLoopback } from "./address.ts";
import { TransportError } from "./transport.ts";

export interface DispatcherOptions {
  readonly url: string;
  /** `false`: none, even if the environment names one. */
  readonly proxy: string | false | undefined;
  readonly proxies: ProxySettings;
  readonly ca: string | readonly string[] | undefined;
}

/** How long an unused connection is kept, in milliseconds; below what proxies usually cut off. */
const keepAliveMs = 30_000;
const connectMs = 10_000;

/**
 * Makes the connections: kept alive, through a corporate proxy where one is set, trusting the given authorities.
 *
 * @throws ProcedoError `invalid_configuration` for a proxy that is no address; its credentials are never told
 */
export function createDispatcher({ url, proxy, proxies, ca }: DispatcherOptions): () => Dispatcher {
  const trust = ca === undefined ? {} : { ca: typeof ca === "string" ? ca : [...ca] };
  // Timeouts are measured by the client itself, on its own clock.
  const options: Agent.Options = {
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    connect: { timeout: connectMs, ...trust },
    factory: openPool,
  };
  // A request in the clear must not leave this machine, and a proxy elsewhere cannot reach it.
  const isDirect = proxy === false || isLoopback(new URL(url).hostname);
  const used = proxy === undefined || proxy === false ? proxies : { httpProxy: proxy, httpsProxy: proxy, noProxy: "" };
  if (isDirect || (used.httpProxy === "" && used.httpsProxy === "")) return () => new Agent(options);
  for (const address of [used.httpProxy, used.httpsProxy]) checkProxy(address);
  const proxying = { ...options, requestTls: trust, proxyTls: trust, clientFactory: openPool };
  return () => new EnvHttpProxyAgent({ ...proxying, ...used });
}

const interimRefusals = {
  too_many: "too many interim answers (status 1xx) came",
  malformed: "an interim answer (status 1xx) is not valid HTTP",
} as const;

/** Connections to one origin or proxy. Interim answers are ignored on each, whether undici or one of its agents opens it. */
function openPool(origin: string | URL, options: object): Pool {
  const { connect, ...others }: Pool.Options = options;
  const open = typeof connect === "function" ? connect : buildConnector({ allowH2: false, ...connect });
  return new Pool(origin, {
    ...others,
    connect: (target, callback) =>
      open(target, (...[error, socket]) => {
        if (error !== null) return callback(error, null);
        ignoreInterimAnswers(socket, (why) => new TransportError(interimRefusals[why]));
        callback(null, socket);
      }),
  });
}

function checkProxy(address: string): void {
  if (address === "" || (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol))) return;
  throw new ProcedoError(
    "invalid_configuration",
    "The proxy is no address; it looks like http://proxy.example.com:3128. See `proxy`, HTTPS_PROXY and HTTP_PROXY.",
  );
}
