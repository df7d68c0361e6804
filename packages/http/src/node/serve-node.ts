/*
 * A listener on node:http for the same core that answers web requests, without `Request` and `Response` objects.
 *
 *   node-request.ts    conversion of a Node request
 *   caller-address.ts  the sender's address, also behind reverse proxies
 *   read-node-body.ts  reading a body, or discarding it
 *   turns.ts           one request at a time per connection
 *   send-answer.ts     sending an answer
 *   unread-answer-limiter.ts
 *                      limits on unread answers, per key and per environment
 *   open-connections.ts
 *                      limit on open connections
 *   refusals.ts        answers to malformed HTTP
 *   drain.ts           graceful shutdown
 *   node-handler.ts    the same interface on an existing server
 */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { checkOptionNames, kindOf, ProcedoError, quotedValue, type OptionNames } from "@procedo/contract";
import { systemClock, systemRandom, type Clock } from "@procedo/engine";
import type { Http } from "../create-http.ts";
import { createRequestIds } from "../request/request-ids.ts";
import { createCallerAddress } from "./caller-address.ts";
import { createDrain } from "./drain.ts";
import { nodeRequest, pathOf } from "./node-request.ts";
import { limitConnections } from "./open-connections.ts";
import { refuseMalformed, refusalOf } from "./refusals.ts";
import { leaveUntaken, sendAnswer, type SendPorts } from "./send-answer.ts";
import { createTurns } from "./turns.ts";
import { createUnreadAnswerLimiter } from "./unread-answer-limiter.ts";

/** Address and limits of a Node HTTP server. */
export interface NodeListenerOptions {
  /** TCP port; 0 for any free port. */
  readonly port: number;
  /** Address to listen on. @defaultValue "127.0.0.1" */
  readonly host?: string;
  /**
   * Maximum number of open connections. Above it, the oldest connection without a request in progress is closed;
   * without such a connection, the new one is closed.
   *
   * @defaultValue 10000
   */
  readonly maxConnections?: number;
  /**
   * Additional listeners by the first segment of the path, such as `metrics` or `dashboard`. The limits on sockets,
   * headers and unread answers apply to them too; everything else is their own responsibility.
   */
  readonly beside?: Readonly<Record<string, RequestListener>>;
  /**
   * The reverse proxies before the service, as networks in CIDR or single addresses. A request from one of them comes from
   * the last address in `X-Forwarded-For` that is not a trusted proxy. Limits per address, and the address of a session,
   * are then those of the sender. Name the proxies alone: any caller in these networks can state any address.
   *
   * @defaultValue none: the header is not read
   */
  readonly trustedProxies?: readonly string[];
  /** The source of times and delays. @defaultValue the system's clock */
  readonly clock?: Clock;
}

const optionNames = {
  port: true,
  host: true,
  maxConnections: true,
  beside: true,
  trustedProxies: true,
  clock: true,
} satisfies OptionNames<NodeListenerOptions>;

/** A listening Node HTTP server. */
export interface NodeListener {
  /** The port that the server listens on. */
  readonly port: number;
  /**
   * Stops accepting connections, answers the requests in progress, and closes. A request that waits for its run is
   * answered after `drainMs` at the latest, as if its own timeout had passed. The run continues; the answer has its
   * `statusUrl`.
   *
   * @defaultValue `drainMs` 60000
   */
  close(options?: { readonly drainMs?: number }): Promise<void>;
}

const defaultDrainMs = 60_000;
const defaultMaxConnections = 10_000;
const maxHeaderBytes = 16 * 1024;
/** Time limits for the headers of a request, and for the complete request; then its socket is closed. */
const headersTimeoutMs = 10_000;
const requestTimeoutMs = 30_000;
const checkTimeoutsMs = 1_000;
/** Longer than the minute for which proxies keep connections, so that a proxy never sends on a closing connection. */
const keepAliveTimeoutMs = 65_000;

/**
 * Serves the interface from `node:http`. Resolves when the server listens.
 *
 * @throws ProcedoError `invalid_configuration` for a missing, invalid or unknown option
 * @example
 * ```ts
 * import { serveNode, type Http } from "@procedo/http";
 *
 * async function serve(http: Http) {
 *   const listener = await serveNode(http, { port: 8787 });
 *   process.once("SIGTERM", () => void listener.close({ drainMs: 10_000 }));
 * }
 * ```
 */
