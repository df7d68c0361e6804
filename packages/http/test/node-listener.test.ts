import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { manualClock } from "@procedo-testing/faults";
import { nodeHandler } from "@procedo/http";
import { createMemoryStorage } from "@procedo/storage";
import { describe, expect, onTestFinished, test } from "vitest";
import { createHarness, read, textOf, until, type Harness } from "./harness.ts";

const sync = { executionMode: "sync" };
const mebibyte = 1024 * 1024;

async function listening(harness?: Harness) {
  const served = harness ?? (await createHarness());
  const key = await served.key();
  return { harness: served, key, ...(await served.listen()) };
}

function post(url: string, key: string, path: string, body: unknown, init: RequestInit = {}): Promise<Response> {
  return fetch(`${url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
    ...init,
  });
}

/** Sends bytes unchanged and reads until the other side closes. */
async function raw(port: number, ...parts: readonly (string | Uint8Array)[]): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")));
  socket.on("error", () => {});
  for (const part of parts) socket.write(part);
  // Not `once`, which treats a reset as an error: the bytes that were read before it count.
  await new Promise((resolve) => socket.on("close", resolve));
  return text;
}

const head = (lines: readonly string[]): string =>
  `${["POST /v1/procedures/echo/sandbox HTTP/1.1", "Host: a", "Connection: close", ...lines].join("\r\n")}\r\n\r\n`;
const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
const bodyOf = (answer: string): unknown => JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4));

describe("over TCP", () => {
  test("a run is started, polled and completed", async () => {
    const { url, key } = await listening();
    const started = await read(await post(url, key, "/v1/procedures/echo/sandbox", { data: { a: 1 }, control: sync }));
    expect(started).toMatchObject({ status: 200, body: { status: "completed", output: { said: { a: 1 } } } });
    const polled = await fetch(`${url}/runs/${textOf(started.body["runId"])}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(await read(polled)).toMatchObject({ status: 200, body: { status: "completed" } });
  });

  test("one connection serves one request after another, including refused ones with unread bodies", async () => {
    const { port, key } = await listening();
    const body = JSON.stringify({ data: {} });
    const one = (authorization: string, connection: string) =>
      `POST /v1/procedures/echo/sandbox HTTP/1.1\r\nHost: a\r\n${connection}Authorization: Bearer ${authorization}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const answers = await raw(port, one("rsk_sandbox_no", "") + one(key, "") + one(key, "Connection: close\r\n"));
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 401", "HTTP/1.1 202", "HTTP/1.1 202"]);
  });

  test("HEAD has the length and no body; OPTIONS is a 204", async () => {
    const { port } = await listening();
    const answer = await raw(port, "HEAD /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*Content-Length: 15\r\n[^]*\r\n\r\n$/);
    const options = await raw(port, "OPTIONS /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    expect(options).toMatch(/^HTTP\/1\.1 204 [^]*Allow: GET, HEAD, OPTIONS\r\n/);
  });

  test("a target with its origin is accepted, as proxies send it", async () => {
    const { port } = await listening();
    const answer = await raw(
      port,
      "GET http://procedo.test/healthz?x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
    );
    expect(statusOf(answer)).toBe(200);
  });

  test("malformed HTTP is a 400 in the format of all errors", async () => {
    const { port } = await listening();
    const answer = await raw(port, "GET / NONSENSE\r\n\r\n");
    expect(statusOf(answer)).toBe(400);
    expect(bodyOf(answer)).toMatchObject({ code: "malformed_request", requestId: expect.any(String) });
  });

  test("two keys count as none, and so does one in a cookie or in the address", async () => {
    const { port, key } = await listening();
    const poll = (target: string, ...lines: readonly string[]) =>
      raw(port, `${[`GET ${target} HTTP/1.1`, "Host: a", "Connection: close", ...lines].join("\r\n")}\r\n\r\n`);
    const bearer = `Authorization: Bearer ${key}`;
    expect(statusOf(await poll("/api/v1/runs", bearer))).toBe(200);
    expect(statusOf(await poll("/api/v1/runs", bearer, bearer))).toBe(401);
    expect(statusOf(await poll("/api/v1/runs", `Cookie: key=${key}; authorization=Bearer ${key}`))).toBe(401);
    expect(statusOf(await poll(`/api/v1/runs?key=${key}&access_token=${key}&authorization=Bearer%20${key}`))).toBe(401);
  });

  test("additional listeners are reached by the first segment of the path", async () => {
    const harness = await createHarness();
    const { url } = await harness.listen({ beside: { metrics: (_request, response) => void response.end("up 1") } });
    for (const path of ["/metrics", "/metrics/x?y"]) expect(await (await fetch(url + path)).text()).toBe("up 1");
    for (const path of ["/metricsx", "/healthz/metrics"]) expect((await fetch(url + path)).status).toBe(404);
  });
});

describe("a body over 1 MiB is a 413 before it is parsed", () => {
  const auth = (key: string) => [`Authorization: Bearer ${key}`, "Content-Type: application/json"];

  test("declared: refused before a byte of it is read", async () => {
    const { port, key } = await listening();
    const answer = await raw(port, head([...auth(key), `Content-Length: ${mebibyte + 1}`, "Expect: 100-continue"]));
    expect(answer).not.toContain("100 Continue");
    expect(statusOf(answer)).toBe(413);
    expect(bodyOf(answer)).toMatchObject({ code: "payload_too_large" });
  });

  test("sent in chunks: refused when the limit is passed, and the answer arrives while the rest is sent", async () => {
    const { port, key } = await listening();
    const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
    const answer = await raw(
      port,
      head([...auth(key), "Transfer-Encoding: chunked"]),
      chunk.repeat(17),
      chunk.repeat(8),
      "0\r\n\r\n",
    );
    expect(statusOf(answer)).toBe(413);
  });

  test("sent in chunks by many callers that do not end: a body without memory is a 429 while it arrives", async () => {
    const { port, key } = await listening();
    const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
    const parts = head([...auth(key), "Transfer-Encoding: chunked"]) + chunk.repeat(15);
    const answers = Array.from({ length: 40 }, async () => {
      const socket = connect(port, "127.0.0.1");
      onTestFinished(() => void socket.destroy());
      socket.on("error", () => {});
      socket.write(parts);
      const [first] = (await once(socket, "data")) as [Buffer];
      return first.toString("latin1");
    });
    for (const answer of answers) answer.catch(() => {});
    const refused = await Promise.race(answers);
    expect(statusOf(refused)).toBe(429);
    expect(refused).toMatch(/Retry-After: \d/);
  });

  test("more than 8 MiB after the refusal ends the connection", async () => {
    const { port, key } = await listening();
    const lines = [...auth(key), `Content-Length: ${64 * mebibyte}`];
    const text = await raw(port, head(lines).replace("Connection: close\r\n", ""), new Uint8Array(64 * mebibyte));
    expect(statusOf(text)).toBe(413);
  });

  test("a compressed body is a 415, with any content", async () => {
    const { port, key } = await listening();
    const answer = await raw(port, head([...auth(key), "Content-Encoding: gzip", "Content-Length: 5"]), "12345");
    expect(statusOf(answer)).toBe(415);
  });

  test("after a body with too short a length the rest is no request; a body with too long a length starts nothing", async () => {
    const { harness, port, key } = await listening();
    const keep = (lines: readonly string[]) => head([...auth(key), ...lines]).replace("Connection: close\r\n", "");
    const less = await raw(port, keep(["Content-Length: 11"]), '{"data":{}}XYZ\r\n\r\n');
    expect(less.match(/HTTP\/1\.1 2/g)?.length ?? 0).toBeLessThanOrEqual(1);
    const runsBefore = (await harness.engine.runs.list({ environment: "sandbox", limit: 10 })).items.length;
    const socket = connect(port, "127.0.0.1");
    socket.end(keep(["Content-Length: 12"]) + '{"data":{}}');
    socket.resume();
    await once(socket, "close");
    expect((await harness.engine.runs.list({ environment: "sandbox", limit: 10 })).items).toHaveLength(runsBefore);
  });

  test("length and chunks together are a 400, because two readers could see two requests", async () => {
    const { port, key } = await listening();
    const answer = await raw(
      port,
      head([...auth(key), "Content-Length: 3", "Transfer-Encoding: chunked"]),
      "0\r\n\r\n",
    );
    expect(statusOf(answer)).toBe(400);
  });

  test("Expect: 100-continue is answered when the body is read", async () => {
    const { port, key } = await listening();
    const answer = await raw(port, head([...auth(key), "Content-Length: 11", "Expect: 100-continue"]), '{"data":{}}');
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 100", "HTTP/1.1 202"]);
  });
});

describe("excessive data outside the body", () => {
  test.each([
    ["headers of more than 16 KiB", ["GET /healthz HTTP/1.1", `X: ${"x".repeat(17 * 1024)}`], 431],
    ["more than 100 headers", ["GET /healthz HTTP/1.1", ...Array.from({ length: 2_000 }, () => "a:b")], 431],
    ["an address of more than 8 kB", [`GET /healthz?${"x".repeat(8 * 1024)} HTTP/1.1`], 414],
  ])("%s: %s", async (_what, lines, status) => {
    const { port } = await listening();
    const [first = "", ...rest] = lines;
    const answer = await raw(port, `${[first, "Host: a", ...rest].join("\r\n")}\r\n\r\n`);
    expect(statusOf(answer)).toBe(status);
    expect(bodyOf(answer)).toMatchObject({ code: "payload_too_large", requestId: expect.any(String) });
  });
});

describe("slow callers", () => {
  async function connected(port: number): Promise<Socket> {
    const socket = connect(port, "127.0.0.1").on("error", () => {});
    onTestFinished(() => void socket.destroy());
    await once(socket, "connect");
    return socket;
  }
  const statusOn = async (socket: Socket, text: string): Promise<number> => {
    socket.write(text);
    const [chunk] = (await once(socket, "data")) as [Buffer];
    return statusOf(chunk.toString());
  };

  test("a connection beyond the maximum closes the one that has sent no request for longest", async () => {
    const harness = await createHarness();
    const { port } = await harness.listen({ maxConnections: 20 });
    const slow: Socket[] = [];
    for (let n = 0; n < 20; n++) {
      const socket = await connected(port);
      socket.write("GET /healthz HTTP/1.1\r\nHost");
      slow.push(socket);
    }
    const newcomer = await connected(port);
    await once((slow[0] as Socket).resume(), "close");
    expect(await statusOn(newcomer, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")).toBe(200);
    expect(await statusOn(slow[1] as Socket, ": a\r\n\r\n")).toBe(200);
  });

  test("a connection that was served is closed after those that have sent no request", async () => {
    const harness = await createHarness();
    const { port } = await harness.listen({ maxConnections: 2 });
    const kept = await connected(port);
    expect(await statusOn(kept, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")).toBe(200);
    const silent = await connected(port);
    const newcomer = await connected(port);
    await once(silent.resume(), "close");
    expect(await statusOn(newcomer, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")).toBe(200);
    const another = await connected(port);
    await once(kept.resume(), "close");
    expect(await statusOn(another, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")).toBe(200);
  });

  test("no connection with a request in progress is closed: the new one is closed", async () => {
    const harness = await createHarness();
    const { port, url, key } = { key: await harness.key(), ...(await harness.listen({ maxConnections: 1 })) };
    const asked = post(url, key, "/v1/procedures/slow/sandbox", { data: {}, control: sync });
    await until(async () => (await harness.engine.runs.list({ environment: "sandbox", limit: 1 })).items.length === 1);
    await once((await connected(port)).resume(), "close");
    harness.release();
    expect((await asked).status).toBe(200);
  });
});

describe("a caller that disconnects", () => {
  test("ends the wait at once but not the run", async () => {
    const ended: number[] = [];
    const harness = await createHarness({
      onAnswered: ({ operationId, status }) => void (operationId === "startRun" && ended.push(status)),
    });
    const { url, key } = await listening(harness);
    const caller = new AbortController();
    const asked = post(url, key, "/v1/procedures/slow/sandbox", { data: {}, control: sync }, { signal: caller.signal });
    asked.catch(() => {});
    await until(async () => (await harness.engine.runs.list({ environment: "sandbox", limit: 1 })).items.length === 1);
    caller.abort();
    await until(async () => ended.length === 1);
    const [run] = (await harness.engine.runs.list({ environment: "sandbox", limit: 1 })).items;
    expect(run?.status).toBe("running");
    harness.release();
    await harness.ended(run?.runId ?? "");
    expect((await harness.engine.runs.get({ environment: "sandbox", runId: run?.runId ?? "" })).status).toBe(
      "completed",
    );
  });
});

test("a caller that disconnects while its key is looked up is recorded as gone", async () => {
  const storage = createMemoryStorage({ now: Date.now });
  const { find } = storage.records;
  let release = (): void => {};
  let isHeld = false;
  const held = new Promise<void>((resolve) => (release = resolve));
  storage.records.find = async (request) => {
    isHeld = request.kind === "api_key";
    if (isHeld) await held;
    return await find(request);
  };
  const statuses: number[] = [];
  const harness = await createHarness({ storage, onAnswered: ({ status }) => void statuses.push(status) });
  const key = await harness.key();
  const { port } = await harness.listen();
  const socket = connect(port, "127.0.0.1");
  const lines = ["POST /v1/procedures/echo/sandbox HTTP/1.1", "Host: a", `Authorization: Bearer ${key}`];
  socket.write([...lines, "Content-Type: application/json", "Content-Length: 100", "", ""].join("\r\n"));
  await until(async () => isHeld);
  socket.destroy();
  await once(socket, "close");
  // The server notices within a few turns of the event loop.
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
  release();
  await until(async () => statuses.length > 0);
  expect(statuses).toEqual([499]);
});

describe("nodeHandler", () => {
  test("answers on another server, where two keys also count as none", async () => {
    const harness = await createHarness();
    const server = createServer(nodeHandler(harness.http));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const bearer = `Authorization: Bearer ${await harness.key()}`;
    const ask = (...lines: readonly string[]) =>
      raw(port, `${["GET /api/v1/runs HTTP/1.1", "Host: a", "Connection: close", ...lines].join("\r\n")}\r\n\r\n`);
    expect(statusOf(await ask(bearer))).toBe(200);
    expect(statusOf(await ask(bearer, bearer))).toBe(401);
    const body = { data: { a: 1 }, control: sync };
    const started = await post(`http://127.0.0.1:${port}`, await harness.key(), "/v1/procedures/echo/sandbox", body);
    expect(await read(started)).toMatchObject({ status: 200, body: { status: "completed" } });
  });

  test("ends the wait when its caller disconnects", async () => {
    const ended: number[] = [];
    const harness = await createHarness({
      onAnswered: ({ operationId, status }) => void (operationId === "startRun" && ended.push(status)),
    });
    const server = createServer(nodeHandler(harness.http));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const caller = new AbortController();
    const { port } = server.address() as AddressInfo;
    const body = { data: {}, control: sync };
    const init = { signal: caller.signal };
    post(`http://127.0.0.1:${port}`, await harness.key(), "/v1/procedures/slow/sandbox", body, init).catch(() => {});
    await until(async () => (await harness.engine.runs.list({ environment: "sandbox", limit: 1 })).items.length === 1);
    caller.abort();
    await until(async () => ended.length === 1);
  });
});

