import { maxResultBytes } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { connected, echo, functionOf, gate, nextEvent } from "./setup.ts";

const isPath = (path: string) => (request: { readonly path: string }) => request.path === path;
const results = ({ received }: { readonly received: readonly { readonly path: string; readonly text: string }[] }) =>
  received.filter(isPath("/v1/sdk/result")).map(({ text }) => JSON.parse(text) as Record<string, unknown>);

test("a call is answered with the function's return value", async () => {
  const { service } = await connected([echo]);
  expect(await service.call("echo", { value: { a: [1, "x", null] } }).settled).toEqual({
    status: "ok",
    output: { a: [1, "x", null] },
  });
});

describe("results are delivered distinctly:", () => {
  test.each([
    ["nothing", undefined, { status: "ok" }],
    ["null", null, { status: "ok", output: null }],
    ["an empty text", "", { status: "ok", output: "" }],
    ["an empty object", {}, { status: "ok", output: {} }],
    ["an empty list", [], { status: "ok", output: [] }],
    ["false", false, { status: "ok", output: false }],
    ["zero", 0, { status: "ok", output: 0 }],
  ])("%s", async (_name, result, expected) => {
    const { service } = await connected([functionOf("give", () => result)]);
    expect(await service.call("give").settled).toEqual(expected);
  });
});

test("a result of 5 MB arrives whole", async () => {
  const text = "x".repeat(5_000_000);
  const { service } = await connected([functionOf("large", () => text)]);
  expect(await service.call("large").settled).toEqual({ status: "ok", output: text });
});

test("a result over the limit is a clear error for the caller", async () => {
  const { service } = await connected([functionOf("huge", () => "x".repeat(maxResultBytes))]);
  expect(await service.call("huge").settled).toEqual({
    status: "error",
    error: expect.stringMatching(/^The function's result is \d+ bytes; the maximum is 8388608\./),
  });
});

test.each([
  ["a cycle", cycle, /circular/i],
  ["a BigInt", () => ({ total: 10n }), /"total" is a BigInt; return it as a string/],
  ["an invalid number", () => [Number.NaN], /"0" is NaN/],
  ["a map", () => new Map([["a", 1]]), /is a Map or Set/],
])("a result that JSON cannot represent, %s, is an error for the caller", async (_name, make, message) => {
  const { service } = await connected([functionOf("unfit", make)]);
  expect(await service.call("unfit").settled).toEqual({ status: "error", error: expect.stringMatching(message) });
});

test("a result is sent again under the same call and lease until it is answered, and counts once", async () => {
  const { service, runtime, connection } = await connected([echo]);
  service.failNext("/v1/sdk/result", "answer lost", { status: 502, body: "<html>" }, "refused");
  const call = service.call("echo", { value: 1 });
  const ended = nextEvent(connection, "invocation", ({ phase }) => phase === "ended");
  await call.settled;
  while (results(service).length < 4) await runtime.advance(500);
  expect(await ended).toMatchObject({ result: "ok" });
  expect(new Set(results(service).map((body) => JSON.stringify(body)))).toHaveLength(1);
  expect(service.calls.all.get("inv_1")).toMatchObject({ accepted: 1 });
});

test("waiting results are sent at once when the service is reachable again", async () => {
  const { service, runtime, connection } = await connected([echo]);
  service.faultOf = (request) =>
    isPath("/v1/sdk/result")(request) ? { status: 503, headers: { "retry-after": "600" } } : { status: 500 };
  const refused = service.arrival(isPath("/v1/sdk/result"));
  const lost = nextEvent(connection, "reconnecting");
  const call = service.call("echo", { value: 1 });
  await refused;
  await lost;
  service.faultOf = () => undefined;
  const again = nextEvent(connection, "connected");
  await runtime.advance(1_000);
  await again;
  expect(await call.settled).toEqual({ status: "ok", output: 1 });
});

test("a result that the service permanently refuses becomes an error with its reason", async () => {
  const { service } = await connected([echo]);
  const body = { error: "The output holds a number that is not exact.", code: "inexact_number", requestId: "req_1" };
  service.failNext("/v1/sdk/result", { status: 422, body });
  expect(await service.call("echo", { value: 1 }).settled).toEqual({
    status: "error",
    error: expect.stringContaining("The output holds a number that is not exact."),
  });
});

test("a result under a stale lease is dropped and logged, and the client continues", async () => {
  const running = gate();
  const { service, connection, log } = await connected([functionOf("slow", () => running.promise), echo]);
  const polled = service.arrival(isPath("/v1/sdk/poll"));
  service.call("slow");
  await polled;
  service.calls.giveUp("inv_1");
  const ended = nextEvent(connection, "invocation", ({ phase }) => phase === "ended");
  running.resolve();
  expect(await ended).toMatchObject({ id: "inv_1", result: "none" });
  expect(log.lines.join("\n")).toContain("A result came too late");
  expect(await service.call("echo", { value: 2 }).settled).toMatchObject({ output: 2 });
});

test("at most `concurrency` of 100 calls run at the same time, and each is answered once", async () => {
  let running = 0;
  let most = 0;
  const handler = async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
  };
  const { service } = await connected([functionOf("work", handler)], { concurrency: 7 });
  const calls = Array.from({ length: 100 }, () => service.call("work"));
  await Promise.all(calls.map(({ settled }) => settled));
  expect(most).toBe(7);
  expect([...service.calls.all.values()].map(({ accepted }) => accepted)).toEqual(Array(100).fill(1));
  expect(Math.max(...service.received.map(({ query }) => Number(query["max"] ?? 0)))).toBe(7);
});

test("a call whose poll answer was lost is dispatched again when its lease ends, under the same idempotency key", async () => {
  const keys: string[] = [];
  const { service, runtime } = await connected([
    functionOf("pay", (_input, { idempotencyKey }) => void keys.push(idempotencyKey)),
  ]);
  service.failNext("/v1/sdk/poll", "answer lost");
  service.cutConnections();
  const call = service.call("pay");
  while (call.state === undefined) await runtime.advance(5_000);
  expect(keys).toEqual(["key_inv_1"]);
  expect(service.calls.all.get("inv_1")?.leases).toHaveLength(2);
});

function cycle(): object {
  const made: { self?: object } = {};
  made.self = made;
  return made;
}
