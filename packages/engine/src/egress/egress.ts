/*
 * The guarded client for all requests to addresses that users or other systems chose.
 *
 *   egress.ts            the client: checks each hop, sends it, follows redirects
 *   destination.ts       the rules for URLs; address.ts: for addresses; refused-ports.ts: for ports (pure)
 *   connector.ts         opens connections to checked addresses only, over system-network.ts; dispatchers.ts: undici on top
 *   name-resolver.ts     resolves names; hosts-file.ts, kept-file.ts and search-list.ts: the system's configuration;
 *                        shared-lookups.ts: one lookup per name at a time
 *   waiting-requests.ts  ends a connection attempt when no request waits for it any more
 *   exchange.ts          sends one request and reads its bounded answer; redirect.ts: the next hop (pure)
 *   request-headers.ts   keeps values inside their header (pure)
 *   guarded-fetch.ts     the client as a web `fetch`; advice.ts: advice about a refused network
 *   open-connection.ts   connections for other protocols than HTTP; guarded-connect.ts: the client as a function for them
 *   egress-error.ts      the error, with whether the request may have been sent
 *   outside.ts           reports that a request waits for an outside system
 */
import { afterReading, type Clock } from "../ports/clock.ts";
import { systemClock } from "../ports/system-clock.ts";
import { checkDestination, type ConnectorOptions, type Destination } from "./connector.ts";
import { createDestinationPolicy } from "./destination.ts";
import { openDispatchers, type Dispatchers } from "./dispatchers.ts";
import {
  exchange,
  type Exchanged,
  type ExchangeOptions,
  type RawHeaders,
  type Stop,
  type Stopping,
} from "./exchange.ts";
import { EgressError, sentBefore } from "./egress-error.ts";
import { openConnection, type EgressConnect, type GuardedConnection } from "./open-connection.ts";
import { nextHop, type Hop } from "./redirect.ts";
import { checkHeaders, checkMethod } from "./request-headers.ts";
import { createNameResolver, type Resolve } from "./name-resolver.ts";
import { shareLookups } from "./shared-lookups.ts";
import { trustedAuthorities } from "./system-network.ts";
import { createWaitingRequests } from "./waiting-requests.ts";

/** The allowed networks, and the limits of all outgoing requests. */
export interface EgressOptions {
  /** Allowed networks in addition to the public internet, as CIDR. @defaultValue none */
  readonly allowNetworks?: readonly string[];
  /** Resolves a name to all its addresses. @defaultValue the system's name servers, hosts file and search list */
  readonly resolve?: Resolve;
  /** A certificate authority (PEM) to trust in addition to the default ones. */
  readonly ca?: string;
  /** Default bound on an answer's body, in bytes. @defaultValue 8 MiB */
  readonly maxResponseBytes?: number;
  /** Bound on resolving, connecting and the TLS handshake, in milliseconds. @defaultValue 10 s */
  readonly connectTimeoutMs?: number;
  /** Measures the deadlines. @defaultValue the system's */
  readonly clock?: Pick<Clock, "after" | "soon">;
}

/** One outgoing HTTP request. */
export interface EgressRequest {
  /** http or https, without credentials. */
  readonly url: string | URL;
  /** The HTTP method. @defaultValue `"GET"` */
  readonly method?: string;
  /** Headers, except those of framing and connection. Each name may occur once. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The request's body; text is sent as UTF-8. @defaultValue none */
  readonly body?: string | Uint8Array;
  /** Bound on everything from resolving to the last byte, redirects included, in milliseconds. @defaultValue 30 s */
  readonly timeoutMs?: number;
  /** Ends the request early. @defaultValue it ends with `timeoutMs` only */
  readonly signal?: AbortSignal;
  /** Bound on the answer's body, in bytes. @defaultValue the client's */
  readonly maxResponseBytes?: number;
  /**
   * The result for an answer whose body is too long, interrupted or incomplete at the deadline: an error, or the answer
   * with the part of the body that arrived. @defaultValue `"error"`
   */
  readonly onOversize?: "error" | "truncate";
  /** Maximum number of redirects to follow; a further one is returned as the answer. @defaultValue 0 */
  readonly redirects?: number;
  /**
   * `"fresh"` opens a connection for this request only. A reused connection may be closed by the server at the moment
   * of sending, which leaves the arrival of the request unknown. Choose `"fresh"` where this uncertainty costs more
   * than a handshake.
   *
   * @defaultValue `"reuse"`
   */
  readonly connection?: "reuse" | "fresh";
  /**
   * Called for each hop immediately before its bytes are sent. A returned string withholds the request and is the
   * reason.
   */
  readonly beforeSend?: () => string | undefined;
}

