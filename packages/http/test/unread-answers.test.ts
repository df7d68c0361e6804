import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { manualClock } from "@procedo-testing/faults";
import { nodeHandler, serveNode, type HttpAnswer, type HttpRequest } from "@procedo/http";
import { describe, expect, onTestFinished, test } from "vitest";
import { maxPipelined } from "../src/node/turns.ts";
import { waitingBytesOfKey } from "../src/node/unread-answer-limiter.ts";
import { until } from "./harness.ts";

const mebibyte = 1024 * 1024;
/** More than the sockets of both sides buffer for a caller that reads nothing, and only one fits into a key's share. */
const large = "x".repeat(waitingBytesOfKey - mebibyte);

/** The caller, in a header: the key, and its environment. */
function ownerOf(request: HttpRequest): Pick<HttpAnswer, "owner"> {
  const [key, environment] = (request.header("x-key") ?? "").split(" ");
  if (key === undefined || (environment !== "sandbox" && environment !== "live")) return {};
  return { owner: { key, environment } };
}

const requestOf = (key: string, path = "/"): string => `GET ${path} HTTP/1.1\r\nHost: a\r\nX-Key: ${key}\r\n\r\n`;

/** A service whose every answer has this body; it records the requested paths. */
async function serving(body: () => HttpAnswer["body"], clock = manualClock()) {
  const asked: string[] = [];
  const answer = async (request: HttpRequest): Promise<HttpAnswer> => {
    asked.push(request.path);
    return { status: 200, headers: [], body: body(), ...ownerOf(request) };
  };
  const { port, close } = await serveNode({ answer }, { port: 0, clock });
  onTestFinished(() => close({ drainMs: 0 }));
  return { port, close, clock, asked };
}

async function connected(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  return socket;
}

/** A caller that sends and reads nothing; resolves when its first request has reached the service. */
async function silent(port: number, text: string, asked: readonly string[]): Promise<Socket> {
  const socket = await connected(port);
  const before = asked.length;
  socket.pause().write(text);
  await until(async () => asked.length > before);
  return socket;
}

/** Reads until this many bytes of bodies have arrived, or the connection is closed: returns their number. */
async function reads(port: number, text: string, bytes: number): Promise<number> {
  const socket = await connected(port);
  let received = 0;
  let isClosed = false;
  socket.on("close", () => (isClosed = true)).on("data", (chunk: Buffer) => (received += chunk.length));
  socket.write(text);
  await until(async () => isClosed || received >= bytes);
  return received;
}

