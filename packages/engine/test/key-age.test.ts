import { ProcedoError } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { createHarness, type Harness, type HarnessOptions } from "./harness.ts";
import { call, procedure } from "./documents.ts";
import { answersAfter, breaks, fails, held, hangs, type Behaviour } from "./scripted-bank.ts";

/* Idempotency keys that the other service has forgotten: from then on a person decides. */

const dayMs = 86_400_000;
const leaseMs = 15_000;

const paying = (settings: Parameters<typeof call>[2] = {}) =>
  procedure([call("a", "idempotent", { title: "Pay the vendor", ...settings })], {
    output: { id: "{{ nodes.a.output.id }}" },
  });

/** A run with a given first attempt, in an engine that is lost for `awayMs`; then another one owns it. */
async function lostFor(
  awayMs: number,
  first: Behaviour,
  options: HarnessOptions & { document?: ReturnType<typeof paying> } = {},
) {
  const { document = paying(), ...harnessOptions } = options;
  const harness = await createHarness({ worker: { leaseMs }, ...harnessOptions });
  harness.bank.plan("idempotent", first);
  const runId = await harness.runOf(document);
  harness.engine.way.cut();
  harness.clock.leap(awayMs);
  const successor = await harness.addEngine();
  await harness.clock.advance(60_000);
  const read = () => successor.runs.get({ environment: "sandbox", runId });
  const reviews = () => successor.reviews.ofRun({ environment: "sandbox", runId });
  const decide = async (outputs?: { id: string }) => {
    await successor.reviews.decide({
      environment: "sandbox",
      runId,
      approved: true,
      idempotencyKey: crypto.randomUUID(),
      by: { person: "bob" },
      ...(outputs !== undefined && { outputs }),
    });
    await harness.clock.settle();
  };
  return { harness, successor, runId, read, reviews, decide };
}

/** A run whose first attempt failed, and whose engine was stopped before the retry. */
async function stoppedFor(awayMs: number, document = paying(), options: HarnessOptions = {}) {
  const harness = await createHarness(options);
  harness.bank.plan("idempotent", breaks("socket hang up"));
  const runId = await harness.runOf(document);
  await harness.engine.stop();
  harness.clock.leap(awayMs);
  const successor = await harness.addEngine();
  await harness.clock.advance(60_000);
  return { harness, successor, runId, read: () => successor.runs.get({ environment: "sandbox", runId }) };
}

const callsMade = ({ bank }: Harness): number => bank.callsOf("idempotent").length;

describe("an idempotent call that was lost with its worker", () => {
  test("is repeated under the same key while the service keeps the key", async () => {
    const { harness, read } = await lostFor(dayMs - 120_000, hangs());
    expect((await read()).status).toBe("completed");
    const keys = harness.bank.calls.map(({ context }) => context.idempotencyKey);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });

  test("is not repeated after two days: a person decides, and sees the age of the key", async () => {
    const sentAt = new Date(Date.UTC(2026, 0, 2, 12)).toISOString();
    const { harness, reviews, read } = await lostFor(2 * dayMs, hangs());
    expect(callsMade(harness)).toBe(1);
    expect((await read()).status).toBe("awaiting_review");
    expect(await reviews()).toMatchObject([
      {
        kind: "outcome_unknown",
        title: "Outcome unknown, idempotency key expired: Pay the vendor",
        data: {
          reason: expect.stringContaining("not repeated automatically") as string,
          attempt: 1,
          firstSentAt: sentAt,
          idempotencyKeyTtlMs: dayMs,
          idempotencyKeyExpiresAt: new Date(Date.parse(sentAt) + dayMs).toISOString(),
          idempotencyKeyAge: expect.stringMatching(/^First sent 2 days before .* 24 hours, .* made twice\.$/) as string,
        },
      },
    ]);
  });

  test("opens a review after two days although its procedure says `retry`", async () => {
    const document = paying({ onUnknownOutcome: "retry" });
    const { harness, read } = await lostFor(2 * dayMs, hangs(), { document });
    expect(callsMade(harness)).toBe(1);
    expect((await read()).status).toBe("awaiting_review");
  });

  test("fails the run after two days if its procedure says `fail`", async () => {
    const document = paying({ onUnknownOutcome: "fail" });
    const { harness, read } = await lostFor(2 * dayMs, hangs(), { document });
    expect(callsMade(harness)).toBe(1);
    expect((await read()).status).toBe("failed");
  });

  test.each([
    [600_000, 2, "completed"],
    [180_000, 1, "awaiting_review"],
  ])(
    "follows the lifetime that its action declares, %d ms here: %d calls after four minutes",
    async (ttlMs, made, status) => {
      const { harness, read } = await lostFor(240_000, hangs(), { bank: { idempotencyKeyTtlMs: ttlMs } });
      expect(callsMade(harness)).toBe(made);
      expect((await read()).status).toBe(status);
    },
  );

  test("follows the lifetime that its action declared when it was proposed, not a later one", async () => {
    const harness = await createHarness({ worker: { leaseMs }, bank: { idempotencyKeyTtlMs: 180_000 } });
    harness.bank.plan("idempotent", hangs());
    const runId = await harness.runOf(paying());
    harness.engine.way.cut();
    harness.clock.leap(240_000);
    const successor = await harness.addEngine({ bank: { idempotencyKeyTtlMs: 600_000 } });
    await harness.clock.advance(60_000);
    expect((await successor.runs.get({ environment: "sandbox", runId })).status).toBe("awaiting_review");
  });

  test("that certainly was not sent is made however late", async () => {
    const { harness, read } = await lostFor(2 * dayMs, fails("connection refused", { outcome: "not_sent" }));
    expect((await read()).status).toBe("completed");
    expect(callsMade(harness)).toBe(2);
  });
});

