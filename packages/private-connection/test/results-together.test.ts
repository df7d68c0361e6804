import { maxResultsTogether, ProcedoError } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import type { FakeService, Received } from "./fake-service.ts";
import { connected, echo, functionOf, gate, nextEvent, type Scene } from "./setup.ts";
import { settle } from "./test-runtime.ts";

const alone = "/v1/sdk/result";
const together = "/v1/sdk/results";
const isPath = (path: string) => (request: { readonly path: string }) => request.path === path;

/** The number of results in each request, in order. */
const sent = ({ received }: FakeService): number[] =>
  received.filter(({ path }) => path === alone || path === together).map(countOf);

function countOf({ path, text }: Received): number {
  return path === alone ? 1 : (JSON.parse(text) as { readonly results: readonly unknown[] }).results.length;
}

interface Held extends Scene {
  readonly calls: readonly ReturnType<FakeService["call"]>[];
  /** Ends this many calls in the same turn, each with its number or the given value. */
  end(...numbers: readonly number[]): void;
}

/** A client that runs this many calls, each of which ends when the test says so. */
async function running(count: number, outputOf: (n: number) => unknown = (n) => n): Promise<Held> {
  const gates = Array.from({ length: count }, () => gate<unknown>());
  const work = functionOf("work", ({ n }) => gates[Number(n)]?.promise, { idempotent: true });
  const scene = await connected([work], { concurrency: count });
  const calls = gates.map((_gate, n) => scene.service.call("work", { n }));
  await settle();
  const end = (...numbers: readonly number[]): void => {
    for (const n of numbers) gates[n]?.resolve(outputOf(n));
  };
  return { ...scene, calls, end };
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
const settledOf = ({ calls }: Held) => Promise.all(calls.map(({ settled }) => settled));
const acceptedOf = ({ service }: Held) => [...service.calls.all.values()].map(({ accepted }) => accepted);

describe("results that become ready in the same turn", () => {
  test("are sent together, and each call gets its own", async () => {
    const scene = await running(3);
    scene.end(0, 1, 2);
    expect(await settledOf(scene)).toEqual(upTo(3).map((output) => ({ status: "ok", output })));
    expect(sent(scene.service)).toEqual([3]);
  });

  test("are a single result, sent alone, if there is no other", async () => {
    const { service } = await connected([echo]);
    expect(await service.call("echo", { value: 1 }).settled).toMatchObject({ output: 1 });
    expect(service.received.filter(isPath(together))).toEqual([]);
    expect(sent(service)).toEqual([1]);
  });

  test(`are at most ${maxResultsTogether} in a request`, async () => {
    const scene = await running(40);
    scene.end(...upTo(40));
    await settledOf(scene);
    expect(sent(scene.service)).toEqual([32, 8]);
    expect(acceptedOf(scene)).toEqual(Array(40).fill(1));
  });

  test("and are large are sent in requests of a megabyte, a larger one alone", async () => {
    const sizes = [400_000, 400_000, 400_000, 2_000_000, 400_000];
    const scene = await running(5, (n) => "x".repeat(sizes[n] ?? 0));
    scene.end(...upTo(5));
    await settledOf(scene);
    expect(sent(scene.service).sort()).toEqual([1, 1, 1, 2]);
    expect(acceptedOf(scene)).toEqual(Array(5).fill(1));
  });
});

describe("results that become ready during two requests", () => {
  /** Two unanswered requests, and three more results. */
  async function busy() {
    const scene = await running(5);
    scene.service.failNext(alone, "silence", "silence");
    for (const n of [0, 1]) {
      scene.end(n);
      await settle();
    }
    scene.end(2, 3);
    await settle();
    scene.end(4);
    await settle();
    return scene;
  }

  test("wait for one of them, and are sent together", async () => {
    const scene = await busy();
    expect(sent(scene.service)).toEqual([1, 1]);
    scene.service.cutConnections();
    await settle();
    expect(sent(scene.service).slice(2)).toContain(3);
  });

  test("wait for no longer than 10 ms", async () => {
    const scene = await busy();
    await scene.runtime.advance(9);
    expect(sent(scene.service)).toEqual([1, 1]);
    await scene.runtime.advance(1);
    expect(sent(scene.service)).toEqual([1, 1, 3]);
  });
});

describe("of results that were sent together,", () => {
  test("a refused one becomes an error with its reason, and the others are accepted", async () => {
    const scene = await running(3);
    scene.service.refusalOf = ({ invocationId, status }) =>
      invocationId === "inv_2" && status === "ok"
        ? new ProcedoError("malformed_request", "Nobody can read it.")
        : undefined;
    scene.end(0, 1, 2);
    expect(await settledOf(scene)).toEqual([
      { status: "ok", output: 0 },
      { status: "error", error: "The service rejected the function's result: Nobody can read it." },
      { status: "ok", output: 2 },
    ]);
    expect(sent(scene.service)).toEqual([3, 1]);
  });

  test("a stale one is dropped and logged, and the others are accepted", async () => {
    const scene = await running(3);
    const ended = nextEvent(scene.connection, "invocation", ({ id, phase }) => id === "inv_1" && phase === "ended");
    scene.service.calls.giveUp("inv_1");
    scene.end(0, 1, 2);
    expect(await ended).toMatchObject({ result: "none" });
    expect(scene.log.lines.filter((line) => line.includes("A result came too late"))).toHaveLength(1);
    expect((await settledOf(scene)).slice(1)).toEqual([
      { status: "ok", output: 1 },
      { status: "ok", output: 2 },
    ]);
  });

  test.each(["answer lost", "answer cut", "refused"] as const)(
    "none is lost and none counts twice if the fate of the request is %s: each is sent again individually",
    async (fault) => {
      const scene = await running(3);
      scene.service.failNext(together, fault);
      const ended = nextEvent(scene.connection, "invocation", ({ id, phase }) => id === "inv_3" && phase === "ended");
      scene.end(0, 1, 2);
      await settle();
      while (sent(scene.service).length < 4) await scene.runtime.advance(500);
      expect(await ended).toMatchObject({ result: "ok" });
      expect(await settledOf(scene)).toEqual(upTo(3).map((output) => ({ status: "ok", output })));
      expect(sent(scene.service)).toEqual([3, 1, 1, 1]);
      expect(acceptedOf(scene)).toEqual([1, 1, 1]);
    },
  );

  test.each([
    ["an answer with fewer results", { status: 200, body: { results: [{ invocationId: "inv_1", success: true }] } }],
    ["an answer outside the protocol", { status: 200, body: "<html>" }],
    ["an error of the service", { status: 503, body: { error: "Away.", code: "storage_unavailable" } }],
  ])("none counts as delivered after %s", async (_what, fault) => {
    const scene = await running(2);
    scene.service.failNext(together, fault);
    scene.end(0, 1);
    await settle();
    expect(acceptedOf(scene)).toEqual([0, 0]);
    while (sent(scene.service).length < 3) await scene.runtime.advance(500);
    expect(await settledOf(scene)).toEqual(upTo(2).map((output) => ({ status: "ok", output })));
  });

  test.each([400, 413, 422])("each is sent individually at once if all are refused with %i", async (status) => {
    const scene = await running(3);
    const body = { error: "Not these.", code: "malformed_request", requestId: "req_1" };
    scene.service.failNext(together, { status, body });
    scene.end(0, 1, 2);
    expect(await settledOf(scene)).toEqual(upTo(3).map((output) => ({ status: "ok", output })));
    expect(sent(scene.service)).toEqual([3, 1, 1, 1]);
  });
});

test.each([403, 404, 405])("a service that answers %i gets individual results from then on", async (status) => {
  const scene = await running(6);
  scene.service.failNext(together, { status });
  scene.end(0, 1, 2);
  await settle();
  scene.end(3, 4, 5);
  expect(await settledOf(scene)).toEqual(upTo(6).map((output) => ({ status: "ok", output })));
  expect(sent(scene.service)).toEqual([3, 1, 1, 1, 1, 1, 1]);
});

test("behind a gateway that refuses requests with several results, every result arrives once", async () => {
  const scene = await running(20);
  scene.service.takesSeveral = false;
  scene.end(...upTo(20));
  await settledOf(scene);
  expect(sent(scene.service)).toEqual([20, ...Array<number>(20).fill(1)]);
  expect(acceptedOf(scene)).toEqual(Array(20).fill(1));
});

test("a token that is refused for results ends the client", async () => {
  const scene = await running(3);
  scene.service.failNext(together, { status: 401, body: { error: "Who?", code: "unauthorized" } });
  scene.end(0, 1, 2);
  await expect(scene.ended).rejects.toMatchObject({ code: "unauthorized" });
  expect(scene.connection.state).toMatchObject({ reason: "unauthorized", unfinished: ["inv_1", "inv_2", "inv_3"] });
  expect(scene.log.lines.filter((line) => line.startsWith("error"))).toHaveLength(1);
});

test("closing delivers ready and waiting results, and ends when all of them are answered", async () => {
  const scene = await running(4);
  scene.service.failNext(together, "answer lost");
  scene.end(0, 1, 2);
  const closed = scene.connection.close();
  await settle();
  scene.end(3);
  await scene.runtime.advance(2_000);
  await closed;
  expect(await settledOf(scene)).toEqual(upTo(4).map((output) => ({ status: "ok", output })));
  expect(scene.connection.state).toMatchObject({ reason: "closed", unfinished: [] });
});