describe("closing", () => {
  test("answers requests in progress, accepts no new ones, and ends kept connections", async () => {
    const { harness, url, key, port, close } = await listening();
    const kept = connect(port, "127.0.0.1").on("error", () => {});
    kept.write("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
    await once(kept, "data");
    const asked = post(url, key, "/v1/procedures/slow/sandbox", { data: {}, control: sync });
    await until(async () => (await harness.engine.runs.list({ environment: "sandbox", limit: 1 })).items.length === 1);
    const closed = close(60_000);
    await once(kept, "close");
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
    harness.release();
    const answer = await asked;
    expect([answer.status, answer.headers.get("connection")]).toEqual([200, "close"]);
    await closed;
  });

  test("after drainMs answers waiting callers with their statusUrl, and the run continues", async () => {
    const clock = manualClock();
    const harness = await createHarness();
    const key = await harness.key();
    const { url, close } = await harness.listen({ clock });
    const asked = post(url, key, "/v1/procedures/slow/sandbox", { data: {}, control: sync });
    await until(async () => (await harness.engine.runs.list({ environment: "sandbox", limit: 1 })).items.length === 1);
    const closed = close(5_000);
    await clock.advance(5_000);
    const answer = await read(await asked);
    expect(answer).toMatchObject({
      status: 504,
      body: { status: "timeout", error: expect.stringContaining("shutting down") },
    });
    await closed;
    harness.release();
    await harness.ended(textOf(answer.body["runId"]));
  });

  test("is not delayed by silent connections", async () => {
    const clock = manualClock();
    const harness = await createHarness();
    const { port, close } = await harness.listen({ clock });
    const idle = connect(port, "127.0.0.1").on("error", () => {});
    idle.write("GET /healthz HTT");
    await once(idle, "connect");
    const closed = close(1_000);
    await clock.advance(1_000);
    await closed;
  });
});
