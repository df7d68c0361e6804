import type { IncomingMessage } from "node:http";
import type { HttpRequest } from "../request/http-request.ts";
import type { CallerAddress } from "./caller-address.ts";
import { readNodeBody } from "./read-node-body.ts";

/** Converts a Node request to the form that the core reads. */
export function nodeRequest(
  request: IncomingMessage,
  pathAndQuery: string,
  ports: Pick<HttpRequest, "header" | "waitSignal" | "pollSignal"> & {
    readonly beforeBody: () => void;
    readonly addressOf: CallerAddress;
  },
): HttpRequest {
  const mark = pathAndQuery.indexOf("?");
  return {
    method: request.method ?? "GET",
    path: mark === -1 ? pathAndQuery : pathAndQuery.slice(0, mark),
    query: mark === -1 ? "" : pathAndQuery.slice(mark + 1),
    // Read eagerly: a getter would give each request its own hidden class.
    address: ports.addressOf(request),
    header: ports.header,
    headers: () => new Map(Object.entries(request.headersDistinct).map(([name, lines = []]) => [name, lines])),
    readBody: (maxBytes, coming, signal) =>
      readNodeBody(request, maxBytes, { before: ports.beforeBody, coming, signal }),
    waitSignal: ports.waitSignal,
    pollSignal: ports.pollSignal,
  };
}

/** Returns the path and query of a request target; proxies may send the target in absolute form (RFC 9112, 3.2.2). */
export function pathOf(target: string): string {
  if (target.startsWith("/")) return target;
  const url = URL.canParse(target) ? new URL(target) : undefined;
  return url === undefined ? target : url.pathname + url.search;
}
