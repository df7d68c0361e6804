import { randomUUID } from "node:crypto";
import { manualClock } from "@procedo-testing/faults";
import { describe, expect, test } from "vitest";
import { createHarness, textOf } from "./harness.ts";

describe("GET /api/v1/runs", () => {
  test("names the person who started each run, and the review that it waits for", async () => {
    const harness = await createHarness();
    const key = await harness.key(["run", "review"], "sandbox", "sam");
    const runId = await harness.run("ask", key);
    await harness.settled(runId);
    const [listed] = (await harness.ask("GET /api/v1/runs?status=awaiting_review", { key })).body["data"] as unknown[];
    const [review] = await harness.engine.reviews.ofRun({ environment: "sandbox", runId });
    expect(listed).toMatchObject({
      runId,
      startedBy: "sam",
      waitingFor: {
        kind: "review",
        reviewId: review?.reviewId,
        reviewKind: "human_review",
        nodeId: "approve",
        title: "Pay 5?",
        since: expect.any(String),
      },
    });
    const body = { approved: true, idempotencyKey: randomUUID() };
    await harness.ask(`POST /api/runner-proxy/review/${runId}`, { key, body });
    await harness.ended(runId);
    const [ended] = (await harness.ask("GET /api/v1/runs", { key })).body["data"] as unknown[];
    expect(ended).toMatchObject({ runId, status: "completed" });
    expect(ended).not.toHaveProperty("waitingFor");
  });

  test("lists newest first, page by page, each run once", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    const started: string[] = [];
    for (let run = 0; run < 5; run++) started.push(await harness.run("echo", key));
    const seen: unknown[] = [];
    let cursor = "";
    do {
      const page = await harness.ask(`GET /api/v1/runs?limit=2${cursor && `&cursor=${cursor}`}`, { key });
      seen.push(...(page.body["data"] as { runId: string }[]).map(({ runId }) => runId));
      cursor = textOf(page.body["nextCursor"]);
    } while (cursor !== "");
    expect(seen).toEqual(started.reverse());
  });

  test("filters by several statuses, by version and by the person who started the run", async () => {
    const harness = await createHarness();
    const [sam, olga] = [await harness.key(["run"], "sandbox", "sam"), await harness.key()];
    const done = await harness.run("echo", sam);
    const broken = await harness.run("fail", olga);
    const waiting = await harness.run("ask", olga);
    for (const runId of [done, broken, waiting]) await harness.settled(runId);
    const runsOf = async (query: string) => {
      const { body } = await harness.ask(`GET /api/v1/runs?${query}`, { key: sam });
      return (body["data"] as { runId: string }[]).map(({ runId }) => runId).sort();
    };
    expect(await runsOf("status=failed,awaiting_review")).toEqual([broken, waiting].sort());
    expect(await runsOf("status=failed,failed")).toEqual([broken]);
    expect(await runsOf("startedBy=SAM")).toEqual([done]);
    expect(await runsOf("procedureId=echo&version=v1")).toEqual([done]);
    expect(await runsOf("procedureId=echo&version=v2")).toEqual([]);
    for (const wrong of ["status=failed,", "status=pending", "status=", "startedBy="]) {
      expect((await harness.ask(`GET /api/v1/runs?${wrong}`, { key: sam })).status, wrong).toBe(400);
    }
  });

  test("filters by status, procedure and time", async () => {
    const clock = manualClock();
    const harness = await createHarness({ clock });
    const key = await harness.key();
    await harness.run("echo", key);
    await clock.advance(60_000);
    const asked = await harness.run("ask", key);
    await clock.advance(10);
    const found = async (query: string) =>
      ((await harness.ask(`GET /api/v1/runs?${query}`, { key })).body["data"] as { runId: string }[]).map(
        ({ runId }) => runId,
      );
    expect(await found("status=awaiting_review")).toEqual([asked]);
    expect(await found("procedureId=ask")).toEqual([asked]);
    expect(await found("from=2026-01-02T12:01:00Z")).toEqual([asked]);
    expect(await found("to=2026-01-02T13:01:00%2B01:00&procedureId=ask")).toEqual([]);
    expect(await found("status=failed")).toEqual([]);
  });

  test.each([
    "state=running",
    "status=done",
    "limit=0",
    "limit=101",
    "limit=x",
    "from=yesterday",
    "sort=asc",
    "cursor=",
  ])("the query %s is a 400", async (query) => {
    const harness = await createHarness();
    expect((await harness.ask(`GET /api/v1/runs?${query}`, { key: await harness.key() })).status).toBe(400);
  });

  test("attention with a status that needs no person is refused with the reason, instead of an empty list", async () => {
    const harness = await createHarness();
    const { status, body } = await harness.ask("GET /api/v1/runs?attention=true&status=running,completed", {
      key: await harness.key(),
    });
    expect({ status, body }).toMatchObject({ status: 400, body: { details: [{ path: "/attention" }] } });
    expect(body["error"]).toContain("awaiting_review or failed");
  });

  test("a cursor that is invalid, of other filters, or of the other environment is a 400", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    const live = await harness.key(["run"], "live");
    for (let run = 0; run < 2; run++) {
      await harness.run("echo", key);
      await harness.run("echo", live, "live");
    }
    const { body } = await harness.ask("GET /api/v1/runs?limit=1", { key: live });
    const cursor = textOf(body["nextCursor"]);
    const refused = { status: 400, body: { code: "invalid_cursor" } };
    expect(await harness.ask(`GET /api/v1/runs?limit=1&cursor=${cursor}`, { key })).toMatchObject(refused);
    expect(await harness.ask(`GET /api/v1/runs?status=failed&cursor=${cursor}`, { key: live })).toMatchObject(refused);
    expect(await harness.ask("GET /api/v1/runs?cursor=abc", { key })).toMatchObject(refused);
  });
});