/** The answer to an outgoing request, with its whole body. */
export interface EgressResponse extends Omit<Exchanged, "headers"> {
  /** Created on first access, because most callers need only the status. */
  readonly headers: Headers;
  /** URL of the answer, after redirects. */
  readonly url: string;
  /** Whether the body is incomplete; possible only with `onOversize: "truncate"`. */
  readonly truncated: boolean;
}

/** The port for requests to outside addresses. */
export interface Egress {
  /**
   * Sends a request. A status is never an error.
   *
   * @throws EgressError `destination_not_allowed`, `invalid_input`, `upstream_unreachable` or `shutting_down`; `sent` tells
   *   whether the receiver may have seen the request
   */
  fetch(request: EgressRequest): Promise<EgressResponse>;
  /**
   * Opens a connection for a protocol other than HTTP. It belongs to the caller, who ends it.
   *
   * @throws EgressError `destination_not_allowed`, `invalid_input`, `upstream_unreachable` or `shutting_down`; `sent` is
   *   always `"no"`
   */
  connect(request: EgressConnect): Promise<GuardedConnection>;
  /**
   * Checks a destination without connecting, before it is saved.
   *
   * @throws EgressError `destination_not_allowed`, or `upstream_unreachable` when the name cannot be resolved within 3 s
   */
  check(destination: Destination): Promise<void>;
  /** Refuses further requests, waits for those in progress and closes their connections. */
  close(): Promise<void>;
}

/**
 * Creates a client for outgoing requests that reaches allowed addresses only.
 *
 * @throws ProcedoError `invalid_configuration` when `allowNetworks` contains an invalid network
 */
