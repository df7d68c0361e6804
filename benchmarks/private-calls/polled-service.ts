/**
 * The service's side of retoolrpc's protocol, hand-written and in memory: its client polls every second and gets one
 * call.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { CallsService } from "./calls-child.ts";

export async function listenPolled(): Promise<CallsService> {
  const calls: number[] = [];
  const waiting = new Map<string, () => void>();

  const answer = async (request: IncomingMessage): Promise<object> => {
    let text = "";
    for await (const chunk of request.setEncoding("utf8") as AsyncIterable<string>) text += chunk;
    switch (request.url) {
      case "/api/v1/retoolrpc/registerAgent":
        return { versionHash: "1" };
      case "/api/v1/retoolrpc/popQuery": {
        const n = calls.shift();
        if (n === undefined) return { query: null };
        const queryInfo = { method: "echo", parameters: { n }, context: {} };
        return { query: { queryUuid: String(n), queryInfo } };
      }
      case "/api/v1/retoolrpc/postQueryResponse": {
        const { queryUuid } = JSON.parse(text) as { readonly queryUuid: string };
        waiting.get(queryUuid)?.();
        waiting.delete(queryUuid);
        return { success: true };
      }
      default:
        throw new Error(`retoolrpc asks for ${request.url ?? ""}, which this side of its protocol does not have.`);
    }
  };
  const server = createServer((request, response) => {
    void answer(request).then((body) =>
      response.setHeader("content-type", "application/json").end(JSON.stringify(body)),
    );
  });
  // Longer than the second between two polls: its client discards a result if its connection is closed meanwhile.
  server.keepAliveTimeout = 60_000;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: "",
    prepare: () => Promise.resolve(),
    commits: () => Promise.resolve(0),
    call: (n) =>
      new Promise((resolve) => {
        waiting.set(String(n), resolve);
        calls.push(n);
      }),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
