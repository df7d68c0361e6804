import { describe, expect, test } from "vitest";
import { seededRandom } from "@procedo-testing/faults";
import { alice, bob, createHarness, uuid, type HarnessEngine } from "./harness.ts";
import { call, procedure, review } from "./documents.ts";

/*
 * A review with a decision, its expiry, a cancellation and the death of the worker at about the same time. A seed draws
 * their order and times, and delays every storage request, so that they interleave at any point.
 */
const interleavings = 1_000;
const expiresAfterMs = 5_000;

const document = procedure([review("r", { title: "Pay?", expiresAfter: "PT5S" }), call("a", "idempotent")]);

const verbs = ["runs.commit", "runs.claim", "inbox.post", "inbox.read", "reviews.ofRun", "reviews.decide"] as const;

async function interleave(seed: number) {
  const random = seededRandom(seed);
  const chance = (probability: number): boolean => random.uniform() < probability;
  const harness = await createHarness({ worker: { leaseMs: 1_500, pollMs: 500 } });
  const engines = [harness.engine, await harness.addEngine()];
  const anyEngine = (): HarnessEngine => engines[Math.floor(random.uniform() * engines.length)] ?? harness.engine;
  const runId = await harness.runOf(document);

  for (const { way } of engines) {
    for (const verb of verbs) {
      way.on(verb, async (work) => {
        if (chance(0.5))
          await new Promise<void>((resolve) => void harness.clock.after(Math.floor(random.uniform() * 4), resolve));
        const result = await work();
        if (chance(0.5))
          await new Promise<void>((resolve) => void harness.clock.after(Math.floor(random.uniform() * 4), resolve));
        return result;
      });
    }
  }

  const answered: string[] = [];
  const reported = async (what: string, work: Promise<unknown>): Promise<void> => {
    answered.push(
      await work.then(
        () => what,
        (error: { code?: string }) => `${what}: ${error.code ?? "?"}`,
      ),
    );
  };
  const decide = (approved: boolean) => () =>
    reported(
      approved ? "approved" : "rejected",
      anyEngine().reviews.decide({
        environment: "sandbox",
        runId,
        approved,
        rejectionReason: "no",
        idempotencyKey: uuid(),
        by: { ...bob, person: uuid() },
      }),
    );
  const events: (() => Promise<void>)[] = [
    decide(true),
    decide(false),
    () => reported("cancelled", anyEngine().runs.cancel({ environment: "sandbox", runId, by: alice })),
  ];
  if (chance(0.5)) events.push(async () => anyEngine().way.cut());
  if (chance(0.3)) events.push(() => anyEngine().stop({ drainMs: 0 }));

  await harness.clock.advance(expiresAfterMs - 10 - 200);
  const moments = events.map((event) => ({ event, atMs: Math.floor(random.uniform() * 20) + 190 }));
  for (const { event, atMs } of moments) harness.clock.after(atMs, () => void event());
  await harness.clock.advance(1_000);
  const successor = await harness.addEngine();
  await harness.clock.advance(6_000);
  const run = await successor.runs.get({ environment: "sandbox", runId });
  const reviews = await successor.reviews.ofRun({ environment: "sandbox", runId });
  const journal = await successor.runs.journal({ environment: "sandbox", runId });
  return { harness, run, reviews, entries: journal.flatMap(({ entries }) => entries), answered };
}

describe("decision, expiry, cancellation and the worker's death at the same instant", () => {
  test(`leave one terminal cause, and every caller got the true result, in ${interleavings} interleavings`, async () => {
    const causes = new Map<string, number>();
    for (let seed = 1; seed <= interleavings; seed++) {
      const { harness, run, reviews, entries, answered } = await interleave(seed);
      const at = `seed ${seed}: ${answered.join(", ")} -> ${run.status} ${run.error ?? ""}`;

      expect(["completed", "failed"], at).toContain(run.status);
      expect(reviews, at).toHaveLength(1);
      expect(
        entries.filter(({ type }) => type === "ended"),
        at,
      ).toHaveLength(1);
      const answers = entries.flatMap((entry) => (entry.type === "review_closed" ? [entry.answer.status] : []));
      expect(answers.length, at).toBeLessThanOrEqual(1);
      const outcome = reviews[0]?.status ?? "none";
      const approved = answered.filter((what) => what === "approved").length;
      const rejected = answered.filter((what) => what === "rejected").length;
      expect(approved + rejected, at).toBeLessThanOrEqual(1);
      // A caller whose decision was accepted finds it on the review; a decision without an answer may count too.
      if (approved === 1) expect(outcome, at).toBe("approved");
      if (rejected === 1) expect(outcome, at).toBe("rejected");
      // A call that was lost with its worker is repeated under its key, and counts once for the service.
      const keys = new Set(harness.bank.calls.map(({ context }) => context.idempotencyKey));
      expect(keys.size, at).toBeLessThanOrEqual(outcome === "approved" ? 1 : 0);
      switch (run.error) {
        case undefined:
          expect(outcome, at).toBe("approved");
          expect(keys.size, at).toBe(1);
          break;
        case "no":
          expect(outcome, at).toBe("rejected");
          break;
        case 'Review "Pay?" expired without a decision.':
          expect(outcome, at).toBe("expired");
          break;
        case "Cancelled by alice":
          expect(["approved", "rejected", "expired", "cancelled"], at).toContain(outcome);
          break;
        default:
          expect.unreachable(at);
      }
      causes.set(run.error ?? "completed", (causes.get(run.error ?? "completed") ?? 0) + 1);
    }
    // The seeds cover enough only if every cause wins at least once.
    expect([...causes.keys()].sort()).toEqual([
      "Cancelled by alice",
      'Review "Pay?" expired without a decision.',
      "completed",
      "no",
    ]);
  });
});