describe("unread answers", () => {
  test("delay the next request of their connection until they are read", async () => {
    const { port, asked } = await serving(() => large);
    const paths = ["/1", "/2", "/3"];
    const socket = await silent(port, paths.map((path) => requestOf("key sandbox", path)).join(""), asked);
    // Another caller is served completely in the meantime.
    await reads(port, requestOf("other sandbox", "/other"), large.length);
    expect(asked).toEqual(["/1", "/other"]);
    let received = 0;
    socket.on("data", (chunk: Buffer) => (received += chunk.length)).resume();
    await until(async () => received >= paths.length * large.length);
    expect(asked).toEqual(["/1", "/other", "/2", "/3"]);
  });

  test("close a connection on which too many requests wait, none of which is started", async () => {
    const { port, asked } = await serving(() => large);
    const socket = await silent(port, requestOf("key sandbox").repeat(maxPipelined + 2), asked);
    await once(socket.resume(), "close");
    await reads(port, requestOf("other sandbox", "/other"), large.length);
    expect(asked).toEqual(["/", "/other"]);
  });

  test("prevent later requests once an answer ends its connection", async () => {
    const asked: string[] = [];
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const answer = async (request: HttpRequest): Promise<HttpAnswer> => {
      asked.push(request.path);
      await released;
      return { status: 200, headers: [], body: "ok" };
    };
    const { port, close } = await serveNode({ answer }, { port: 0, clock: manualClock() });
    const socket = await silent(port, requestOf("key sandbox", "/first") + requestOf("key sandbox", "/never"), asked);
    const closed = close();
    release();
    await once(socket.resume(), "close");
    await closed;
    expect(asked).toEqual(["/first"]);
  });

  test("of a key that fill its share close its connection, while other keys and live are answered", async () => {
    const { port, asked } = await serving(() => large);
    const first = await silent(port, requestOf("greedy sandbox"), asked);
    expect(await reads(port, requestOf("greedy sandbox"), large.length)).toBeLessThan(large.length);
    for (const key of ["other sandbox", "key live", "none"]) {
      const bytes = key === "none" ? 0 : large.length;
      expect(await reads(port, requestOf(key), bytes)).toBeGreaterThanOrEqual(bytes);
    }
    // Its answers no longer count once its connection is closed.
    first.destroy();
    await until(async () => (await reads(port, requestOf("greedy sandbox"), large.length)) >= large.length);
  });

  test("of many keys fill their environment's share but not the other environment's", async () => {
    const { port, asked } = await serving(() => large);
    for (const key of ["a", "b"]) await silent(port, requestOf(`${key} sandbox`), asked);
    expect(await reads(port, requestOf("c sandbox"), large.length)).toBeLessThan(large.length);
    expect(await reads(port, requestOf("key live"), large.length)).toBeGreaterThanOrEqual(large.length);
  });

  test("without a key have a share of their own", async () => {
    const { port, asked } = await serving(() => large);
    expect(await reads(port, requestOf("nobody"), large.length)).toBeLessThan(large.length);
    expect(asked).toHaveLength(1);
    expect(await reads(port, requestOf("key sandbox"), large.length)).toBeGreaterThanOrEqual(large.length);
  });

  test("of additional listeners count as those without a key", async () => {
    const answer = async (): Promise<undefined> => undefined;
    const metrics = (_request: unknown, response: ServerResponse): void => void response.end(large);
    const clock = manualClock();
    const { port, close } = await serveNode({ answer }, { port: 0, clock, beside: { metrics } });
    onTestFinished(() => close({ drainMs: 0 }));
    expect(await reads(port, requestOf("none", "/metrics"), large.length)).toBeLessThan(large.length);
  });

  test("count with their waiting pieces", async () => {
    const { port, asked } = await serving(() => pieces());
    for (let n = 0; n < 2; n++) await silent(port, requestOf("greedy sandbox"), asked);
    const all = 4 * 3 * mebibyte;
    await until(async () => (await reads(port, requestOf("greedy sandbox"), all)) < all);
    expect(await reads(port, requestOf("other sandbox"), all)).toBeGreaterThanOrEqual(all);
  });

  test.each([
    ["a text", () => large],
    ["pieces", () => pieces()],
  ])("%s that is not read within a minute ends its connection", async (_what, body) => {
    const { port, asked, clock } = await serving(body);
    const socket = await silent(port, requestOf("key sandbox"), asked);
    const ended = new Promise((resolve) => socket.on("close", resolve));
    await clock.advance(60_000);
    let received = 0;
    socket.on("data", (chunk: Buffer) => (received += chunk.length)).resume();
    await ended;
    expect(received).toBeLessThan(large.length);
  });

  test("delay closing no longer than others", async () => {
    const { port, asked, clock, close } = await serving(() => large);
    const socket = await silent(port, requestOf("key sandbox").repeat(3), asked);
    const closed = close({ drainMs: 5_000 });
    await clock.advance(5_000);
    await clock.advance(1_000);
    await closed;
    await once(socket.resume(), "close");
    expect(asked).toHaveLength(1);
  });

  test("of another server delay the next request as well", async () => {
    const asked: string[] = [];
    const answer = async (request: HttpRequest): Promise<HttpAnswer> => {
      asked.push(request.path);
      return { status: 200, headers: [], body: large, ...ownerOf(request) };
    };
    const server = createServer(nodeHandler({ answer, serves: () => true }));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    onTestFinished(() => server.closeAllConnections());
    const { port } = server.address() as AddressInfo;
    await silent(port, requestOf("greedy sandbox", "/1") + requestOf("greedy sandbox", "/2"), asked);
    expect(await reads(port, requestOf("greedy sandbox", "/3"), large.length)).toBeLessThan(large.length);
    expect(await reads(port, requestOf("other sandbox", "/4"), large.length)).toBeGreaterThanOrEqual(large.length);
    expect(asked).toEqual(["/1", "/3", "/4"]);
  });
});

/** Four pieces of 3 MiB. */
async function* pieces(): AsyncGenerator<string> {
  for (let n = 0; n < 4; n++) yield "x".repeat(3 * mebibyte);
}
