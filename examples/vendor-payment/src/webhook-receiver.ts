import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { signatureHeader, verifyWebhook, WebhookError, type WebhookEvent } from "@procedo/webhooks";

/** A receiver of webhooks that accepts only valid signatures. */
export interface Receiver {
  readonly url: string;
  /** The signing secret of deliveries. */
  trust(secret: string): void;
  /** The received events without duplicates, in order of arrival. */
  events(): readonly WebhookEvent[];
  /** The error codes of refused requests. */
  refused(): readonly string[];
  /** Resolves when this number of events has arrived, or the time is over. */
  waitFor(count: number, timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts a receiver on a free local port. */
export async function openReceiver(): Promise<Receiver> {
  // A delivery may arrive more than once; its id identifies duplicates.
  const received = new Map<string, WebhookEvent>();
  const refused: string[] = [];
  const waiting = new Set<() => void>();
  let secret = "";

  const receive = async (request: IncomingMessage): Promise<number> => {
    const body = Buffer.concat(await request.toArray());
    try {
      // node:http provides lower-case header names.
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
