import { randomUUID } from "node:crypto";
import { manualClock } from "@procedo-testing/faults";
import { describe, expect, test } from "vitest";
import { createHarness, owner, textOf, type Harness } from "./harness.ts";

async function countPages(harness: Harness, target: string, key: string): Promise<number> {
  let count = 0;
  let cursor = "";
  do {
    const { status, body } = await harness.ask(`GET ${target}&limit=2${cursor}`, { key });
    expect(status).toBe(200);
    count += (body["data"] as unknown[]).length;
    cursor = body["nextCursor"] === undefined ? "" : `&cursor=${textOf(body["nextCursor"])}`;
  } while (cursor !== "");
  return count;
}

/** Runs of every status: more of each in live than in sandbox. */
async function workIn(harness: Harness): Promise<void> {
  for (const [environment, times] of [
    ["sandbox", 1],
    ["live", 2],
  ] as const) {
    const key = await harness.key(["run"], environment);
    const start = async (procedureId: string) => {
      const runId = await harness.run(procedureId, key, environment);
      if (procedureId !== "slow") await harness.settled(runId, environment);
      return runId;
    };
    for (let time = 0; time < times; time++) {
      const rejected = { runId: await start("ask"), approved: false, rejectionReason: "Too much." };
      await harness.engine.reviews.decide({ environment, ...rejected, idempotencyKey: randomUUID(), by: owner });
      await harness.ended(rejected.runId, environment);
      await start("echo");
      await start("echo");
      await start("ask");
      const runId = await start("ask");
      await harness.engine.runs.cancel({ environment, runId, by: owner });
      await harness.ended(runId, environment);
    }
    await start("slow");
  }
}

describe("GET /api/v1/summary", () => {
  test("agrees with the lists that a page links to, in each environment", async () => {
    const clock = manualClock();
    const harness = await createHarness({ clock });
    await workIn(harness);
    for (const [environment, times] of [
      ["sandbox", 1],
      ["live", 2],
    ] as const) {
      const key = await harness.key(["review"], environment, "rita");
      const { status, body } = await harness.ask("GET /api/v1/summary", { key });
      expect(status).toBe(200);
      expect(body).toEqual({
        at: new Date(clock.now()).toISOString(),
        attention: {
          outcomeUnknown: 0,
          reviewsForMe: times,
          reviewsOpen: times,
          reviewsExpiringIn24h: 0,
          failedLast24h: times,
          connectionsFailing: 0,
          webhooksFailing: 0,
        },
        runs: { running: 1, awaitingReview: times },
        days: [
          ...["2025-12-27", "2025-12-28", "2025-12-29", "2025-12-30", "2025-12-31", "2026-01-01"].map((day) => ({
            day,
            completed: 0,
            failed: 0,
          })),
          { day: "2026-01-02", completed: 2 * times, failed: times },
        ],
        procedures: [
          { procedureId: "ask", name: "Ask", completed: 0, failed: times, openReviews: times },
          { procedureId: "echo", name: "Echo", completed: 2 * times, failed: 0, openReviews: 0 },
        ],
      });
      const count = (target: string) => countPages(harness, target, key);
      expect(await count("/api/v1/reviews?status=open&decidable=true")).toBe(times);
      expect(await count("/api/v1/runs?status=running")).toBe(1);
      expect(await count("/api/v1/runs?attention=true")).toBe(2 * times);
      expect(await count("/api/v1/runs?attention=true&status=failed")).toBe(times);
      expect(await count("/api/v1/runs?attention=true&status=awaiting_review&procedureId=ask")).toBe(times);
      expect(await count("/api/v1/runs?attention=true&status=completed,failed")).toBe(times);
    }
    harness.release();
  });

  test("counts the reviews that the person of each session may decide in the environment that it names", async () => {
    const harness = await createHarness();
    await workIn(harness);
    const reviewer = await harness.person({ access: { sandbox: ["viewer"], live: ["reviewer"] } });
    const viewer = await harness.person({ access: { live: ["viewer"] } });
    const forMe = async ({ token }: { readonly token: string }, environment: string) => {
      const { status, body } = await harness.ask(`GET /api/v1/summary?environment=${environment}`, { key: token });
      return status === 200 ? (body["attention"] as { reviewsForMe: number }).reviewsForMe : status;
    };
    expect(await forMe(reviewer, "live")).toBe(2);
    expect(await forMe(reviewer, "sandbox")).toBe(0);
    expect(await forMe(viewer, "live")).toBe(0);
    expect(await forMe(viewer, "sandbox")).toBe(403);
    expect((await harness.ask("GET /api/v1/summary", { key: viewer.token })).status).toBe(400);
    harness.release();
  });

  test("the list of runs takes no other value of attention", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    for (const wrong of ["attention=false", "attention=", "attention=1"]) {
      expect((await harness.ask(`GET /api/v1/runs?${wrong}`, { key })).status, wrong).toBe(400);
    }
  });
});

describe("GET /api/v1/procedures", () => {
  test("shows the numbers of each procedure in the environment of the caller, and finds procedures by words", async () => {
    const clock = manualClock();
    const harness = await createHarness({ clock });
    await workIn(harness);
    const lastRunAt = new Date(clock.now()).toISOString();
    const list = async (environment: "sandbox" | "live", query = "") => {
      const key = await harness.key([], environment);
      const { status, body } = await harness.ask(`GET /api/v1/procedures?${query}`, { key });
      expect(status).toBe(200);
      return body["data"] as { procedureId: string }[];
    };
    const [ask, echo] = await list("live");
    expect(ask).toMatchObject({
      procedureId: "ask",
      openReviews: 2,
      last7Days: { completed: 0, failed: 2 },
      lastRunAt,
    });
    expect(echo).toMatchObject({ procedureId: "echo", openReviews: 0, last7Days: { completed: 4, failed: 0 } });
    expect((await list("sandbox"))[1]).toMatchObject({ procedureId: "echo", last7Days: { completed: 2, failed: 0 } });
    expect((await list("live", "search=EC+ho")).map(({ procedureId }) => procedureId)).toEqual(["echo"]);
    expect(await list("live", "search=ec+fail")).toEqual([]);
    harness.release();
  });
});
