import type { AddressInfo, Socket } from "node:net";
import { connect, createServer } from "node:net";

/** A proxy in front of a database that can lose messages. */
export interface CuttingProxy {
  /** The database's address through the proxy. */
  readonly url: string;
  /**
   * Cuts the connection on which a message contains the text, after the server has answered it and before the answer
   * arrives.
   */
  cutAnswerTo(text: string): void;
  /** Cuts the connection on which a message contains the text, before the message arrives. */
  cutBefore(text: string): void;
  close(): Promise<void>;
}

export async function openCuttingProxy(url: string): Promise<CuttingProxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let wanted: { readonly text: string; readonly arrives: boolean } | undefined;

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    let cutting = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
      socket.on("error", () => undefined);
    }
    client.on("data", (message) => {
      if (wanted !== undefined && message.includes(wanted.text)) {
        const { arrives } = wanted;
        wanted = undefined;
        if (!arrives) return void client.destroy();
        cutting = true;
      }
      upstream.write(message);
    });
    upstream.on("data", (message) => {
      if (cutting) client.destroy();
      else client.write(message);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const own = new URL(url);
  own.port = String((server.address() as AddressInfo).port);

  return {
    url: own.href,
    cutAnswerTo: (text) => void (wanted = { text, arrives: true }),
    cutBefore: (text) => void (wanted = { text, arrives: false }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
