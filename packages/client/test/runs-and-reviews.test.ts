import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type FakeService, startFakeService } from "./fake-service.ts";
import { awaitingRun, clientOf, completedRun, failedRun, openReview, review, runningRun } from "./fixtures.ts";

let service: FakeService;
beforeEach(async () => {
  service = await startFakeService();
});
afterEach(() => service[Symbol.asyncDispose]());

describe("runs", () => {
  test("get requests the steps only if they are wanted", async () => {
    service.runs.set("run_1", [completedRun()]);
    const client = clientOf(service);
    expect(await client.runs.get("run_1")).toEqual(completedRun());
    await client.runs.get("run_1", { steps: true });
    expect(service.received.map(({ path, query }) => [path, query])).toEqual([
      ["/runs/run_1", {}],
      ["/runs/run_1", { include: "steps" }],
    ]);
  });

  test("get requests the timeline, and not for both", async () => {
    const sized = {
      nodeId: "start",
      kind: "start",
      visit: 1,
      status: "completed",
      startedAt: "2026-11-20T12:00:00.000Z",
    };
    const timeline = [{ ...sized, bytes: { input: 20, output: 0 }, hasTurns: false }];
    service.faults.push({ status: 200, body: { ...completedRun(), timeline } });
    const client = clientOf(service);
    expect(await client.runs.get("run_1", { timeline: true })).toEqual({ ...completedRun(), timeline });
    expect(service.received.map(({ query }) => query)).toEqual([{ include: "timeline" }]);
    await expect(client.runs.get("run_1", { steps: true, timeline: true })).rejects.toMatchObject({
      code: "malformed_request",
    });
  });

  test("step returns one visit of a node", async () => {
    const step = {
      nodeId: "pay",
      kind: "tool_call",
      visit: 2,
      status: "failed",
      startedAt: "2026-11-20T12:00:00.000Z",
    };
    service.faults.push({ status: 200, body: step });
    expect(await clientOf(service).runs.step("run_1", "pay", 2)).toEqual(step);
    expect(service.received.at(-1)?.path).toBe("/api/v1/runs/run_1/steps/pay/2");
  });

  test("a newer service may add members, also at depth", async () => {
    const step = {
      nodeId: "start",
      kind: "start",
      visit: 1,
      status: "completed",
      startedAt: "2026-11-20T12:00:00.000Z",
    };
    const output = { paid: true, cost: { currency: "EUR" } };
    const newer = { ...completedRun(), output, region: "eu", steps: [{ ...step, worker: "w1" }, step] };
    service.faults.push({ status: 200, body: newer });
    const { region: _region, ...known } = newer;
    expect(await clientOf(service).runs.get("run_1")).toEqual({ ...known, steps: [step, step] });
  });

  test("cancel sends the reason and resolves when the cancellation is accepted", async () => {
    service.runs.set("run_1", [runningRun()]);
    await clientOf(service).runs.cancel("run_1", { reason: "a duplicate" });
    await clientOf(service).runs.cancel("run_1");
    expect(service.received.map(({ method, path, body }) => [method, path, body])).toEqual([
      ["POST", "/api/v1/runs/run_1/cancel", { reason: "a duplicate" }],
      ["POST", "/api/v1/runs/run_1/cancel", {}],
    ]);
    await expect(clientOf(service).runs.cancel("run_9")).rejects.toMatchObject({ code: "run_not_found" });
  });

  test("list returns one page and passes the filters on", async () => {
    service.runs.set("run_1", [runningRun()]).set("run_2", [failedRun("run_2")]);
    const filter = {
      status: "failed",
      procedureId: "vendor-payment",
      q: "INV-1 ä%",
      from: "2026-11-20T00:00:00Z",
    } as const;
    const query = { ...filter, limit: 1 };
    const page = await clientOf(service).runs.list(query);
    expect(page.data.map(({ runId }) => runId)).toEqual(["run_1"]);
    expect(page.nextCursor).toBe("1");
    expect(service.received[0]?.query).toEqual({ ...query, limit: "1" });
  });

  test("all reads page after page, each once and only when needed", async () => {
    for (let n = 1; n <= 250; n += 1) service.runs.set(`run_${n}`, [completedRun(`run_${n}`)]);
    const client = clientOf(service);
    const ids = [];
    for await (const { runId } of client.runs.all({ status: "completed" })) ids.push(runId);
    expect(ids).toEqual([...service.runs.keys()]);
    expect(service.received.map(({ query }) => query["cursor"])).toEqual([undefined, "100", "200"]);
    expect(service.received.every(({ query }) => query["status"] === "completed")).toBe(true);
    service.received.splice(0);
    for await (const { runId } of client.runs.all()) if (runId === "run_3") break;
    expect(service.received).toHaveLength(1);
  });

  test("wait polls until the run has ended", async () => {
    service.runs.set("run_1", [runningRun(), runningRun(), completedRun()]);
    expect(await clientOf(service).runs.wait("run_1")).toEqual(completedRun());
    expect(service.received).toHaveLength(3);
  });

  test("wait survives a temporary outage of the service", async () => {
    service.runs.set("run_1", [runningRun(), completedRun(), completedRun()]);
    service.faults.push(undefined, "refused", { status: 503 }, "answer lost");
    expect(await clientOf(service, { retries: 0 }).runs.wait("run_1")).toEqual(completedRun());
    expect(service.received).toHaveLength(5);
  });
});

