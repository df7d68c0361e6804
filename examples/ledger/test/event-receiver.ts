import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A request with an event. */
export interface Received {
  readonly signature: string;
  readonly text: string;
  readonly event: Readonly<Record<string, unknown>>;
}

/** Starts a receiver of events that answers each request with the next of these statuses, then with 204. */
export async function startReceiver(...statuses: readonly number[]): Promise<{
  readonly url: string;
  readonly received: readonly Received[];
}> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void request.toArray().then((chunks) => {
      const text = Buffer.concat(chunks as Buffer[]).toString();
      const event = JSON.parse(text) as Received["event"];
      const status = statuses[received.length] ?? 204;
      received.push({ signature: String(request.headers["ledger-signature"]), text, event });
      response.writeHead(status).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`, received };
}
