import { ignoreInterimAnswers, ProcedoError } from "@procedo/contract";
import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from "undici";
import type { ProxySettings } from "../environment.ts";
import { isLoopback } from "./address.ts";
import { TransportError } from "./transport.ts";

export interface DispatcherOptions {
  readonly url: string;
  /** `false`: no proxy, even if the environment names one. */
  readonly proxy: string | false | undefined;
  readonly proxies: ProxySettings;
  readonly ca: string | readonly string[] | undefined;
}

/** The time for which an unused connection is kept, in milliseconds. Proxies usually close connections later. */
const keepAliveMs = 30_000;
const connectMs = 10_000;

/**
 * Opens the connections: kept alive, through a corporate proxy if one is set, and trusting the given authorities.
 *
 * @throws ProcedoError `invalid_configuration` for an invalid proxy address; the message never contains its credentials
 */
export function createDispatcher({ url, proxy, proxies, ca }: DispatcherOptions): () => Dispatcher {
  const trust = ca === undefined ? {} : { ca: typeof ca === "string" ? ca : [...ca] };
  // The client itself measures timeouts, by its own clock.
  const options: Agent.Options = {
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    connect: { timeout: connectMs, ...trust },
    factory: openPool,
  };
  // A plain HTTP request must not leave this machine, and a proxy elsewhere cannot reach this machine's services.
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

/** Connections to one origin or proxy. Interim answers are ignored, also on connections that undici's agents open. */
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
    "The proxy is not a valid address. An address looks like http://proxy.example.com:3128. See `proxy`, HTTPS_PROXY and HTTP_PROXY.",
  );
}
