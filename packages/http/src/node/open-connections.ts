import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Turns } from "./turns.ts";

/**
 * Keeps the number of open connections. The one that gives way to a new one is the oldest of those that have sent no
 * request yet, else the oldest on which none is under way. All connections may come from one address, that of a proxy,
 * so that addresses are not told apart.
 */
export interface OpenConnections {
  /** A request has come on this connection. */
  began(socket: Socket): void;
}

export function limitConnections(server: Server, maxConnections: number, turns: Turns): OpenConnections {
  const open = new Set<Socket>();
  const silent = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    if (open.size >= maxConnections) {
      const idle = silent.values().next().value ?? firstIdle(open, turns);
      // Closed before its event says so: two that come at once take the place of two.
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
