import type { IncomingMessage } from "node:http";
import type { HttpRequest } from "../request/http-request.ts";
import { readNodeBody } from "./read-node-body.ts";

/** What the core sees of a request. */
export function nodeRequest(
  request: IncomingMessage,
  pathAndQuery: string,
  ports: Pick<HttpRequest, "header" | "waitSignal" | "pollSignal"> & { readonly beforeBody: () => void },
): HttpRequest {
  const mark = pathAndQuery.indexOf("?");
  return {
    method: request.method ?? "GET",
    path: mark === -1 ? pathAndQuery : pathAndQuery.slice(0, mark),
    query: mark === -1 ? "" : pathAndQuery.slice(mark + 1),
    // Read at once: a getter of its own would cost each request a hidden class.
    address: addressOf(request.socket.remoteAddress),
    header: ports.header,
    readBody: (maxBytes, coming, signal) =>
      readNodeBody(request, maxBytes, { before: ports.beforeBody, coming, signal }),
    waitSignal: ports.waitSignal,
    pollSignal: ports.pollSignal,
  };
}

/** Path and query of a request's target, which a proxy may send with the origin before it (RFC 9112, 3.2.2). */
export function pathOf(target: string): string {
  if (target.startsWith("/")) return target;
  const url = URL.canParse(target) ? new URL(target) : undefined;
  return url === undefined ? target : url.pathname + url.search;
}

/** An IPv4 address as itself, also where the listener takes both kinds. */
function addressOf(remote: string | undefined): string | undefined {
  return remote?.startsWith("::ffff:") === true ? remote.slice("::ffff:".length) : remote;
}
