import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Turns } from "./turns.ts";

/**
 * Limits the number of open connections. A new connection replaces the oldest connection without any request so far, or
 * else the oldest without a request in progress. Addresses play no role, because all connections may come from one
 * proxy.
 */
export interface OpenConnections {
  /** Records that a request arrived on this connection. */
  began(socket: Socket): void;
}

export function limitConnections(server: Server, maxConnections: number, turns: Turns): OpenConnections {
  const open = new Set<Socket>();
  const silent = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    if (open.size >= maxConnections) {
      const idle = silent.values().next().value ?? firstIdle(open, turns);
      // Removed before its `close` event, so that two simultaneous connections replace two others.
      if (idle !== undefined) forget(idle);
      (idle ?? socket).destroy();
      if (idle === undefined) return;
    }
    open.add(socket);
    silent.add(socket);
    socket.once("close", () => forget(socket));
  });
  const forget = (socket: Socket): void => {
    open.delete(socket);
    silent.delete(socket);
  };
  return { began: (socket) => void silent.delete(socket) };
}

function firstIdle(open: ReadonlySet<Socket>, turns: Turns): Socket | undefined {
  for (const socket of open) if (!turns.isBusy(socket)) return socket;
  return undefined;
}
