import { inspect } from "node:util";
import { errorCatalogue, type ErrorCode } from "@procedo/contract";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Fault, type FakeService, sandboxKey, startFakeService } from "./fake-service.ts";
import { clientOf, completedRun, fakeRuntime, openReview } from "./fixtures.ts";

let service: FakeService;
beforeEach(async () => {
  service = await startFakeService();
  service.runs.set("run_1", [completedRun()]);
});
afterEach(() => service[Symbol.asyncDispose]());

const data = { invoice: "INV-1" };
const shown = { runId: "run_1", ...openReview };
const gateway: Fault = { status: 502, body: "<h1>Bad Gateway</h1>" };

/** Transient failures: the same request succeeds when repeated. */
const passing: readonly (readonly [name: string, fault: Fault])[] = [
  ["a refused connection", "refused"],
  ["a lost answer", "answer lost"],
  ["a truncated answer", "answer cut"],
  ["a gateway without the service", gateway],
  ["a gateway that timed out", { status: 504, body: "<h1>Gateway Timeout</h1>" }],
  ["a gateway's 504 in JSON", { status: 504, body: { message: "Endpoint request timed out" } }],
  ["a service that shuts down", { status: 503, body: { error: "Bye.", code: "shutting_down", requestId: "r" } }],
  ["a busy service", { status: 503, body: { error: "Busy.", code: "overloaded" }, headers: { "retry-after": "0" } }],
  [
    "too many requests",
    { status: 429, body: { error: "Slow.", code: "rate_limited" }, headers: { "retry-after": "0" } },
  ],
  ["a request that timed out at the server", { status: 408 }],
];

