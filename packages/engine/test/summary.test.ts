import { environments, type Environment } from "@procedo/contract";
import type { Principal } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { alice, bob, carol, createHarness, type Harness } from "./harness.ts";
import { call, procedure, review } from "./documents.ts";
import { breaks, fails, held } from "./scripted-bank.ts";

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const viewer = { person: "vera", roles: ["reviewer"], permissions: [] } as const;

const documents = [
  procedure([], { procedureId: "echo", name: "Echo" }),
  procedure([call("a", "read")], { procedureId: "look-up", name: "Look up" }),
  procedure([call("a", "once")], { procedureId: "pay", name: "Pay" }),
  procedure([review("r", { reviewers: { roles: ["reviewer"] } })], { procedureId: "ask", name: "Ask" }),
  procedure([review("r", { reviewers: { roles: ["reviewer"] }, expiresAfter: "PT20H" })], { procedureId: "hurry" }),
];

async function createSummaryHarness(options: Parameters<typeof createHarness>[0] = {}) {
  const harness = await createHarness(options);
  for (const document of documents) await harness.publish(document, { defaultIn: ["sandbox", "live"] });
  const { clock, engine, bank } = harness;

  const starting = (environment: Environment) => async (procedureId: string, times: number) => {
    const runIds: string[] = [];
    for (let run = 0; run < times; run++) runIds.push(await harness.run({}, { procedureId, environment }));
    return runIds;
  };
  const leap = async (ms: number): Promise<void> => {
    clock.leap(ms);
    await clock.advance(0);
    await clock.settle();
  };
  /** Work of eight days: more of each in one environment than in the other. */
  const work = async (times: Readonly<Record<Environment, number>>): Promise<void> => {
    for (const environment of environments) {
      await starting(environment)("echo", 3);
      await starting(environment)("ask", 1);
    }
    await leap(8 * dayMs);
    for (const environment of environments) {
      const start = starting(environment);
      const number = times[environment];
      bank.plan("read", ...Array.from({ length: number }, () => fails("refused")));
      await start("look-up", number);
      await start("echo", number);
    }
    await leap(2 * dayMs);
    for (const environment of environments) {
      const start = starting(environment);
      const number = times[environment];
      bank.plan("read", ...Array.from({ length: 2 * number }, () => fails("refused")));
      await start("look-up", 2 * number);
      await start("look-up", 1);
      bank.plan("once", ...Array.from({ length: number }, () => breaks()));
      await start("pay", number);
      bank.plan("once", held().behaviour);
      await start("pay", 1);
      await start("hurry", number);
      for (const runId of await start("ask", number + 1)) {
        await engine.runs.cancel({ environment, runId, by: alice });
        await clock.settle();
      }
      await start("ask", number);
      await start("echo", 4 * number);
    }
    await clock.settle();
  };
  return { ...harness, leap, work };
}

