import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import pg from "pg";
import { createMessageReader, type WireMessage } from "./wire-messages.ts";

/**
 * A pooler that follows PgBouncer's rules for clients that share server connections. In transaction mode, a client gets
 * the most recently returned server connection for one transaction, without a reset in between. In session mode, a
 * client keeps its server connection until it disconnects; the connection is then reset (`server_reset_query = DISCARD
 * ALL`). Prepared statements belong to the server connection. Start-up options are refused. There is no authentication.
 */
export interface Pooler {
  /** URL of the same database through the pooler. */
  readonly url: string;
  /** Runs a statement on every server connection and returns the first value of each. No connection may be in use. */
  askServers(sql: string): Promise<readonly unknown[]>;
  close(): Promise<void>;
}

export interface PoolerOptions {
  readonly mode: "transaction" | "session";
  /** Maximum number of server connections. Clients wait for a free one. */
  readonly size: number;
  /** Whether to use the longest idle server connection next (PgBouncer: `server_round_robin`). @defaultValue false */
  readonly roundRobin?: boolean;
}

interface ServerConnection {
  readonly client: pg.Client;
  readonly socket: Socket;
  /** The current client; `undefined` while the connection is free. */
  lentTo: ClientConnection | undefined;
  /** Number of outstanding "ready for query" messages. */
  owed: number;
  onReady: (() => void) | undefined;
  firstValue: unknown;
}

interface ClientConnection {
  readonly socket: Socket;
  readonly unsent: WireMessage[];
  server: ServerConnection | undefined;
  isWaiting: boolean;
}

export async function startPooler(databaseUrl: string, options: PoolerOptions): Promise<Pooler> {
  const { mode, size, roundRobin = false } = options;
  const servers = new Set<ServerConnection>();
  const free: ServerConnection[] = [];
  const waiting: ClientConnection[] = [];
  const clients = new Set<ClientConnection>();
  let opening = 0;

  async function openServer(): Promise<ServerConnection> {
    const client = new pg.Client({ connectionString: databaseUrl });
    client.on("error", () => undefined);
    await client.connect();
    // The driver has logged in; from here on, the connection carries the clients' messages.
    const { stream: socket } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection;
    socket.removeAllListeners("data");
    socket.setNoDelay(true);
    const server: ServerConnection = {
      client,
      socket,
      lentTo: undefined,
      owed: 0,
      onReady: undefined,
      firstValue: undefined,
    };
    const read = createMessageReader(false);
    socket.on("data", (chunk: Buffer) => {
      for (const message of read(chunk)) fromServer(server, message);
    });
    socket.on("close", () => {
      servers.delete(server);
      server.lentTo?.socket.destroy();
    });
    servers.add(server);
    return server;
  }

  function fromServer(server: ServerConnection, message: WireMessage): void {
    if (server.onReady !== undefined && message.type === "D") server.firstValue = firstValueOf(message);
    server.lentTo?.socket.write(message.bytes);
    if (message.type !== "Z") return;
    server.owed--;
    const isIdle = message.body.toString("latin1") === "I" && server.owed === 0;
    if (!isIdle) return;
    if (server.onReady !== undefined) {
      const { onReady } = server;
      server.onReady = undefined;
      return onReady();
    }
    if (mode === "transaction") release(server);
  }

  function release(server: ServerConnection): void {
    if (server.lentTo !== undefined) server.lentTo.server = undefined;
    server.lentTo = undefined;
    free.push(server);
    serveNext();
  }

  function serveNext(): void {
    while (waiting.length > 0) {
      const server = roundRobin ? free.shift() : free.pop();
      if (server === undefined) {
        if (servers.size + opening >= size) return;
        opening++;
        void openServer()
          .then((opened) => free.push(opened))
          .finally(() => {
            opening--;
            serveNext();
          });
        return;
      }
      const client = waiting.shift();
      if (client === undefined) return void free.push(server);
      client.isWaiting = false;
      client.server = server;
      server.lentTo = client;
      for (const message of client.unsent.splice(0)) toServer(server, message);
    }
  }

  function toServer(server: ServerConnection, { type, bytes }: WireMessage): void {
    if (type === "Q" || type === "S") server.owed++;
    server.socket.write(bytes);
  }

  function fromClient(client: ClientConnection, message: WireMessage): void {
    if (message.type === "") return void client.socket.write(welcome(message.body));
    if (message.type === "X") return void client.socket.end();
    if (client.server !== undefined) return toServer(client.server, message);
    client.unsent.push(message);
    if (client.isWaiting) return;
    client.isWaiting = true;
    waiting.push(client);
    serveNext();
  }

  function leave(client: ClientConnection): void {
    clients.delete(client);
    const at = waiting.indexOf(client);
    if (at !== -1) waiting.splice(at, 1);
    const { server } = client;
    if (server === undefined) return;
    server.lentTo = undefined;
    // After an unfinished transaction, the state of the connection is unknown.
    if (mode === "transaction" || server.owed > 0) return void server.socket.destroy();
    void ask(server, "DISCARD ALL").then(() => release(server));
  }

  function ask(server: ServerConnection, sql: string): Promise<unknown> {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    server.onReady = () => resolve(server.firstValue);
    toServer(server, queryMessage(sql));
    return promise;
  }

  const listener = createServer({ noDelay: true }, (socket) => {
    const client: ClientConnection = { socket, unsent: [], server: undefined, isWaiting: false };
    clients.add(client);
    const read = createMessageReader(true);
    socket.on("data", (chunk: Buffer) => {
      for (const message of read(chunk)) fromClient(client, message);
    });
    socket.on("error", () => undefined);
    socket.on("close", () => leave(client));
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const url = new URL(databaseUrl);
  url.port = String((listener.address() as AddressInfo).port);

  return {
    url: url.href,
    askServers: (sql) => Promise.all([...servers].map((server) => ask(server, sql))),
    async close() {
      listener.close();
      for (const { socket } of clients) socket.destroy();
      for (const { socket } of servers) socket.destroy();
      await once(listener, "close");
    },
  };
}

/** Answers a client's start-up message: accepts it, or refuses options that a pooler cannot pass on. */
function welcome(startUp: Buffer): Buffer {
  const [, ...words] = startUp.toString("latin1").slice(3).split("\0");
  if (words.includes("options")) {
    return message(
      "E",
      text("SFATAL"),
      text("C08P01"),
      text("Munsupported startup parameter: options"),
      Buffer.alloc(1),
    );
  }
  const settings = { server_version: "18.4", client_encoding: "UTF8", standard_conforming_strings: "on" };
  return Buffer.concat([
    message("R", Buffer.alloc(4)),
    ...Object.entries(settings).map(([name, value]) => message("S", text(name), text(value))),
    message("K", Buffer.alloc(8)),
    message("Z", Buffer.from("I")),
  ]);
}

function queryMessage(sql: string): WireMessage {
  return { type: "Q", body: text(sql), bytes: message("Q", text(sql)) };
}

/** Reads the first value of a row message. */
function firstValueOf({ body }: WireMessage): string | undefined {
  const size = body.readInt32BE(2);
  return size < 0 ? undefined : body.toString("utf8", 6, 6 + size);
}

function message(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(5);
  head.write(type, "latin1");
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const text = (value: string): Buffer => Buffer.from(`${value}\0`);