describe("a person's approval after the key has expired", () => {
  test("sends the call once more, under the same key", async () => {
    const { harness, read, decide } = await lostFor(2 * dayMs, hangs());
    await decide();
    expect((await read()).status).toBe("completed");
    const keys = harness.bank.calls.map(({ context }) => context.idempotencyKey);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });

  test("covers one request: after another unknown outcome, or if it was not sent, the call opens a review again", async () => {
    for (const second of [breaks("cut"), fails("connection refused", { outcome: "not_sent" })]) {
      const { harness, read, reviews, decide } = await lostFor(2 * dayMs, hangs());
      harness.bank.plan("idempotent", second);
      await decide();
      await harness.clock.advance(60_000);
      expect(callsMade(harness)).toBe(2);
      expect((await read()).status).toBe("awaiting_review");
      expect((await reviews()).map(({ status }) => status)).toEqual(["approved", "open"]);
      await decide({ id: "seen" });
      expect(await read()).toMatchObject({ status: "completed", output: { id: "seen" } });
    }
  });

  test("is used by the next worker if the first one stopped before it had sent anything", async () => {
    const { harness, successor, runId, decide } = await lostFor(2 * dayMs, hangs());
    // The intent becomes durable too late for its call.
    const verbs = ["runs.commit", "reviews.decide"] as const;
    for (const verb of verbs) {
      successor.way.on(verb, async (work) => {
        const done = await work();
        harness.clock.leap(10_000);
        return done;
      });
    }
    const deciding = decide();
    await harness.clock.settle();
    for (const verb of verbs) successor.way.on(verb, (work) => work());
    await deciding;
    await harness.clock.advance(60_000);
    const rows = await successor.runs.journal({ environment: "sandbox", runId });
    const entries = rows.flatMap((row) => row.entries);
    const outcomes = entries.flatMap((entry) => (entry.type === "outcome" ? [entry.result] : []));
    expect(outcomes).toMatchObject([{ status: "unknown" }, { error: { code: "not_started" } }, { status: "ok" }]);
    expect(callsMade(harness)).toBe(2);
  });
});

