import { once } from "node:events";
import { createServer, connect, type AddressInfo, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { createMessageReader } from "@procedo-testing/postgres";
import { createStatementReader, saysDone, sqlStateOf } from "./postgres-wire.ts";

/** A network between processes and Postgres, in which everything may go wrong. */
export interface TcpProxy {
  readonly port: number;
  /** The same database, reached through here. */
  through(databaseUrl: string): string;
  /** Where connections go that are made from now on; those that there are stay where they are. */
  switchTo(port: number): void;
  /** Delays everything by so many milliseconds, drawn anew for each chunk; the order stays. */
  slow(delayMs: () => number): void;
  /** Nothing passes any more, and nobody is told: what is sent waits, as in the network's buffers. */
  partition(): void;
  /** What has waited arrives, and everything passes again, without delay. */
  heal(): void;
  /** Forgets Postgres' half of each connection: whoever holds the other half is not told until the next `heal`. */
  halfOpen(): void;
  /** Cuts every connection. */
  cutAll(): void;
  /** Cuts each connection of today when so many more bytes have come back on it. */
  cutAfterBytes(bytes: number): void;
  /** Decides about each statement. `open`: it is inside a transaction that was begun before. */
  onStatement(decide: DecideStatement): void;
  /** How often Postgres has answered with which SQLSTATE. */
  readonly errors: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/**
 * `lost`: the connection is cut before Postgres hears of the statement; `unanswered`: Postgres is done with it, and the
 * connection is cut before the answer arrives.
 */
export type StatementFate = "passes" | "lost" | "unanswered";

export type DecideStatement = (statement: { readonly text: string; readonly open: boolean }) => StatementFate;

interface Line {
  readonly client: Socket;
  readonly server: Socket;
  halfOpen: boolean;
  bytesLeft: number;
  cut(): void;
}

export async function startProxy(targetPort: number): Promise<TcpProxy> {
  const lines = new Set<Line>();
  let target = targetPort;
  let delayMs = (): number => 0;
  let decide: DecideStatement = () => "passes";
  const errors = new Map<string, number>();
  let open = Promise.withResolvers<void>();
  open.resolve();
  let parted = false;

  const begin = (client: Socket): void => {
    const server = connect({ port: target, host: "127.0.0.1" });
    const cut = (): void => {
      lines.delete(line);
      client.destroy();
      server.destroy();
    };
    const line: Line = { client, server, halfOpen: false, bytesLeft: Infinity, cut };
    lines.add(line);
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      // The end of either side is the line's.
      socket.on("error", () => {});
      socket.on("close", () => {
        if (!line.halfOpen) void passed(Promise.resolve()).then(cut);
      });
    }
    const statementOf = createStatementReader();
    const readClient = createMessageReader(true);
    const readServer = createMessageReader(false);
    let unanswered = false;
    let inTransaction = false;

    carry(client, (chunk) => {
      for (const message of readClient(chunk)) {
        const text = statementOf(message);
        const fate = text === undefined ? "passes" : decide({ text, open: inTransaction });
        if (text !== undefined && /^\s*(begin|start transaction)\b/i.test(text)) inTransaction = true;
        if (text !== undefined && /^\s*(commit|rollback)\b(?! to)/i.test(text)) inTransaction = false;
        if (fate === "lost") return cut();
        if (fate === "unanswered") unanswered = true;
        server.write(message.bytes);
      }
    });
    carry(server, (chunk) => {
      const messages = readServer(chunk);
      for (const code of messages.flatMap((message) => sqlStateOf(message) ?? [])) {
        errors.set(code, (errors.get(code) ?? 0) + 1);
      }
      const done = messages.some(saysDone);
      if (unanswered) {
        if (done) cut();
        return;
      }
      line.bytesLeft -= chunk.length;
      client.write(line.bytesLeft < 0 ? chunk.subarray(0, chunk.length + line.bytesLeft) : chunk);
      if (line.bytesLeft < 0) client.end(cut);
    });
  };

  /** Hands chunks on one after the other, each when the network lets it pass. */
  const carry = (from: Socket, hand: (chunk: Buffer) => void): void => {
    let last = Promise.resolve();
    from.on("data", (chunk: Buffer) => {
      last = passed(last).then(() => hand(chunk));
    });
  };
  const passed = async (before: Promise<void>): Promise<void> => {
    const delay = delayMs();
    if (delay > 0) await pause(delay);
    await before;
    while (parted) await open.promise;
  };

  const listener = createServer(begin).listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;
  const cutAll = (): void => {
    for (const line of [...lines]) line.cut();
  };
  const heal = (): void => {
    delayMs = () => 0;
    parted = false;
    open.resolve();
    for (const line of [...lines]) if (line.halfOpen) line.cut();
  };
  return {
    port,
    errors,
    through: (databaseUrl) => {
      const url = new URL(databaseUrl);
      url.port = String(port);
      return url.href;
    },
    switchTo: (next) => void (target = next),
    slow: (drawn) => void (delayMs = drawn),
    partition: () => {
      if (!parted) open = Promise.withResolvers<void>();
      parted = true;
    },
    heal,
    halfOpen: () => {
      for (const line of lines) {
        line.halfOpen = true;
        line.server.destroy();
      }
    },
    cutAll,
    cutAfterBytes: (bytes) => {
      for (const line of lines) line.bytesLeft = bytes;
    },
    onStatement: (next) => void (decide = next),
    close: async () => {
      heal();
      cutAll();
      listener.close();
      await once(listener, "close");
    },
  };
}