describe("reviews", () => {
  test("list passes on what to show and in which order", async () => {
    const { reviews } = clientOf(service);
    await reviews.list({ status: "open", kind: "guard", decidable: true, order: "expires" });
    await reviews.list({ decidable: false, closedFrom: "2026-11-20T00:00:00Z" });
    expect(service.received.map(({ query }) => query)).toEqual([
      { status: "open", kind: "guard", decidable: "true", order: "expires" },
      { closedFrom: "2026-11-20T00:00:00Z" },
    ]);
  });

  test("get and list", async () => {
    service.reviews.set("rev_1", review());
    const client = clientOf(service);
    expect(await client.reviews.get("rev_1")).toEqual(review());
    const { data } = await client.reviews.list({ status: "open", q: "INV-1" });
    expect(service.received.at(-1)?.query).toEqual({ status: "open", q: "INV-1" });
    expect(data.map(({ reviewId, digest }) => [reviewId, digest])).toEqual([["rev_1", "digest_1"]]);
    const ids = [];
    for await (const { reviewId } of client.reviews.all()) ids.push(reviewId);
    expect(ids).toEqual(["rev_1"]);
    await expect(client.reviews.get("rev_9")).rejects.toMatchObject({ code: "review_not_found" });
  });

  test.each([
    { approved: true },
    { approved: true, outputs: { limit: "500" } },
    { approved: false, rejectionReason: "Wrong vendor." },
  ] as const)("a decision names the review and the digest of the shown data: %o", async (decision) => {
    service.reviews.set("rev_1", review());
    const client = clientOf(service);
    await client.reviews.decide(await client.reviews.get("rev_1"), decision);
    expect(service.received[1]).toMatchObject({ method: "POST", path: "/api/runner-proxy/review/run_1" });
    expect([...service.decisions.values()]).toEqual([{ ...decision, reviewId: "rev_1", reviewDigest: "digest_1" }]);
  });

  test("the review of a waiting run can be decided without another request", async () => {
    service.runs.set("run_1", [awaitingRun()]);
    const client = clientOf(service);
    const run = await client.runs.wait("run_1");
    if (run.status !== "awaiting_review" || run.review === undefined) throw new Error("no review");
    await client.reviews.decide({ runId: run.runId, ...run.review }, { approved: true });
    expect([...service.decisions.values()]).toEqual([
      { approved: true, reviewId: openReview.reviewId, reviewDigest: openReview.digest },
    ]);
  });

  test("two calls are two submissions, unless the caller gives them one key", async () => {
    const client = clientOf(service);
    const shown = { runId: "run_1", ...openReview };
    const idempotencyKey = "5f0c6a0e-3b1c-4c55-9d1e-0a2b3c4d5e6f";
    await client.reviews.decide(shown, { approved: true }, { idempotencyKey });
    await client.reviews.decide(shown, { approved: true }, { idempotencyKey });
    await expect(client.reviews.decide(shown, { approved: true })).rejects.toMatchObject({ code: "already_decided" });
  });
});