describe("an idempotent call that waits to be repeated", () => {
  test("opens a review if the service was down until the key expired", async () => {
    const { harness, read, runId } = await stoppedFor(2 * dayMs);
    expect(callsMade(harness)).toBe(1);
    expect((await read()).status).toBe("awaiting_review");
    const types = (await harness.entries(runId)).map(({ type }) => type);
    expect(types).toEqual(["started", "intent", "outcome", "review_opened"]);
    expect(await harness.reviews(runId)).toMatchObject([
      {
        title: "Outcome unknown, idempotency key expired: Pay the vendor",
        data: { reason: expect.stringMatching(/^socket hang up .*expired at 2026-01-03T12:00:00/) as string },
      },
    ]);
    await harness.decide(runId);
    expect((await read()).status).toBe("completed");
    expect(callsMade(harness)).toBe(2);
  });

  test("is repeated if the service recovered in time", async () => {
    const { harness, read } = await stoppedFor(dayMs - 120_000);
    expect((await read()).status).toBe("completed");
    expect(callsMade(harness)).toBe(2);
  });

  test("fails the run if its procedure says `fail`", async () => {
    const { harness, read } = await stoppedFor(2 * dayMs, paying({ onUnknownOutcome: "fail" }));
    expect(callsMade(harness)).toBe(1);
    expect(await read()).toMatchObject({
      status: "failed",
      error: expect.stringContaining("not known whether") as string,
    });
  });

  test("can be decided although a late answer without content is recorded", async () => {
    const harness = await createHarness();
    harness.engine.way.on("inbox.post", async (work, request) => {
      if (JSON.stringify(request).includes("late_answer")) throw new ProcedoError("internal", "Refused.");
      return await work();
    });
    const document = paying({ timeoutMs: 1_000, retry: { initialDelayMs: 60_000, maxDelayMs: 60_000 } });
    harness.bank.plan("idempotent", answersAfter(harness.clock, 10_000, { id: "late" }));
    const runId = await harness.runOf(document);
    await harness.clock.advance(12_000);
    expect((await harness.entries(runId)).map(({ type }) => type)).toContain("superseded");
    await harness.engine.stop();
    harness.clock.leap(2 * dayMs);
    await harness.addEngine();
    await harness.clock.advance(60_000);
    await harness.decide(runId, { outputs: { id: "seen" } });
    expect(await harness.read(runId)).toMatchObject({ status: "completed", output: { id: "seen" } });
    expect(callsMade(harness)).toBe(1);
  });

  test("is sent no later than its key expires, however long the send window is", async () => {
    const harness = await createHarness({ bank: { idempotencyKeyTtlMs: 300_000 } });
    harness.bank.plan("idempotent", fails("overloaded", { outcome: "unknown", retryAfterMs: 299_000 }));
    const runId = await harness.runOf(paying());
    await harness.clock.advance(299_500);
    expect((await harness.read(runId)).status).toBe("completed");
    const [first, second] = (await harness.entries(runId)).filter((entry) => entry.type === "intent");
    expect(second).toMatchObject({ firstSentAtMs: first?.atMs, sendByMs: (first?.atMs ?? 0) + 300_000 });
  });

  test("opens a review at once if the wait that the service requested ends after the key expires", async () => {
    const harness = await createHarness({ bank: { idempotencyKeyTtlMs: 300_000 } });
    harness.bank.plan("idempotent", fails("overloaded", { outcome: "unknown", retryAfterMs: 301_000 }));
    const runId = await harness.runOf(paying());
    expect(await harness.reviews(runId)).toMatchObject([
      {
        title: "Outcome unknown: Pay the vendor",
        data: { reason: expect.stringContaining("expires before the next attempt") as string },
      },
    ]);
  });
});

test("a late answer settles the review about an expired key", async () => {
  const hold = held();
  const { harness, read, reviews } = await lostFor(2 * dayMs, hold.behaviour);
  harness.engine.way.mend();
  hold.answer({ id: "late" });
  await harness.clock.advance(5_000);
  expect(await read()).toMatchObject({ status: "completed", output: { id: "late" } });
  expect((await reviews()).map(({ status }) => status)).toEqual(["settled"]);
});

describe("a wait of hours that the service requests", () => {
  const hourMs = 3_600_000;
  const limited = (retryAfterMs: number) => fails("Daily limit reached.", { retryable: true, retryAfterMs });

  test("parks the run until then, visibly, and consumes no attempt", async () => {
    const harness = await createHarness();
    const waits = [5, 30, 2, 3, 4].map((hours) => limited(hours * hourMs));
    harness.bank.plan("idempotent", ...waits, breaks(), breaks(), breaks());
    const runId = await harness.runOf(paying());
    const scope = { workspace: "default", environment: "sandbox" } as const;
    expect(await harness.read(runId)).toMatchObject({
      status: "running",
      steps: [{}, { attempts: [{ message: "Daily limit reached.", retryAtMs: harness.clock.now() + 5 * hourMs }] }],
    });
    expect((await harness.storage.runs.journal({ scope, runId })).length).toBe(2);
    await harness.clock.advance(5 * hourMs - 1_000);
    expect(callsMade(harness)).toBe(1);
    await harness.clock.advance(1_000);
    expect(callsMade(harness)).toBe(2);
    // A wait of 30 hours is limited to a day.
    await harness.clock.advance(24 * hourMs + 9 * hourMs + 60_000);
    expect((await harness.read(runId)).status).toBe("completed");
    expect(callsMade(harness)).toBe(9);
  });

  test("survives a restart", async () => {
    const harness = await createHarness();
    harness.bank.plan("idempotent", limited(5 * hourMs));
    const runId = await harness.runOf(paying());
    await harness.engine.stop();
    const successor = await harness.addEngine();
    await harness.clock.advance(4 * hourMs);
    expect(callsMade(harness)).toBe(1);
    await harness.clock.advance(hourMs + 5_000);
    expect((await successor.runs.get({ environment: "sandbox", runId })).status).toBe("completed");
  });
});

test("a conflict answers a repetition whose first attempt is in progress: it is repeated and succeeds", async () => {
  const harness = await createHarness();
  const inUse = fails("answered with 409 (Conflict)", { outcome: "conflict" });
  harness.bank.plan("idempotent", breaks(), inUse, inUse);
  const runId = await harness.runOf(paying());
  await harness.clock.advance(60_000);
  expect((await harness.read(runId)).status).toBe("completed");
  expect(callsMade(harness)).toBe(4);
});
