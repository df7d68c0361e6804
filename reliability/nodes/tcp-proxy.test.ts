import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createMessageReader } from "@procedo-testing/postgres";
import { sqlStateOf } from "./postgres-wire.ts";
import { startProxy, type TcpProxy } from "./tcp-proxy.ts";

/** Answers each statement as Postgres does after its execution, and records the statements. */
let server: Server;
let asked: string[];
let proxy: TcpProxy;
let clients: Socket[];

beforeEach(async () => {
  asked = [];
  clients = [];
  server = createServer((socket) => {
    const read = createMessageReader(true);
    socket.on("error", () => {});
    socket.on("data", (chunk: Buffer) => {
      for (const { type, body } of read(chunk)) {
        if (type !== "Q") continue;
        asked.push(body.toString("utf8", 0, body.length - 1));
        socket.write(message("Z", "I"));
      }
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  proxy = await startProxy((server.address() as AddressInfo).port);
});

afterEach(async () => {
  for (const client of clients) client.destroy();
  await proxy.close();
  server.close();
});

function message(type: string, body: string): Buffer {
  const bytes = Buffer.alloc(5);
  bytes.write(type, "latin1");
  bytes.writeUInt32BE(4 + Buffer.byteLength(body), 1);
  return Buffer.concat([bytes, Buffer.from(body)]);
}

async function client(): Promise<Socket> {
  const socket = connect(proxy.port, "127.0.0.1");
  clients.push(socket);
  socket.on("error", () => {});
  await once(socket, "connect");
  const startUp = Buffer.alloc(8);
  startUp.writeUInt32BE(8);
  startUp.writeUInt32BE(3 << 16, 4);
  socket.write(startUp);
  return socket;
}

/** Resolves for every kind of end. */
const closed = (socket: Socket): Promise<void> => new Promise((resolve) => void socket.once("close", () => resolve()));

const ask = (socket: Socket, text: string): boolean => socket.write(message("Q", `${text}\0`));

describe("a statement through the proxy", () => {
  test("arrives, and its answer comes back", async () => {
    const socket = await client();
    ask(socket, "SELECT 1");
    const [answer] = (await once(socket, "data")) as [Buffer];
    expect(answer.toString("latin1")).toContain("Z");
    expect(asked).toEqual(["SELECT 1"]);
  });

  test("a lost statement never arrives, and its connection is cut", async () => {
    proxy.onStatement(({ text }) => (text === "COMMIT" ? "lost" : "passes"));
    const socket = await client();
    ask(socket, "BEGIN");
    await once(socket, "data");
    ask(socket, "COMMIT");
    await closed(socket);
    expect(asked).toEqual(["BEGIN"]);
  });

  test("an unanswered statement is executed, and its connection is cut", async () => {
    const seen: boolean[] = [];
    proxy.onStatement(({ text, open }) => {
      seen.push(open);
      return text === "COMMIT" ? "unanswered" : "passes";
    });
    const socket = await client();
    ask(socket, "BEGIN");
    await once(socket, "data");
    let answered = false;
    socket.on("data", () => (answered = true));
    ask(socket, "COMMIT");
    await closed(socket);
    expect(asked).toEqual(["BEGIN", "COMMIT"]);
    expect(answered).toBe(false);
    expect(seen).toEqual([false, true]);
  });

  test("waits during a partition, and arrives in order when it heals", async () => {
    const socket = await client();
    ask(socket, "one");
    await once(socket, "data");
    proxy.partition();
    ask(socket, "two");
    const other = await client();
    ask(other, "three");
    expect(asked).toEqual(["one"]);
    proxy.heal();
    await Promise.all([once(socket, "data"), once(other, "data")]);
    expect(asked.toSorted()).toEqual(["one", "three", "two"]);
  });

  test("is cut off in the middle of an answer", async () => {
    const socket = await client();
    ask(socket, "one");
    await once(socket, "data");
    proxy.cutAfterBytes(3);
    let received = 0;
    socket.on("data", (chunk: Buffer) => (received += chunk.length));
    ask(socket, "two");
    await closed(socket);
    expect(received).toBe(3);
  });

  test("is lost on a half-open connection, which is cut when the network heals", async () => {
    const socket = await client();
    ask(socket, "one");
    await once(socket, "data");
    proxy.halfOpen();
    ask(socket, "two");
    proxy.heal();
    await closed(socket);
    expect(asked).toEqual(["one"]);
  });

  test("goes to the new server on new connections only", async () => {
    const socket = await client();
    proxy.switchTo(1);
    ask(socket, "one");
    await once(socket, "data");
    const late = await client();
    ask(late, "two");
    await closed(late);
    expect(asked).toEqual(["one"]);
  });
});

test("an error's SQLSTATE is read from among its fields", () => {
  const [error] = createMessageReader(false)(message("E", "SERROR\0C25006\0Mread only\0\0"));
  if (error === undefined) throw new Error("There was no message.");
  expect(sqlStateOf(error)).toBe("25006");
});
