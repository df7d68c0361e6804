import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { manualClock, type ManualClock } from "@procedo-testing/faults";
import type { ProcedureDocument } from "@procedo/contract";
import { defineProcedure, z } from "@procedo/engine";
import { serveNode } from "@procedo/http";
import { describe, expect, onTestFinished, test } from "vitest";
import { heavyOfEnvironment, heavyOfKey, heavyWaitMs } from "../src/access/heavy-answer-limiter.ts";
import { operations } from "../src/operations/operations.ts";
import { createHarness, documents, origin, textOf, until, type Harness } from "./harness.ts";

const environment = "sandbox";
const data = {
  lines: Array.from({ length: 6_000 }, (_line, number) => ({ number, text: `Größe 😀 ${"x".repeat(90)}` })),
};

const adders = ["add1", "add2", "add3", "add4", "add5", "add6", "add7", "add8"];

/** Each of its eight calls returns a different list, each one object longer than the previous one. */
const adding: ProcedureDocument = {
  ...documents.echo,
  procedureId: "adding",
  nodes: [
    { id: "start", kind: "start" },
    ...adders.map((id, index) => ({
      id,
      kind: "tool_call" as const,
      connection: "desk",
      action: "add",
      arguments: { list: index === 0 ? "{{ input.list }}" : `{{ nodes.${adders[index - 1]}.output.list }}` },
    })),
    { id: "done", kind: "end", output: {} },
  ],
  edges: ["start", ...adders].map((from, index) => ({ from, to: adders[index] ?? "done" })),
};

interface LargeHarness extends Harness {
  readonly clock: ManualClock;
  /** The token of a key without permissions. */
  readonly reader: string;
  readonly runId: string;
  readonly smallId: string;
  /** The answer as a stream: nothing of a large one has been read yet. */
  readonly get: (path: string, key?: string, init?: RequestInit) => Promise<Response>;
}

/** A service with a run whose answer is large, and one whose answer is small. */
async function largeHarness(): Promise<LargeHarness> {
  const clock = manualClock();
  const harness = await createHarness({ clock });
  const [reader, key] = [await harness.key([]), await harness.key()];
  const by = { person: "olga" };
  const [large, small] = await Promise.all(
    [data, {}].map((given) => harness.engine.runs.execute({ procedureId: "echo", environment, data: given, by })),
  );
  return {
    ...harness,
    clock,
    reader,
    runId: large?.runId ?? "",
    smallId: small?.runId ?? "",
    get: (path, as = reader, init = {}) =>
      harness.http.fetch(new Request(`${origin}${path}`, { headers: { authorization: `Bearer ${as}` }, ...init })),
    key: async (...given) => (given.length === 0 ? key : await harness.key(...given)),
  };
}

const isRefused = { code: "rate_limited" };

