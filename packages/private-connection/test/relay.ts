import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A network between client and service that can fail silently. */
export interface Relay {
  readonly url: string;
  /** The number of open connections. */
  readonly connections: number;
  /** From now on no bytes pass through the open connections; new ones work. */
  swallow(): void;
}

/** A relay to a service over plain HTTP; it ends with the test. */
export async function startRelay(serviceUrl: string): Promise<Relay> {
  const { port } = new URL(serviceUrl);
  const pairs = new Set<readonly [Socket, Socket]>();
  const server = createServer((client) => {
    const upstream = connect(Number(port), "127.0.0.1");
    const pair = [client, upstream] as const;
    pairs.add(pair);
    for (const [from, to] of [pair, [upstream, client] as const]) {
      from.on("data", (chunk: Buffer) => to.write(chunk));
      from
        .on("error", () => undefined)
        .on("close", () => {
          pairs.delete(pair);
          to.destroy();
        });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
    server.close();
    await once(server, "close");
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get connections() {
      return pairs.size;
    },
    swallow: () => {
      for (const pair of pairs) {
        for (const socket of pair) socket.removeAllListeners("data").resume();
      }
    },
  };
}
