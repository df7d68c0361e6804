import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { signatureHeader, verifyWebhook, WebhookError, type WebhookEvent } from "@procedo/webhooks";

/** Somebody who is told of events, and believes only those that are signed. */
export interface Receiver {
  readonly url: string;
  /** The secret that deliveries are signed with. */
  trust(secret: string): void;
  /** Each event once, in the order of their arrival. */
  events(): readonly WebhookEvent[];
  /** Requests that were refused, and why. */
  refused(): readonly string[];
  /** Resolves when so many events have come, or the time is over. */
  waitFor(count: number, timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Listens on a free port of this machine. */
export async function openReceiver(): Promise<Receiver> {
  // A delivery may come more than once; its id tells.
  const received = new Map<string, WebhookEvent>();
  const refused: string[] = [];
  const waiting = new Set<() => void>();
  let secret = "";

  const receive = async (request: IncomingMessage): Promise<number> => {
    const body = Buffer.concat(await request.toArray());
    try {
      // node:http knows header names in small letters.
      const event = verifyWebhook({ body, signature: request.headers[signatureHeader.toLowerCase()], secret });
      received.set(event.id, event);
      for (const look of waiting) look();
      return 204;
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      refused.push(error.code);
      return 401;
    }
  };
  const server = createServer((request, response) => {
    receive(request).then(
      (status) => response.writeHead(status).end(),
      () => response.writeHead(500).end(),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    trust: (given) => {
      secret = given;
    },
    events: () => [...received.values()],
    refused: () => refused,
    waitFor: (count, timeoutMs) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (received.size >= count) finish();
        };
        const finish = (): void => {
          clearTimeout(timer);
          waiting.delete(look);
          resolve();
        };
        const timer = setTimeout(finish, timeoutMs);
        waiting.add(look);
        look();
      }),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
