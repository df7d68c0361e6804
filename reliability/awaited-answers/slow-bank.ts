import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * A bank that makes each payment at once, keeps no idempotency keys, and answers late. A repeated request therefore
 * pays again, and is counted.
 */
export interface SlowBank {
  readonly url: string;
  /** Payments that have arrived and are not answered yet. */
  readonly inFlight: number;
  /** The number of payments by idempotency key. */
  readonly paid: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

export async function openSlowBank(answerMs: number): Promise<SlowBank> {
  const paid = new Map<string, number>();
  let inFlight = 0;
  const server = createServer((request, response) => {
    const key = String(request.headers["idempotency-key"]);
    paid.set(key, (paid.get(key) ?? 0) + 1);
    inFlight += 1;
    request.resume();
    setTimeout(() => {
      inFlight -= 1;
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ receipt: key }));
    }, answerMs);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get inFlight() {
      return inFlight;
    },
    paid,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
