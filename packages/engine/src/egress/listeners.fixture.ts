import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import type { Clock } from "../ports/clock.ts";

/** A real listener on all addresses of this machine. It records the address of each connection. */
export interface Listener {
  readonly port: number;
  /** The local address of each connection, in order of arrival. */
  readonly arrivals: readonly string[];
  /** All text that was received, over all connections. */
  received(): string;
}

/** Listens until the test ends. `onConnection` receives the raw socket. */
export async function listen(
  onConnection: (socket: Socket) => void = () => {},
  decorate: (accept: (socket: Socket) => void) => Server = (accept) => createServer(accept),
): Promise<Listener> {
  const arrivals: string[] = [];
  const chunks: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server = decorate((socket) => {
    socket.on("error", () => {});
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    onConnection(socket);
  });
  server.on("connection", (socket: Socket) => {
    sockets.add(socket.on("error", () => {}));
    arrivals.push((socket.localAddress ?? "").replace("::ffff:", ""));
  });
  await new Promise<void>((resolve) => {
    // A machine without IPv6 cannot listen on `::`.
    server.once("error", () => server.listen(0, "0.0.0.0"));
    server.once("listening", resolve);
    server.listen(0, "::");
  });
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  );
  const { port } = server.address() as AddressInfo;
  return { port, arrivals, received: () => Buffer.concat(chunks).toString("latin1") };
}

/** Answers each request with the same bytes once its head has arrived. */
export function answering(bytes: string | ((head: string) => string)): (socket: Socket) => void {
  return (socket) =>
    socket.on("data", (chunk: Buffer) => {
      const head = chunk.toString("latin1");
      if (head.includes("\r\n\r\n")) socket.write(typeof bytes === "string" ? bytes : bytes(head), "latin1");
    });
}

/** A whole HTTP answer. */
export function http(status: string, headers: readonly string[], body = ""): string {
  return [`HTTP/1.1 ${status}`, ...headers, `content-length: ${body.length}`, "", body].join("\r\n");
}

/** A port of this machine on which nothing listens. */
export async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}

/** Calls back once the client under test has read an answer's head, or a first part of its body. */
export function onceRead(what: "headers" | "bodyChunkReceived", callback: () => void): void {
  const onMessage = (): void => {
    unsubscribe(`undici:request:${what}`, onMessage);
    // The channel is notified immediately before the client's own handler.
    setImmediate(callback);
  };
  subscribe(`undici:request:${what}`, onMessage);
  onTestFinished(() => void unsubscribe(`undici:request:${what}`, onMessage));
}

/** A clock whose timers fire when the test says so. */
export function timersByDelay(): {
  readonly clock: Pick<Clock, "after" | "soon">;
  /** Runs the timers that were set to this delay. */
  fire(delayMs: number): void;
  readonly pending: () => number;
} {
  const waiting = new Set<{ readonly delayMs: number; readonly callback: () => void }>();
  const after: Clock["after"] = (delayMs, callback) => {
    const entry = { delayMs, callback };
    waiting.add(entry);
    return () => waiting.delete(entry);
  };
  return {
    clock: { after, soon: (callback) => void setImmediate(callback) },
    fire(delayMs) {
      for (const entry of [...waiting].filter((one) => one.delayMs === delayMs)) {
        waiting.delete(entry);
        entry.callback();
      }
    },
    pending: () => waiting.size,
  };
}