export async function serveNode(http: Pick<Http, "answer">, options: NodeListenerOptions): Promise<NodeListener> {
  checkOptionNames("serveNode", optionNames, options, "invalid_configuration");
  checkHttpAndPort(http, options.port);
  checkSettings(options);
  const { clock = systemClock, beside } = options;
  const requestIds = createRequestIds(systemRandom());
  const addressOf = createCallerAddress(options.trustedProxies);
  const besides = new Map(Object.entries(beside ?? {}));

  const server = createServer({
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: checkTimeoutsMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    // Two joined Authorization headers are malformed, so that a request with two keys is refused.
    joinDuplicateHeaders: true,
  });
  // Reads all headers within the size limit, so that too many are refused instead of silently dropped.
  server.maxHeadersCount = 0;
  const turns = createTurns();
  const connections = limitConnections(server, options.maxConnections ?? defaultMaxConnections, turns);
  const drain = createDrain(server, clock);
  const sending: SendPorts = { clock, unreadAnswerLimiter: createUnreadAnswerLimiter() };

  const listener = async (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean) => {
    const refusal = refusalOf(request, requestIds);
    if (refusal !== undefined) {
      response.shouldKeepAlive = false;
      void sendAnswer(sending, request, response, refusal);
      return;
    }
    const path = pathOf(request.url ?? "/");
    if (besides.size > 0) {
      const other = besides.get(/^\/([^/?]*)/.exec(path)?.[1] ?? "");
      if (other !== undefined) {
        if (expectsContinue) response.writeContinue();
        response.once("prefinish", () => leaveUntaken(sending, response, undefined, response.writableLength));
        other(request, response);
        return;
      }
    }
    drain.began(request.socket);
    const answer = await http.answer(
      nodeRequest(request, path, {
        header: (name) => {
          const value = request.headers[name];
          return typeof value === "object" ? value.join(", ") : value;
        },
        addressOf,
        beforeBody: () => (expectsContinue ? response.writeContinue() : undefined),
        waitSignal: () => drain.waitSignal(response),
        pollSignal: () => drain.pollSignal(response),
      }),
    );
    if (drain.begun) response.shouldKeepAlive = false;
    // An answer in pieces is in progress until its last piece was sent.
    if (answer === undefined) response.destroy();
    else await sendAnswer(sending, request, response, answer);
    drain.answered(request.socket);
  };

  const onRequest = (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void => {
    connections.began(request.socket);
    turns.take(request, response, () => void listener(request, response, expectsContinue));
  };
  server.on("request", (request, response) => onRequest(request, response, false));
  server.on("checkContinue", (request, response) => onRequest(request, response, true));
  server.on("clientError", (error, socket) => refuseMalformed(error, socket, drain.isAnswering(socket), requestIds));

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host ?? "127.0.0.1", () => {
      server.off("error", reject);
      resolve();
    });
  });
  const { port } = server.address() as AddressInfo;
  return { port, close: ({ drainMs = defaultDrainMs } = {}) => drain.end(drainMs) };
}

function checkHttpAndPort(http: unknown, port: unknown): void {
  if (typeof http !== "object" || http === null || !("answer" in http)) {
    throw invalid(`serveNode was given ${kindOf(http)} as its handler. Give the result of createHttp.`);
  }
  if (Number.isInteger(port) && Number(port) >= 0 && Number(port) <= 65_535) return;
  throw invalid(`The option port is ${typeof port === "number" ? port : kindOf(port)}. Give 0 to 65535.`);
}

function checkSettings({ host, maxConnections, beside }: NodeListenerOptions): void {
  if (host !== undefined && typeof host !== "string") {
    throw invalid(`The option host is ${kindOf(host)}. Give an address to listen on, such as "127.0.0.1".`);
  }
  if (maxConnections !== undefined && !(Number.isInteger(maxConnections) && maxConnections >= 1)) {
    throw invalid(`The option maxConnections is ${quotedValue(maxConnections)}. Give a whole number of at least 1.`);
  }
  for (const [path, listener] of Object.entries(beside ?? {})) {
    if (typeof listener === "function") continue;
    throw invalid(
      `The option beside has ${kindOf(listener)} for "${path}". Give a function of a request and a response.`,
    );
  }
}

function invalid(message: string): ProcedoError {
  return new ProcedoError("invalid_configuration", message);
}