describe("a large answer", () => {
  test.each(["?include=steps", "/audit", "/steps/start/1", ""])(
    "of a run%s is the same in pieces as in one",
    async (path) => {
      const { engine, get, runId } = await largeHarness();
      const response = await get(`/api/v1/runs/${runId}${path}`);
      const pieces: Uint8Array[] = [];
      for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) pieces.push(piece);
      expect(pieces.length).toBeGreaterThan(3);
      const text = Buffer.concat(pieces).toString();
      expect(JSON.stringify(JSON.parse(text))).toBe(text);
      if (path === "/audit") {
        expect(text).toBe(JSON.stringify(await engine.audit.exportRun({ environment, runId })));
      } else {
        const said = JSON.parse(text) as { output?: { said?: unknown }; steps?: { input: unknown }[]; input?: unknown };
        expect(said.input ?? said.steps?.[0]?.input ?? said.output?.said).toEqual(data);
      }
    },
  );

  test("is limited in number per key: the next waits, and is refused with a time to retry", async () => {
    const { clock, get, runId } = await largeHarness();
    const path = `/runs/${runId}?include=steps`;
    for (let held = 0; held < heavyOfKey; held++) expect((await get(path)).status).toBe(200);
    const next = get(path);
    await clock.advance(heavyWaitMs);
    const refused = await next;
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(await refused.json()).toMatchObject(isRefused);
  });

  test("is limited in number for all sessions of a person together", async () => {
    const harness = await largeHarness();
    const { clock, get, runId } = harness;
    const path = `/runs/${runId}?include=steps`;
    const { token, signInAgain } = await harness.person({ access: { sandbox: ["viewer"] } });
    for (let held = 0; held < heavyOfKey; held++) expect((await get(path, await signInAgain())).status).toBe(200);
    const next = get(path, token);
    await clock.advance(heavyWaitMs);
    expect((await next).status).toBe(429);
    expect((await get(path, await harness.key([]))).status).toBe(200);
  });

  test("is limited in number per environment, separately from the other environment", async () => {
    const harness = await largeHarness();
    const { clock, get, runId } = harness;
    const path = `/runs/${runId}?include=steps`;
    const keys = await Promise.all(Array.from({ length: heavyOfEnvironment + 1 }, () => harness.key([])));
    for (const key of keys.slice(0, -1)) expect((await get(path, key)).status).toBe(200);
    const next = get(path, keys.at(-1));
    const by = { person: "olga" };
    const live = await harness.engine.runs.execute({ procedureId: "echo", environment: "live", data, by });
    expect((await get(`/runs/${live.runId}?include=steps`, await harness.key([], "live"))).status).toBe(200);
    await clock.advance(heavyWaitMs);
    expect((await next).status).toBe(429);
  });

  test.each(["taken", "given up"])("that was %s makes room for the next", async (how) => {
    const { get, runId } = await largeHarness();
    const path = `/runs/${runId}?include=steps`;
    const [first] = await Promise.all(Array.from({ length: heavyOfKey }, () => get(path)));
    const next = get(path);
    if (how === "taken") await first?.arrayBuffer();
    else await first?.body?.cancel();
    expect((await next).status).toBe(200);
  });

  test("is no longer counted if its caller reads it too slowly, and is then cut off", async () => {
    const { clock, get, runId } = await largeHarness();
    const path = `/runs/${runId}?include=steps`;
    const slow = await Promise.all(Array.from({ length: heavyOfKey }, () => get(path)));
    await clock.advance(60_000);
    expect((await get(path)).status).toBe(200);
    await expect(slow[0]?.arrayBuffer()).rejects.toThrow("60000 ms");
  });

  test("waits while the memory of its environment is in use, and gets room again afterwards", async () => {
    const { engine, get } = await largeHarness();
    const by = { person: "olga" };
    await engine.procedures.publish({ document: adding, version: "v1", defaultIn: [environment], by });
    // Nine lists of about 18 MiB in memory are in its record.
    const list = Array.from({ length: 250_000 }, () => ({}));
    const { runId } = await engine.runs.execute({ procedureId: "adding", environment, data: { list }, by });
    const path = `/runs/${runId}?include=steps`;
    const first = await get(path);
    expect(first.status).toBe(200);
    const next = await get(path);
    expect([next.status, await next.json()]).toEqual([429, expect.objectContaining(isRefused)]);
    await first.body?.cancel();
    const again = await get(path);
    expect(again.status).toBe(200);
    await again.body?.cancel();
  });

  test("does not delay small answers of the same key", async () => {
    const { get, runId, smallId } = await largeHarness();
    for (let held = 0; held < heavyOfKey; held++) await get(`/runs/${runId}?include=steps`);
    expect((await get(`/runs/${smallId}`)).status).toBe(200);
    expect((await get("/api/v1/runs")).status).toBe(200);
  });

  test("is also a poll of a run with a large output", async () => {
    const { clock, get, runId } = await largeHarness();
    for (let held = 0; held < heavyOfKey; held++) expect((await get(`/runs/${runId}`)).status).toBe(200);
    const next = get(`/runs/${runId}`);
    await clock.advance(heavyWaitMs);
    expect((await next).status).toBe(429);
  });

  test("is also a poll of a run with a large open review", async () => {
    const { clock, engine, get } = await largeHarness();
    const document = defineProcedure({
      procedureId: "show",
      name: "Show",
      input: z.looseObject({}),
      nodes: {
        start: { kind: "start", next: "look" },
        look: { kind: "human_review", title: "Look", data: { lines: "{{ input.lines }}" }, next: "done" },
        done: { kind: "end", output: {} },
      },
    });
    const by = { person: "olga" };
    await engine.procedures.publish({ document, version: "v1", defaultIn: [environment], by });
    const lines = Array.from({ length: 1_000 }, (_line, number) => `${number} ${"x".repeat(190)}`);
    const { runId } = await engine.runs.execute({ procedureId: "show", environment, data: { lines }, by });
    for (let held = 0; held < heavyOfKey; held++) expect((await get(`/runs/${runId}`)).status).toBe(200);
    const next = get(`/runs/${runId}`);
    await clock.advance(heavyWaitMs);
    expect((await next).status).toBe(429);
  });

  test("that fails releases its place", async () => {
    const { get, reader } = await largeHarness();
    for (let time = 0; time < 2 * heavyOfKey; time++) {
      expect((await get("/api/v1/runs/run_none/audit", reader)).status).toBe(404);
    }
  });
});

test("every operation that reads a journal, a document or a page of reviews is marked as heavy", () => {
  const isHeavy = (id: string, query: object): boolean => {
    const operation = operations.find((one) => one.id === id);
    return operation?.access === "key" && operation.heavy?.(query) === true;
  };
  for (const id of [
    "getRunStep",
    "exportRun",
    "listReviews",
    "getReview",
    "listActions",
    "getAction",
    "listCatalogue",
    "previewConnection",
    "getDelivery",
    "getSummary",
  ]) {
    expect([id, isHeavy(id, {})]).toEqual([id, true]);
  }
  for (const id of ["getProcedure", "getVersion", "saveDraft", "validateProcedure", "publishVersion", "setDefault"]) {
    expect([id, isHeavy(id, {})]).toEqual([id, true]);
  }
  for (const id of ["pollRun", "getRun"]) {
    expect(["steps", "timeline", undefined].map((include) => isHeavy(id, { include }))).toEqual([true, true, false]);
  }
  expect(isHeavy("getConnection", { include: "spec" })).toBe(true);
  for (const id of ["startRun", "createRun", "listRuns", "cancelRun", "decideReview"])
    expect(isHeavy(id, {})).toBe(false);
});

