import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Change, errorBodyOf, ProcedoError } from "@procedo/contract";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { assembleClient } from "../src/client.ts";
import type { ClientOptions } from "../src/client-options.ts";
import { silentMs } from "../src/follow-changes.ts";
import type { Runtime } from "../src/runtime.ts";
import { sandboxKey } from "./fake-service.ts";

/** One connection of the client. */
interface Connection {
  readonly headers: IncomingMessage["headers"];
  readonly response: ServerResponse;
}

/** Serves streams that the test writes. */
async function startStreams() {
  const waiting: Connection[] = [];
  let arrived = (): void => {};
  const server = createServer((request, response) => {
    waiting.push({ headers: request.headers, response });
    arrived();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const connection = async (): Promise<Connection> => {
    for (;;) {
      const next = waiting.shift();
      if (next !== undefined) return next;
      await new Promise<void>((resolve) => (arrived = resolve));
    }
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connection,
    /** Answers the next connection with a stream that begins with this text. */
    open: async (text: string): Promise<Connection> => {
      const opened = await connection();
      opened.response.writeHead(200, { "content-type": "text/event-stream" }).write(text);
      return opened;
    },
    refuse: async (error: ProcedoError): Promise<void> => {
      const { response } = await connection();
      const headers = { "content-type": "application/json", ...(error.retryAfterMs && { "retry-after": "7" }) };
      response.writeHead(error.status, headers).end(JSON.stringify(errorBodyOf(error, "req_1")));
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Short sleeps take no time. Those for a silent stream or service last until `expire`. */
function streamRuntime() {
  const slept: number[] = [];
  const pending = new Set<() => void>();
  const runtime: Runtime = {
    now: () => 0,
    newId: () => "id",
    retryDelayMs: (attempt) => attempt,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      if (ms < 10_000) return void slept.push(ms);
      await new Promise<void>((resolve, reject) => {
        pending.add(resolve);
        signal?.addEventListener("abort", () => {
          pending.delete(resolve);
          reject(new Error("aborted"));
        });
      });
    },
  };
  return { runtime, slept, pending, expire: () => pending.forEach((expire) => expire()) };
}

let streams: Awaited<ReturnType<typeof startStreams>>;
beforeEach(async () => {
  streams = await startStreams();
});
afterEach(() => streams.close());

function followed(options: Partial<ClientOptions> = {}, signal?: AbortSignal) {
  const time = streamRuntime();
  const client = assembleClient({ apiKey: sandboxKey, runnerUrl: streams.url, ...options }, time.runtime);
  const changes = client.changes(signal && { signal })[Symbol.asyncIterator]();
  const next = async (): Promise<Change> => (await changes.next()).value as Change;
  return { ...time, changes, next };
}

const begin = (place: string): string => `retry: 2000\n\nid: ${place}\n\n`;
const changed = (place: string, change: object): string =>
  `id: ${place}\nevent: changed\ndata: ${JSON.stringify(change)}\n\n`;
const run = (id: string) => ({ kind: "run", id }) as const;

test("the first change is a resync, once the service has named a place, and further ones follow", async () => {
  const { next } = followed();
  const first = next();
  const { headers, response } = await streams.open("retry: 2000\n\n");
  expect(headers).toMatchObject({ authorization: `Bearer ${sandboxKey}`, accept: "text/event-stream" });
  expect(headers).not.toHaveProperty("last-event-id");
  response.write("id: a-1\n\n");
  expect(await first).toEqual({ kind: "resync" });
  response.write(changed("a-2", run("run_1")) + changed("a-3", { kind: "review" }));
  expect(await next()).toEqual(run("run_1"));
  expect(await next()).toEqual({ kind: "review" });
});

test("text that is cut anywhere is read completely", async () => {
  const { next } = followed();
  const first = next();
  const { response } = await streams.open(begin("a-1"));
  await first;
  const pending = next();
  for (const byte of Buffer.from(changed("a-2", run("run_ü")))) {
    await new Promise<void>((resolve) => response.write(Buffer.of(byte), () => resolve()));
  }
  expect(await pending).toEqual(run("run_ü"));
});

test("a newer service's events, kinds and members break nothing", async () => {
  const { next } = followed();
  const first = next();
  const { response } = await streams.open(begin("a-1"));
  await first;
  response.write("event: paused\ndata: {}\n\n" + changed("a-2", { kind: "robot", id: "x" }));
  response.write(changed("a-3", { ...run("run_1"), at: "now" }));
  expect(await next()).toEqual(run("run_1"));
});

describe("after a lost connection", () => {
  test.each<[string, (response: ServerResponse) => void]>([
    ["that was cut", (response) => response.destroy()],
    ["that the service ended", (response) => response.end()],
  ])("%s, it goes on after the last id, also of a heartbeat", async (_how, lose) => {
    const { next } = followed();
    const first = next();
    const { response } = await streams.open(begin("a-1"));
    await first;
    const second = next();
    response.write(changed("a-2", run("run_1")));
    await second;
    const third = next();
    response.write(":\nid: a-9\n\n", () => lose(response));
    const again = await streams.open(changed("a-10", run("run_2")) + begin("a-10"));
    expect(again.headers["last-event-id"]).toBe("a-9");
    expect(await third).toEqual(run("run_2"));
  });

  test("it waits for as long as the service is away, longer and longer, and as the service asks", async () => {
    const { next, slept } = followed({ retries: 0 });
    const first = next();
    (await streams.open(begin("a-1"))).response.end();
    expect(await first).toEqual({ kind: "resync" });
    const second = next();
    (await streams.connection()).response.destroy();
    await streams.refuse(new ProcedoError("shutting_down", "restarting"));
    await streams.refuse(new ProcedoError("rate_limited", "20 streams", { retryAfterMs: 7_000 }));
    await streams.open(changed("b-1", { kind: "resync" }));
    expect(await second).toEqual({ kind: "resync" });
    expect(slept).toEqual([1, 2, 3, 7_000]);
  });

  test("without a heartbeat, it is closed and replaced", async () => {
    const { next, expire, pending } = followed();
    const first = next();
    const { response } = await streams.open(begin("a-1"));
    await first;
    const closed = once(response, "close");
    const second = next();
    await expect.poll(() => pending.size).toBe(1);
    expire();
    await closed;
    const again = await streams.open(changed("a-2", run("run_1")));
    expect(again.headers["last-event-id"]).toBe("a-1");
    expect(await second).toEqual(run("run_1"));
    expect(silentMs).toBeGreaterThan(2 * 15_000);
  });
});

describe("the iteration throws", () => {
  test("when the service is not reached at first, after the given retries", async () => {
    const { changes } = followed({ retries: 2 });
    const failing = expect(changes.next()).rejects.toMatchObject({ code: "upstream_unreachable" });
    for (let attempt = 0; attempt < 3; attempt++) (await streams.connection()).response.destroy();
    await failing;
  });

  test.each(["unauthorized", "permission_denied"] as const)("%s, also later: the key was deleted", async (code) => {
    const { next, changes } = followed();
    const first = next();
    (await streams.open(begin("a-1"))).response.end();
    await first;
    const failing = expect(changes.next()).rejects.toMatchObject({ code });
    await streams.refuse(new ProcedoError(code, "no"));
    await failing;
    expect(await changes.next()).toEqual({ done: true, value: undefined });
  });

  test.each([
    ["a page", "text/html", "<html>"],
    ["an event that is no JSON", "text/event-stream", "event: changed\ndata: {\n\n"],
    ["an event that names nothing", "text/event-stream", `event: changed\ndata: {"id":"x"}\n\n`],
    ["an endless event", "text/event-stream", `data: ${"x".repeat(70_000)}`],
  ])("internal for %s", async (_what, type, text) => {
    const { changes } = followed();
    const failing = expect(changes.next()).rejects.toMatchObject({ code: "internal" });
    const { response } = await streams.connection();
    response.writeHead(200, { "content-type": type }).write(text);
    if (type === "text/html") response.end();
    await failing;
    if (!response.writableEnded) await once(response, "close");
  });

  test("for an unknown option, before it begins", () => {
    const client = assembleClient({ apiKey: sandboxKey, runnerUrl: streams.url }, streamRuntime().runtime);
    expect(() => client.changes({ after: "a-1" } as never)).toThrow(expect.objectContaining({ code: "invalid_input" }));
  });
});

describe("the connection is closed", () => {
  test("with the signal, whose reason is thrown", async () => {
    const controller = new AbortController();
    const { next, changes, pending } = followed({}, controller.signal);
    const first = next();
    const { response } = await streams.open(begin("a-1"));
    await first;
    const closed = once(response, "close");
    const failing = expect(changes.next()).rejects.toThrow("enough");
    controller.abort(new Error("enough"));
    await failing;
    await closed;
    expect(pending.size).toBe(0);
  });

  test("when the caller leaves the loop", async () => {
    const { next, changes, pending } = followed();
    const first = next();
    const { response } = await streams.open(begin("a-1"));
    await first;
    const closed = once(response, "close");
    await changes.return?.();
    await closed;
    expect(pending.size).toBe(0);
  });
});