/** The same numbers, by the lists of runs and reviews. */
async function listed({ engine, clock }: Harness, environment: Environment, by: Principal) {
  const runs = async (query: Partial<Parameters<typeof engine.runs.list>[0]>) =>
    (await engine.runs.list({ environment, limit: 1_000, ...query })).items;
  const reviews = async (query: Partial<Parameters<typeof engine.reviews.list>[0]>) => {
    const items = [];
    let cursor: string | undefined;
    do {
      const at = cursor === undefined ? {} : { cursor };
      const page = await engine.reviews.list({ environment, limit: 1_000, status: "open", ...query, ...at });
      items.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return items;
  };
  const nowMs = clock.now();
  const today = Math.floor(nowMs / dayMs) * dayMs;
  const wasCancelled = ({ error }: { readonly error: string | undefined }) =>
    error?.startsWith("Cancelled by ") === true;
  const failed = (await runs({ status: "failed" })).filter((run) => !wasCancelled(run));
  const isIn = (startMs: number) => (run: { readonly createdAtMs: number }) =>
    run.createdAtMs >= startMs && run.createdAtMs < startMs + dayMs;
  const completed = await runs({ status: "completed" });
  const open = await reviews({});
  return {
    attention: {
      outcomeUnknown: (await reviews({ kind: "outcome_unknown" })).length,
      reviewsForMe: (await reviews({ decidableBy: by })).length,
      reviewsOpen: open.length,
      reviewsExpiringIn24h: open.filter(({ rules }) => (rules.expiresAtMs ?? Infinity) < nowMs + dayMs).length,
      failedLast24h: (await runs({ needsAttention: true, status: "failed" })).length,
      connectionsFailing: 0,
      webhooksFailing: 0,
    },
    runs: {
      running: (await runs({ status: "running" })).length,
      awaitingReview: (await runs({ status: "awaiting_review" })).length,
    },
    days: [6, 5, 4, 3, 2, 1, 0].map((days) => {
      const startMs = today - days * dayMs;
      return {
        startMs,
        completed: completed.filter(isIn(startMs)).length,
        failed: failed.filter(isIn(startMs)).length,
      };
    }),
  };
}

describe("the summary of an environment", () => {
  test("agrees with the lists after mixed work, and holds nothing of the other environment", async () => {
    const harness = await createSummaryHarness();
    await harness.work({ sandbox: 2, live: 3 });
    for (const [environment, number] of [
      ["sandbox", 2],
      ["live", 3],
    ] as const) {
      const { atMs, procedures, ...numbers } = await harness.engine.summary.read({ environment, by: bob });
      expect(atMs).toBe(harness.clock.now());
      expect(numbers).toEqual(await listed(harness, environment, bob));
      expect(numbers).toMatchObject({
        attention: {
          outcomeUnknown: number,
          reviewsOpen: 3 * number + 1,
          reviewsForMe: 3 * number + 1,
          reviewsExpiringIn24h: number,
          failedLast24h: 2 * number,
        },
        runs: { running: 1, awaitingReview: 3 * number + 1 },
      });
      expect(numbers.days.map(({ completed }) => completed)).toEqual([0, 0, 0, 0, number, 0, 4 * number + 1]);
      expect(numbers.days.map(({ failed }) => failed)).toEqual([0, 0, 0, 0, number, 0, 2 * number]);
      expect(procedures).toEqual([
        { procedureId: "echo", name: "Echo", completed: 5 * number, failed: 0, openReviews: 0 },
        { procedureId: "look-up", name: "Look up", completed: 1, failed: 3 * number, openReviews: 0 },
        { procedureId: "ask", name: "Ask", completed: 0, failed: 0, openReviews: number + 1 },
        { procedureId: "hurry", name: "hurry", completed: 0, failed: 0, openReviews: number },
        { procedureId: "pay", name: "Pay", completed: 0, failed: 0, openReviews: number },
      ]);
      const attention = await harness.engine.runs.list({ environment, needsAttention: true, limit: 1_000 });
      expect(attention.items).toHaveLength(numbers.runs.awaitingReview + numbers.attention.failedLast24h);
    }
  });

  test("counts the reviews of each caller apart, also while the other numbers are kept", async () => {
    const { engine, run } = await createSummaryHarness();
    const runId = await run({}, { procedureId: "ask" });
    const forMe = async (by: Principal) => {
      const { attention } = await engine.summary.read({ environment: "sandbox", by });
      expect(attention.reviewsOpen).toBe(1);
      return attention.reviewsForMe;
    };
    expect(await forMe(bob)).toBe(1);
    expect(await forMe(alice)).toBe(0);
    expect(await forMe(viewer)).toBe(0);
    expect(await forMe({ ...carol, environment: "live" })).toBe(0);
    const [open] = await engine.reviews.ofRun({ environment: "sandbox", runId });
    expect(open?.status).toBe("open");
    expect(await forMe(carol)).toBe(1);
  });

  test("examines the reviews of a person once in 5 s, also for 20 requests at the same time", async () => {
    const { engine, run, clock, decide } = await createSummaryHarness();
    const runId = await run({}, { procedureId: "ask" });
    let pages = 0;
    engine.way.on("reviews.list", async (work) => {
      pages += 1;
      return await work();
    });
    const forMe = async (by: Principal) => (await engine.summary.read({ environment: "sandbox", by })).attention;
    const ofBob = { person: "BOB", roles: ["Reviewer", "reviewer"], via: "ses_1" };
    const all = await Promise.all(Array.from({ length: 20 }, (_, n) => forMe(n % 2 === 0 ? bob : ofBob)));
    expect(all.map(({ reviewsForMe }) => reviewsForMe)).toEqual(Array.from({ length: 20 }, () => 1));
    expect(pages).toBe(1);
    await decide(runId, { by: carol });
    clock.leap(4_999);
    expect(await forMe(bob)).toMatchObject({ reviewsForMe: 1 });
    clock.leap(1);
    expect(await forMe(bob)).toMatchObject({ reviewsForMe: 0 });
    expect(pages).toBe(2);
    for (const [at, by] of [{ ...bob, roles: ["payer"] }, { ...bob, permissions: [] }, carol].entries()) {
      await forMe(by);
      expect(pages, JSON.stringify(by)).toBe([3, 3, 4][at]);
    }
  });

  test("is refused to a key that was deleted while its reviews were counted, and answered to other callers", async () => {
    const { engine, run } = await createSummaryHarness();
    await run({}, { procedureId: "ask" });
    let isRevoked = false;
    engine.way.on("reviews.list", async (work) => {
      const page = await work();
      isRevoked = true;
      return page;
    });
    const read = (by: Principal) => engine.summary.read({ environment: "sandbox", by });
    const deleted = read({ ...bob, via: "key_1", isRevoked: () => isRevoked });
    const other = read({ ...bob, via: "key_2" });
    await expect(deleted).rejects.toMatchObject({ code: "unauthorized" });
    expect((await other).attention.reviewsForMe).toBe(1);
  });

  test("counts the reviews of a caller among the 1,000 that were requested first", async () => {
    const { engine, run, storage } = await createSummaryHarness();
    await run({}, { procedureId: "ask" });
    const scope = { workspace: "default", environment: "sandbox" } as const;
    const [asked] = (await storage.reviews.list({ scope, limit: 1 })).items;
    let examined = 0;
    engine.way.on("reviews.list", async (_work, request) => {
      const { limit } = request as { readonly limit: number };
      examined += limit;
      return { items: Array.from({ length: limit }, () => asked), nextCursor: "endless" };
    });
    const { attention } = await engine.summary.read({ environment: "sandbox", by: bob });
    expect(attention).toMatchObject({ reviewsForMe: 1_000, reviewsOpen: 1 });
    expect(examined).toBe(1_000);
  });

  test("is kept for 5 s and counted once for callers at the same time; a failure is not kept", async () => {
    const { engine, run, clock } = await createSummaryHarness();
    let tallies = 0;
    let isBroken = true;
    engine.way.on("runs.tally", async (work) => {
      tallies += 1;
      if (isBroken) throw new Error("The disk is gone.");
      return await work();
    });
    const read = () => engine.summary.read({ environment: "sandbox", by: alice });
    await expect(read()).rejects.toThrow("The disk is gone.");
    isBroken = false;
    await Promise.all([
      read(),
      read(),
      engine.summary.ofProcedures({ environment: "sandbox", procedureIds: ["echo"] }),
    ]);
    expect(tallies).toBe(2);
    await run({}, { procedureId: "echo" });
    const completed = async () => (await read()).days.at(-1)?.completed;
    clock.leap(4_999);
    expect(await completed()).toBe(0);
    clock.leap(1);
    expect(await completed()).toBe(1);
    expect(tallies).toBe(3);
    await engine.summary.read({ environment: "live", by: alice });
    expect(tallies).toBe(4);
  });

  test("shows the 20 procedures with the most runs and open reviews, and those without are left out", async () => {
    const { engine, run, publish } = await createSummaryHarness();
    const name = (number: number) => `p${String(number).padStart(2, "0")}`;
    for (let number = 0; number < 24; number++) {
      await publish(procedure([], { procedureId: name(number), name: `Number ${number}` }));
      for (let times = 0; times < (number < 3 ? 1 : 2); times++) await run({}, { procedureId: name(number) });
    }
    const { procedures } = await engine.summary.read({ environment: "sandbox", by: alice });
    expect(procedures.map(({ procedureId }) => procedureId)).toEqual(
      Array.from({ length: 20 }, (_, index) => name(index + 3)),
    );
    expect(procedures[0]).toEqual({ procedureId: "p03", name: "Number 3", completed: 2, failed: 0, openReviews: 0 });
    expect((await engine.summary.read({ environment: "live", by: alice })).procedures).toEqual([]);
  });
});

describe("the numbers of procedures", () => {
  test("are those of the environment: open reviews, the runs of seven days, and the newest run", async () => {
    const harness = await createSummaryHarness();
    await harness.work({ sandbox: 2, live: 1 });
    const procedureIds = ["ask", "echo", "look-up", "unknown"];
    const [ask, echo, lookUp, unknown] = await harness.engine.summary.ofProcedures({
      environment: "sandbox",
      procedureIds,
    });
    const newest = async (procedureId: string) =>
      (await harness.engine.runs.list({ environment: "sandbox", procedureId, limit: 1 })).items[0]?.createdAtMs;
    expect(ask).toEqual({
      procedureId: "ask",
      openReviews: 3,
      last7Days: { completed: 0, failed: 0 },
      lastRunAtMs: await newest("ask"),
    });
    expect(echo).toMatchObject({ openReviews: 0, last7Days: { completed: 10, failed: 0 } });
    expect(lookUp).toMatchObject({ last7Days: { completed: 1, failed: 6 }, lastRunAtMs: await newest("look-up") });
    expect(unknown).toEqual({ procedureId: "unknown", openReviews: 0, last7Days: { completed: 0, failed: 0 } });
    await harness.leap(30 * dayMs + hourMs);
    const [later] = await harness.engine.summary.ofProcedures({ environment: "sandbox", procedureIds: ["echo"] });
    expect(later).toEqual({ ...echo, last7Days: { completed: 0, failed: 0 } });
    expect(await harness.engine.summary.ofProcedures({ environment: "live", procedureIds: [] })).toEqual([]);
  });
});
