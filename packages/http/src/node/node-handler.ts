import type { IncomingMessage, ServerResponse } from "node:http";
import { checkOptionNames } from "@procedo/contract";
import { systemClock } from "@procedo/engine";
import type { Http } from "../create-http.ts";
import { createCallerAddress } from "./caller-address.ts";
import { nodeRequest, pathOf } from "./node-request.ts";
import { sendAnswer, type SendPorts } from "./send-answer.ts";
import type { NodeListenerOptions } from "./serve-node.ts";
import { createTurns } from "./turns.ts";
import { createUnreadAnswerLimiter } from "./unread-answer-limiter.ts";

/**
 * Answers a request of a Node server, or passes it on.
 *
 * @param next - called for a path that does not belong to the interface; without it, such a path is answered 404
 */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse, next?: () => void) => void;

/** Options of a handler on your own server. */
export interface NodeHandlerOptions {
  /** The reverse proxies before the server, as `trustedProxies` of `serveNode`. @defaultValue none: `X-Forwarded-For` is not read */
  readonly trustedProxies?: NodeListenerOptions["trustedProxies"];
}

/**
 * The interface as a listener for your own `node:http` server, or as middleware of a framework on one. Create one
 * handler for the server, and mount it before any middleware that reads bodies: a body that was read already is
 * answered 500. Paths are those that callers send, also for middleware that is mounted at a path; for endpoints under
 * a path, give `createHttp` a `basePath`. Your server remains responsible for socket limits, timeouts and shutdown.
 *
 * @example
 * ```ts
 * import { createServer } from "node:http";
 * import { nodeHandler, type Http } from "@procedo/http";
 *
 * const serve = (http: Http) => createServer(nodeHandler(http)).listen(8787);
 * ```
 */
export function nodeHandler(http: Pick<Http, "answer" | "serves">, options: NodeHandlerOptions = {}): NodeHandler {
  checkOptionNames("nodeHandler", { trustedProxies: true }, options, "invalid_configuration");
  const addressOf = createCallerAddress(options.trustedProxies);
  const turns = createTurns();
  const ports: SendPorts = { clock: systemClock, unreadAnswerLimiter: createUnreadAnswerLimiter() };
  const handle = async (request: IncomingMessage, response: ServerResponse, target: string): Promise<void> => {
    const answer = await http.answer(
      nodeRequest(request, target, {
        // By default, a server drops all but the first of two Authorization headers. Cookies may be in several headers.
        header: (name) => (name === "cookie" ? request.headers.cookie : request.headersDistinct[name]?.join(", ")),
        addressOf,
        beforeBody: () => {},
        waitSignal: () => untilClosed(response),
        pollSignal: () => untilClosed(response),
      }),
    );
    if (answer === undefined) response.destroy();
    else await sendAnswer(ports, request, response, answer);
  };
  return (request, response, next) => {
    const target = pathOf(targetOf(request));
    if (next !== undefined && !http.serves(target.split("?", 1)[0] ?? "")) return next();
    turns.take(request, response, () => void handle(request, response, target));
  };
}

/** The target as the caller sent it. A framework removes the path at which it mounts a handler from `url`. */
function targetOf(request: IncomingMessage & { readonly originalUrl?: unknown }): string {
  return typeof request.originalUrl === "string" ? request.originalUrl : (request.url ?? "/");
}

function untilClosed(response: ServerResponse): AbortSignal {
  const wait = new AbortController();
  if (response.destroyed) wait.abort();
  response.once("close", () => {
    // After a complete answer there is no waiter left, and each abort would create an error with a stack.
    if (!response.writableFinished) wait.abort();
  });
  return wait.signal;
}
