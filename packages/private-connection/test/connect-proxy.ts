import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";

/** A corporate proxy: it tunnels to this machine for any name, and only it can resolve that name. */
export interface ConnectProxy extends AsyncDisposable {
  readonly url: string;
  /** The requested destinations: `host:port`. */
  readonly tunnels: string[];
  /** All bytes that passed through it. */
  readonly seen: string[];
  /** The credentials that it requires, as `user:password`. */
  credentials: string | undefined;
  /** The bytes that it sends before it opens the tunnel. */
  interim: string;
}

export async function startConnectProxy(): Promise<ConnectProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((_request, response) => response.writeHead(501).end());
  const proxy: ConnectProxy = {
    ...{ tunnels: [], seen: [], credentials: undefined, interim: "" },
    get url() {
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
  server.on("connection", (socket) => sockets.add(socket.on("error", () => undefined)));
  server.on("connect", (request, client: Socket) => {
    proxy.tunnels.push(request.url ?? "");
    const expected = proxy.credentials && `Basic ${Buffer.from(proxy.credentials).toString("base64")}`;
    if (request.headers["proxy-authorization"] !== expected) {
      client.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
      return;
    }
    const upstream = connect(Number(request.url?.split(":")[1]), "127.0.0.1");
    sockets.add(upstream.on("error", () => client.destroy()));
    client.on("error", () => upstream.destroy());
    client.write(`${proxy.interim}HTTP/1.1 200 Connection Established\r\n\r\n`);
    client.on("data", (chunk: Buffer) => proxy.seen.push(chunk.toString("latin1")));
    upstream.pipe(client);
    client.pipe(upstream);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return proxy;
}
