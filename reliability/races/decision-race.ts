import assert from "node:assert/strict";
import fc from "fast-check";
import { manualClock } from "@procedo-testing/faults";
import { ProcedoError, type Decided } from "@procedo/engine";
import { createMemoryStorage } from "@procedo/storage";
import { race } from "./race.ts";
import { scheduledStorage } from "./scheduled-storage.ts";
import { approveAndPay, builder, procedureId, simpleEngine, type Payments } from "./simple-engine.ts";

const expiresAfterMs = 60_000;
const environment = "live" as const;

const decision = fc.record({
  person: fc.constantFrom("bob", "carol", "dave"),
  approved: fc.boolean(),
  key: fc.constantFrom(1, 2, 3, 4, 5, 6),
  engine: fc.constantFrom(0, 1),
});

const arbitrary = fc.record({
  scheduler: fc.scheduler(),
  approvals: fc.constantFrom(1, 2),
  decisions: fc.array(decision, { minLength: 1, maxLength: 8 }),
  cancels: fc.array(fc.constantFrom(0, 1), { maxLength: 2 }),
  /** Milliseconds before the review's expiry; 0 is the instant of the expiry. */
  beforeExpiryMs: fc.constantFrom(30_000, 1, 0),
});

const expected = [
  "already_decided",
  "review_not_found",
  "already_ended",
  "idempotency_key_reused",
  "idempotency_conflict",
  "another_review_open",
];

export const decisionRace = race(
  "decision, expiry and cancel at one instant: one cause ends the review, and an approved payment is made once",
  arbitrary,
  async ({ scheduler, approvals, decisions, cancels, beforeExpiryMs }) => {
    const clock = manualClock();
    const storage = createMemoryStorage({ now: clock.now });
    const payments: Payments = new Map();
    const arrive = (label: string): Promise<void> => scheduler.schedule(Promise.resolve(), label);
    const setup = simpleEngine(storage, clock, 0, payments);
    const document = approveAndPay(approvals, "PT60S");
    await setup.procedures.publish({ document, version: "v1", defaultIn: [environment], by: builder });
    const engines = [1, 2].map((seed) =>
      simpleEngine(scheduledStorage(storage, scheduler, `e${seed}`), clock, seed, payments, arrive),
    );
    const engine = (number: number) => engines[number] ?? setup;
    await scheduler.waitFor(Promise.all(engines.map(({ start }) => start())));
    const request = { procedureId, environment, data: { amount: 5 }, by: { person: "alice" } };
    const { runId } = await scheduler.waitFor(engine(0).runs.start(request));
    await scheduler.waitIdle();

    // Time passes while the scheduler answers, so that the workers' timers take part in the race.
    await elapse(clock.advance(expiresAfterMs - beforeExpiryMs), scheduler);
    const told = decisions.map(({ person, approved, key, engine: number }) =>
      engine(number).reviews.decide({
        environment,
        runId,
        approved,
        ...(approved ? {} : { rejectionReason: "No." }),
        idempotencyKey: `00000000-0000-4000-a000-00000000000${key}`,
        by: { person },
      }),
    );
    const cancelled = cancels.map((number) =>
      engine(number).runs.cancel({ environment, runId, by: { person: "carol" } }),
    );
    const all = Promise.allSettled([...told, ...cancelled]);
    const results = await scheduler.waitFor(all);
    for (const result of results) {
      if (result.status === "rejected") assert.ok(isExpected(result.reason), String(result.reason));
    }
    await elapse(clock.advance(2 * expiresAfterMs), scheduler);

    const run = await setup.runs.get({ environment, runId });
    const [review] = await setup.reviews.ofRun({ environment, runId });
    const paid = [...payments.values()].reduce((sum, times) => sum + times, 0);
    const answers = results
      .slice(0, told.length)
      .flatMap((result) => (result.status === "fulfilled" ? [(result.value as Decided).status] : []));
    const closings = answers.filter((status) => status === "approved" || status === "rejected");
    assert.ok(closings.length <= 1, `${closings.length} decisions were told that they closed the review.`);
    if (closings.length === 1) assert.equal(review?.status, closings[0]);
    assert.ok(run.status === "completed" || run.status === "failed", `The run is ${run.status}.`);
    assert.ok(paid <= 1, `${paid} payments were made.`);
    if (run.status === "completed") assert.equal(paid, 1, "The run completed without its payment.");
    // A cancellation during the payment ends the run after it, and the record contains the payment.
    if (run.status === "failed" && paid === 1) {
      assert.match(run.error ?? "", /^Cancelled/);
      assert.ok(
        run.steps.some(({ nodeId, output }) => nodeId === "pay" && output === "yes"),
        "The payment is not on record.",
      );
    }
    if (paid === 1) assert.equal(review?.status, "approved");
    const people = review?.decisions.map(({ person }) => person) ?? [];
    assert.equal(new Set(people).size, people.length, "One person counts twice.");
    // A decision is acknowledged only to the person who made it.
    const answered = decisions.flatMap(({ person }, index) => (results[index]?.status === "fulfilled" ? [person] : []));
    assert.ok(
      answered.every((person) => people.includes(person)),
      "A person was told that they had decided.",
    );
    for (const { stop } of engines) void stop({ drainMs: 0 });
  },
);

function isExpected(error: unknown): boolean {
  return ProcedoError.isError(error) && expected.includes(error.code);
}

/** Lets the scheduler answer until time has passed. */
async function elapse(passing: Promise<void>, scheduler: fc.Scheduler): Promise<void> {
  await scheduler.waitFor(passing);
  await scheduler.waitIdle();
}
