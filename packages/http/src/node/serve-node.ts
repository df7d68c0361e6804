/*
 * A listener on node:http for the same core that answers web requests, without their objects.
 *
 *   node-request.ts    what the core sees of a request
 *   read-node-body.ts  reading it, and throwing away what nobody reads
 *   turns.ts           one request of a connection at a time
 *   send-answer.ts     answering it
 *   waiting-answers.ts bytes of answers that wait, of a key and of an environment
 *   open-connections.ts
 *                      which connection gives way when there are too many
 *   refusals.ts        what is answered to what is hardly HTTP
 *   drain.ts           ending without cutting anybody off
 *   node-handler.ts    the same for a server that is somebody else's
 */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { checkOptionNames, kindOf, ProcedoError, quotedValue, type OptionNames } from "@procedo/contract";
import { systemClock, systemRandom, type Clock } from "@procedo/engine";
import type { Http } from "../create-http.ts";
import { createRequestIds } from "../request/request-ids.ts";
import { createDrain } from "./drain.ts";
import { nodeRequest, pathOf } from "./node-request.ts";
import { limitConnections } from "./open-connections.ts";
import { refuseMalformed, refusalOf } from "./refusals.ts";
import { leaveUntaken, sendAnswer, type SendPorts } from "./send-answer.ts";
import { createTurns } from "./turns.ts";
import { createWaitingAnswers } from "./waiting-answers.ts";

/** Address and limits of a Node HTTP server. */
export interface NodeListenerOptions {
  /** 0: any free one. */
  readonly port: number;
  /** Address to listen on. @defaultValue "127.0.0.1" */
  readonly host?: string;
  /**
   * Connections at once. For one more the oldest on which no request is under way is closed; where there is none, the new
   * one is.
   *
   * @defaultValue 10000
   */
  readonly maxConnections?: number;
  /**
   * Listeners for what lies beside the interface, by the first segment of the path: `metrics`, `dashboard`. Limits of
   * sockets, headers and unread answers hold for them too, everything else is theirs.
   */
  readonly beside?: Readonly<Record<string, RequestListener>>;
  /** @defaultValue the machine's */
  readonly clock?: Clock;
}

const optionNames = {
  port: true,
  host: true,
  maxConnections: true,
  beside: true,
  clock: true,
} satisfies OptionNames<NodeListenerOptions>;

/** A Node HTTP server that listens. */
export interface NodeListener {
  readonly port: number;
  /**
   * Takes no more connections, answers what is under way, and ends. Requests that wait for their run are answered at the
   * latest after `drainMs`, as if their own time were over: the run goes on, and they have its `statusUrl`.
   *
   * @defaultValue `drainMs` 60000
   */
  close(options?: { readonly drainMs?: number }): Promise<void>;
}

const defaultDrainMs = 60_000;
const defaultMaxConnections = 10_000;
const maxHeaderBytes = 16 * 1024;
/** Time for a request's headers, and for all of it; then its socket is closed. */
const headersTimeoutMs = 10_000;
const requestTimeoutMs = 30_000;
const checkTimeoutsMs = 1_000;
/** Longer than the minute for which proxies keep a connection, so that they never send into a closing one. */
const keepAliveTimeoutMs = 65_000;

/**
 * Serves the interface from `node:http`. Resolves when it listens.
 *
 * @throws ProcedoError `invalid_configuration` for an option that is missing, wrong or not known
 */
export async function serveNode(http: Pick<Http, "answer">, options: NodeListenerOptions): Promise<NodeListener> {
  checkOptionNames("serveNode", optionNames, options, "invalid_configuration");
  checkHttpAndPort(http, options.port);
  checkSettings(options);
  const { clock = systemClock, beside } = options;
  const requestIds = createRequestIds(systemRandom());
  const besides = new Map(Object.entries(beside ?? {}));

  const server = createServer({
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: checkTimeoutsMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    // Two keys are no key: joined, they are malformed.
    joinDuplicateHeaders: true,
  });
  // All that fit into the limit above are read, so that too many can be refused instead of being dropped.
  server.maxHeadersCount = 0;
  const turns = createTurns();
  const connections = limitConnections(server, options.maxConnections ?? defaultMaxConnections, turns);
  const drain = createDrain(server, clock);
  const sending: SendPorts = { clock, waitingAnswers: createWaitingAnswers() };

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
        beforeBody: () => (expectsContinue ? response.writeContinue() : undefined),
        waitSignal: () => drain.waitSignal(response),
        pollSignal: () => drain.pollSignal(response),
      }),
    );
    if (drain.begun) response.shouldKeepAlive = false;
    // An answer in pieces is under way until the last of them was taken.
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
    throw invalid(`serveNode was given ${kindOf(http)} as its handler. Give what createHttp returns.`);
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
