import { once } from "node:events";
import { createServer, connect, type AddressInfo, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { createMessageReader } from "@procedo-testing/postgres";
import { createStatementReader, saysDone, sqlStateOf } from "./postgres-wire.ts";

/** A network between processes and Postgres, with faults. */
export interface TcpProxy {
  readonly port: number;
  /** The database's address through this proxy. */
  through(databaseUrl: string): string;
  /** Directs new connections to this port; existing ones stay. */
  switchTo(port: number): void;
  /** Delays each chunk by a random time up to this many milliseconds; the order stays. */
  slow(delayMs: () => number): void;
  /** Stops all traffic silently: sent data wait, as in the network's buffers. */
  partition(): void;
  /** Delivers the waiting data, and passes all traffic again, without delay. */
  heal(): void;
  /** Drops Postgres's half of each connection; the other half is not told until the next `heal`. */
  halfOpen(): void;
  /** Cuts every connection. */
  cutAll(): void;
  /** Cuts each existing connection after this many further bytes of answers. */
  cutAfterBytes(bytes: number): void;
  /** Sets the fate of each statement. `open`: the statement is inside an open transaction. */
  onStatement(decide: DecideStatement): void;
  /** Number of Postgres's errors by SQLSTATE. */
  readonly errors: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/**
 * `lost`: the connection is cut before Postgres receives the statement; `unanswered`: Postgres executes it, and the
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
      // The end of one side ends the connection.
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

  /** Passes chunks on in order, each when the network permits. */
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
