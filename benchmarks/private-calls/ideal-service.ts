/**
 * The ceiling: a hand-written long poll on node:http, with one call per poll, all in memory. Acknowledgements are
 * recorded.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { CallsService } from "./calls-child.ts";

export async function listenIdeal(): Promise<CallsService> {
  const polls: ServerResponse[] = [];
  const calls: string[] = [];
  const waiting = new Map<number, () => void>();
  const acknowledged = new Set<number>();

  const match = (): void => {
    while (polls.length > 0 && calls.length > 0) polls.shift()?.end(calls.shift());
  };
  const result = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let text = "";
    for await (const chunk of request.setEncoding("utf8") as AsyncIterable<string>) text += chunk;
    const { n } = JSON.parse(text) as { readonly n: number };
    if (request.method === "PUT") acknowledged.add(n);
    else {
      acknowledged.delete(n);
      waiting.get(n)?.();
      waiting.delete(n);
    }
    response.end('{"success":true}');
  };
  const server = createServer((request, response) => {
    if (request.method !== "GET") {
      void result(request, response);
      return;
    }
    polls.push(response);
    match();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: "",
    prepare: () => Promise.resolve(),
    commits: () => Promise.resolve(0),
    call: (n) =>
      new Promise((resolve) => {
        waiting.set(n, resolve);
        calls.push(JSON.stringify({ n }));
        match();
      }),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
