import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { getResponse, type RequestHandler } from "msw";

/** A service on loopback. */
export interface ServedHandlers {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves handlers of msw on a free local port. The integrations thus send real requests, which pass the same checks as
 * those to the real services. `HttpResponse.error()` cuts the connection without an answer.
 */
export async function serveHandlers(handlers: readonly RequestHandler[]): Promise<ServedHandlers> {
  const server = createServer((incoming, outgoing) => {
    answer(handlers, incoming, outgoing).catch((error: unknown) => {
      outgoing.writeHead(500).end(`A handler failed: ${String(error)}`);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function answer(
  handlers: readonly RequestHandler[],
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const response = await getResponse([...handlers], await requestOf(incoming));
  if (response === undefined) {
    outgoing.writeHead(501).end(`No handler answers ${incoming.method} ${incoming.url}.`);
  } else if (response.type === "error") {
    outgoing.destroy();
  } else {
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  }
}

async function requestOf(incoming: IncomingMessage): Promise<Request> {
  const { method = "GET", url = "/", headers } = incoming;
  const body = Buffer.concat(await incoming.toArray());
  return new Request(`http://${headers.host}${url}`, {
    method,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
    ...(body.length > 0 && { body }),
  });
}