export function createEgress(options: EgressOptions = {}): Egress {
  const clock = options.clock ?? systemClock;
  let authorities: ReturnType<typeof trustedAuthorities> | undefined;
  const connectorOptions: ConnectorOptions = {
    policy: createDestinationPolicy({ allowNetworks: options.allowNetworks ?? [] }),
    resolve: shareLookups(options.resolve ?? createNameResolver()),
    clock,
    authorities: () => (authorities ??= trustedAuthorities(options.ca)),
    connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
  };
  const { policy } = connectorOptions;
  const waiting = createWaitingRequests();
  /** Set by the first request. */
  let opening: Promise<Dispatchers> | undefined;
  let opened: Dispatchers | undefined;
  let underWay = 0;
  const idle = Promise.withResolvers<void>();
  let closed = false;

  async function open(): Promise<Dispatchers> {
    opening ??= openDispatchers(connectorOptions, waiting);
    opened = await opening;
    return opened;
  }

  async function exchangeFresh({ fresh }: Dispatchers, exchangeOptions: ExchangeOptions): Promise<Exchanged> {
    const over = new AbortController();
    const client = fresh(exchangeOptions.hop.url.origin, over.signal);
    try {
      return await exchange(client, exchangeOptions);
    } finally {
      over.abort();
      await client.destroy();
    }
  }

  async function exchangeKept({ kept }: Dispatchers, exchangeOptions: ExchangeOptions): Promise<Exchanged> {
    const end = waiting.begin(exchangeOptions.hop.url.origin);
    try {
      return await exchange(kept, exchangeOptions);
    } finally {
      end();
    }
  }

  /** Awaits only the exchange itself, since each further promise adds to the cost of a request. */
  async function follow(request: EgressRequest, stopping: Stopping): Promise<EgressResponse> {
    let hop = firstHop(request, policy.checkUrl(request.url));
    const dispatchers = opened ?? (await open());
    for (let followed = 0; ; followed++) {
      const exchangeOptions: ExchangeOptions = {
        hop,
        stopping,
        maxResponseBytes: request.maxResponseBytes ?? options.maxResponseBytes ?? 8 * 1024 * 1024,
        onOversize: request.onOversize ?? "error",
        beforeSend: request.beforeSend,
      };
      let answer: Exchanged;
      try {
        answer = await (request.connection === "fresh"
          ? exchangeFresh(dispatchers, exchangeOptions)
          : exchangeKept(dispatchers, exchangeOptions));
      } catch (error) {
        throw followed > 0 && error instanceof EgressError ? sentBefore(error) : error;
      }
      const response = new Answer(answer, hop.url.href);
      const mayRedirect = answer.status >= 300 && answer.status < 400;
      const next = nextHop(hop, answer.status, mayRedirect ? response.headers.get("location") : null);
      if (next.kind === "none" || followed >= (request.redirects ?? 0)) return response;
      const refused = { sent: "maybe", responseStatus: answer.status } as const;
      if (next.kind === "refused") {
        const message = `The redirect of "${hop.url.host}" was not followed: ${next.why}.`;
        throw new EgressError("destination", message, refused);
      }
      try {
        policy.checkUrl(next.hop.url);
      } catch (error) {
        if (!(error instanceof EgressError)) throw error;
        const { failure, message, isPrivateNetwork } = error;
        throw new EgressError(failure, message, { ...refused, isPrivateNetwork });
      }
      hop = next.hop;
    }
  }

  function begin(): void {
    if (closed) throw new EgressError("closed", "The egress client is closed.", { sent: "no" });
    underWay += 1;
  }

  function end(): void {
    underWay -= 1;
    if (closed && underWay === 0) idle.resolve();
  }

  async function connect(request: EgressConnect): Promise<GuardedConnection> {
    begin();
    try {
      return await openConnection(request, connectorOptions);
    } finally {
      end();
    }
  }

  async function fetch(request: EgressRequest): Promise<EgressResponse> {
    begin();
    const stopping: Stopping = { reason: undefined, notify: undefined };
    const stop = (reason: Stop): void => {
      if (stopping.reason !== undefined) return;
      stopping.reason = reason;
      stopping.notify?.();
    };
    const onAbort = () => stop({ failure: "aborted", cause: request.signal?.reason });
    if (request.signal?.aborted) onAbort();
    request.signal?.addEventListener("abort", onAbort, { once: true });
    const timeoutMs = request.timeoutMs ?? 30_000;
    const cancelDeadline = afterReading(clock, timeoutMs, () => stop({ failure: "timeout", timeoutMs }));
    try {
      return await follow(request, stopping);
    } finally {
      cancelDeadline();
      request.signal?.removeEventListener("abort", onAbort);
      end();
    }
  }

  return {
    fetch,
    connect,
    check: (destination) => checkDestination(destination, connectorOptions),
    async close() {
      closed = true;
      if (underWay > 0) await idle.promise;
      await (await opening)?.kept.destroy();
    },
  };
}

class Answer implements EgressResponse {
  readonly status: number;
  readonly body: Uint8Array;
  readonly truncated: boolean;
  readonly url: string;
  readonly #raw: RawHeaders;
  #headers: Headers | undefined;

  constructor({ status, body, truncated, headers }: Exchanged, url: string) {
    this.status = status;
    this.body = body;
    this.truncated = truncated;
    this.url = url;
    this.#raw = headers;
  }

  get headers(): Headers {
    this.#headers ??= readHeaders(this.#raw);
    return this.#headers;
  }
}

function readHeaders(raw: RawHeaders): Headers {
  const read = new Headers();
  for (const [name, value] of Object.entries(raw)) {
    for (const one of [value ?? []].flat()) read.append(name, one);
  }
  return read;
}

function firstHop(request: EgressRequest, url: URL): Hop {
  return {
    url,
    method: checkMethod(request.method ?? "GET"),
    // Bodies are not decoded, so the request accepts no content coding.
    headers: { "user-agent": "Procedo", "accept-encoding": "identity", ...checkHeaders(request.headers ?? {}) },
    body: request.body,
  };
}