describe("a transient failure is repeated", () => {
  test.each(passing)("%s: one run", async (_name, fault) => {
    service.faults.push(fault, fault);
    const { runId } = await clientOf(service).start("vendor-payment", { data });
    expect(runId).toBe("run_1");
    expect(service.started.size).toBe(1);
    expect(service.received).toHaveLength(3);
    expect(new Set(service.received.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
    expect(new Set(service.received.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  test.each(passing)("%s: one run also with a long-polling start", async (_name, fault) => {
    service.syncReply = { runId: "run_1", status: "failed", error: "no", completedAt: "2026-11-20T12:00:01.000Z" };
    service.faults.push(fault);
    expect(await clientOf(service).run("vendor-payment", { data })).toMatchObject({ status: "failed", error: "no" });
    expect(service.started.size).toBe(1);
  });

  test.each(passing)("%s: one decision", async (_name, fault) => {
    service.faults.push(fault);
    await clientOf(service).reviews.decide(shown, { approved: true });
    expect(service.decisions.size).toBe(1);
    expect(service.received).toHaveLength(2);
  });

  test.each(passing)("%s: a poll and a cancel", async (_name, fault) => {
    service.faults.push(fault);
    expect(await clientOf(service).runs.get("run_1")).toEqual(completedRun());
    service.faults.push(fault);
    await clientOf(service).runs.cancel("run_1");
    expect(service.received).toHaveLength(4);
  });

  test("a missing answer within the limit is repeated, and then reported", async () => {
    service.faults.push("silence", "silence");
    const attempt = clientOf(service, { timeoutMs: 40, retries: 1 }).runs.get("run_1");
    await expect(attempt).rejects.toMatchObject({ code: "upstream_unreachable", retryable: true });
    expect(service.received).toHaveLength(2);
  });

  test("is repeated at most as often as the caller allows", async () => {
    service.faults.push(gateway, gateway, gateway, gateway, gateway, gateway, gateway);
    await expect(clientOf(service, { retries: 0 }).runs.get("run_1")).rejects.toMatchObject({ code: "overloaded" });
    expect(service.received).toHaveLength(1);
    await expect(clientOf(service).runs.get("run_1")).rejects.toMatchObject({ code: "overloaded" });
    expect(service.received).toHaveLength(6);
  });
});

describe("a permanent failure is reported at once", () => {
  const lasting = (Object.keys(errorCatalogue) as ErrorCode[]).filter((code) => !errorCatalogue[code].retryable);

  test.each(lasting)("%s, with the service's message", async (code) => {
    service.failWith = code;
    await expect(clientOf(service).start("vendor-payment", { data })).rejects.toMatchObject({
      name: "ProcedoError",
      code,
      message: `It is ${code}.`,
      details: [{ path: "/data/amount", message: "is required" }],
      requestId: "req_1",
      status: errorCatalogue[code].status,
    });
    expect(service.received).toHaveLength(1);
  });

  test("the contract's timeout of a synchronous run is an answer and is not repeated", async () => {
    const timeout = { runId: "run_1", status: "timeout", error: "Too long.", statusUrl: `${service.url}/runs/run_1` };
    service.faults.push({ status: 504, body: timeout });
    expect(await clientOf(service).run("vendor-payment", { data })).toEqual(timeout);
    expect(service.received).toHaveLength(1);
  });

  test("a long Retry-After is passed to the caller instead of waiting", async () => {
    const busy = { status: 429, body: { error: "Slow.", code: "rate_limited" } };
    service.faults.push({ ...busy, headers: { "retry-after": "3600" } });
    await expect(clientOf(service).runs.get("run_1")).rejects.toMatchObject({ retryAfterMs: 3_600_000 });
    const runtime = fakeRuntime();
    const later = new Date(runtime.now() + 60_000).toUTCString();
    service.faults.push({ ...busy, headers: { "retry-after": later } });
    await expect(clientOf(service, {}, runtime).runs.get("run_1")).rejects.toMatchObject({ retryAfterMs: 60_000 });
    expect(service.received).toHaveLength(2);
  });

  test("a redirect, which would turn a start into a poll", async () => {
    service.faults.push({ status: 301, headers: { location: `${service.url}/elsewhere` } });
    const attempt = clientOf(service).start("vendor-payment", { data });
    await expect(attempt).rejects.toMatchObject({ code: "invalid_configuration" });
    expect(service.received).toHaveLength(1);
  });

  test.each([
    ["a page instead of JSON", { status: 200, body: "<h1>Welcome</h1>" }],
    ["JSON of another service", { status: 200, body: { ok: true } }],
    ["no body", { status: 204 }],
    ["an unknown status", { status: 200, body: { ...completedRun(), status: "paused" } }],
  ] as const)("%s", async (_name, fault) => {
    service.faults.push(fault);
    await expect(clientOf(service).runs.get("run_1")).rejects.toMatchObject({ code: "internal" });
    expect(service.received).toHaveLength(1);
  });

  test("a service that cannot be reached", async () => {
    await service[Symbol.asyncDispose]();
    const error: unknown = await clientOf(service, { retries: 1 })
      .runs.get("run_1")
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "upstream_unreachable", retryable: true });
    expect(inspect(error)).toContain("ECONNREFUSED");
    service = await startFakeService();
  });
});

describe("aborting", () => {
  test("ends a request with the signal's reason, whether it is repeated or not", async () => {
    const controller = new AbortController();
    const reason = new Error("The user went home.");
    service.faults.push("silence");
    const attempt = clientOf(service).start("vendor-payment", { data, signal: controller.signal });
    await expect.poll(() => service.received.length).toBe(1);
    controller.abort(reason);
    await expect(attempt).rejects.toBe(reason);
    expect(service.received).toHaveLength(1);
  });

  test("before the call sends nothing", async () => {
    const signal = AbortSignal.abort(new Error("too late"));
    await expect(clientOf(service).runs.get("run_1", { signal })).rejects.toThrow("too late");
    await expect(clientOf(service).runs.wait("run_1", { signal })).rejects.toThrow("too late");
    expect(service.received).toEqual([]);
  });
});

test("no failure reveals the key", async () => {
  const faults: readonly Fault[] = [
    ...passing.map(([, fault]) => fault),
    { status: 401, body: { error: "Unknown key.", code: "unauthorized" } },
    { status: 301, headers: { location: "/elsewhere" } },
    { status: 200, body: "<h1>Welcome</h1>" },
    { status: 204 },
    "silence",
  ];
  for (const fault of faults) {
    service.faults.push(fault);
    const client = clientOf(service, { retries: 0, timeoutMs: 200 });
    const error: unknown = await client.start("vendor-payment", { data }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "ProcedoError" });
    const reported = inspect(error, { depth: 20, showHidden: true });
    expect(reported).not.toContain(sandboxKey);
    expect(reported).not.toContain("INV-1");
  }
});