describe("over TCP", () => {
  /** A caller that sends one request and reads nothing. */
  async function silentCaller(port: number, path: string, key: string, method = "GET"): Promise<Socket> {
    const socket = connect(port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.pause();
    await once(socket, "connect");
    socket.write(`${method} ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\n\r\n`);
    return socket;
  }

  test("the unread answers of a caller are bounded, and end with its connection", async () => {
    let pieces = 0;
    let isOver = false;
    const body: AsyncIterableIterator<string> = {
      [Symbol.asyncIterator]: () => body,
      next: async () => {
        pieces += 1;
        return { value: "x".repeat(64 * 1024) };
      },
      return: async () => {
        isOver = true;
        return { done: true, value: undefined };
      },
    };
    const listener = await serveNode({ answer: async () => ({ status: 200, headers: [], body }) }, { port: 0 });
    onTestFinished(() => listener.close({ drainMs: 0 }));
    const socket = await silentCaller(listener.port, "/", "none");
    let seen = -1;
    let turns = 0;
    await until(async () => {
      turns = pieces === seen ? turns + 1 : 0;
      seen = pieces;
      return turns > 500 && pieces > 0;
    });
    // The capacity of the two sockets, not everything that could be sent.
    expect(pieces).toBeLessThan(1_000);
    expect(isOver).toBe(false);
    socket.destroy();
    await until(async () => isOver);
  });

  test("a caller that disconnects during an answer releases its place", async () => {
    const harness = await largeHarness();
    const { port, url } = await harness.listen();
    const path = `/runs/${harness.runId}?include=steps`;
    const callers = await Promise.all(
      Array.from({ length: heavyOfKey }, () => silentCaller(port, path, harness.reader)),
    );
    await Promise.all(callers.map((socket) => once(socket.resume(), "data")));
    for (const socket of callers) socket.destroy();
    const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${harness.reader}` } });
    expect(answer.status).toBe(200);
    expect(((await answer.json()) as { status: string }).status).toBe("completed");
  });

  test("a hundred callers that disconnect before their answers release their places", async () => {
    const harness = await largeHarness();
    const { port, url } = await harness.listen();
    const path = `/runs/${harness.runId}?include=steps`;
    for (let time = 0; time < 100; time++) (await silentCaller(port, path, harness.reader)).destroy();
    const answers = Array.from({ length: heavyOfKey }, async () => {
      const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${harness.reader}` } });
      return ((await answer.json()) as { status: string }).status;
    });
    expect(await Promise.all(answers)).toEqual(Array.from({ length: heavyOfKey }, () => "completed"));
  });

  test("HEAD of a large answer has no body and releases its place", async () => {
    const harness = await largeHarness();
    const { port, url } = await harness.listen();
    const path = `/api/v1/runs/${harness.runId}/audit`;
    for (let time = 0; time <= heavyOfKey; time++) {
      const socket = await silentCaller(port, path, harness.reader, "HEAD");
      let text = "";
      socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
      socket.resume();
      await once(socket, "close");
      expect(text).toMatch(/^HTTP\/1\.1 200 [^]*\r\n\r\n$/);
    }
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });
});

test("the timeline shows each step's size, and a single step all of its data", async () => {
  const harness = await largeHarness();
  const { reader: key, runId } = harness;
  const timeline = await harness.ask(`GET /api/v1/runs/${runId}?include=timeline`, { key });
  const bytes = Buffer.byteLength(JSON.stringify(data));
  expect(timeline.body["timeline"]).toMatchObject([
    { nodeId: "start", visit: 1, kind: "start", status: "completed", bytes: { input: bytes }, hasTurns: false },
    { nodeId: "done", visit: 1, kind: "end", bytes: { input: 0, output: expect.any(Number) }, hasTurns: false },
  ]);
  expect(JSON.stringify(timeline.body["timeline"])).not.toContain("xxx");
  const step = await harness.ask(`GET /api/v1/runs/${runId}/steps/start/1`, { key });
  expect(step).toMatchObject({ status: 200, body: { nodeId: "start", visit: 1, input: data } });
  const otherTexts = ["one", "1e0", "0x1", "01", "+1", "1.0", "%201", "0", "-1", "1".repeat(400)].map(
    (text) => `start/${text}`,
  );
  for (const path of ["start/2", "nowhere/1", ...otherTexts]) {
    const missing = await harness.ask(`GET /api/v1/runs/${runId}/steps/${path}`, { key });
    expect(missing).toMatchObject({ status: 404, body: { code: "not_found" } });
  }
  expect(textOf((await harness.ask(`GET /runs/run_none?include=timeline`, { key })).body["code"])).toBe(
    "run_not_found",
  );
});
