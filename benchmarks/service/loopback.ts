import type { Server } from "node:http";
import type { AddressInfo, Server as TcpServer } from "node:net";

/** The only address on which these processes listen. */
export const LOOPBACK = "127.0.0.1";

export function listenOnFreePort(server: TcpServer): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, LOOPBACK, () => resolve((server.address() as AddressInfo).port));
  });
}

export function closeServer(server: Pick<Server, "close" | "closeAllConnections">): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
