import { expect, test } from "vitest";
import { seededRandom } from "@procedo-testing/faults";
import { pay, perDay, takenByRecord, takenOfDays, sandbox } from "./bounded-payment.ts";
import { alice, bob, createHarness, uuid, type Harness, type HarnessEngine } from "./harness.ts";
import { end, procedure } from "./documents.ts";
import { breaks, fails, type Behaviour } from "./scripted-bank.ts";

/*
 * Payments with one shared limit, on engines that lose their storage, stop and claim each other's runs, while people
 * decide and cancel. A seed draws these events and their times, and delays every storage request.
 */
const storms = 30;
const payments = 8;
const amount = 30;

const guards = [{ check: "input.small", otherwise: "review" as const }];
const document = procedure(
  [pay([perDay], { guards, timeoutMs: 1_000, retry: { maxAttempts: 2 } }), end("refused", {})],
  { edges: ["start > pay", "pay > done", "pay:error > refused", "pay:rejected > refused"] },
);

const verbs = ["runs.commit", "runs.claim", "inbox.post", "inbox.read", "budgets.reserve", "reviews.decide"] as const;
const outcomes: readonly (Behaviour | undefined)[] = [
  undefined,
  fails("The account is closed."),
  fails("busy", { retryable: true }),
  breaks(),
];

async function storm(seed: number): Promise<void> {
  const random = seededRandom(seed);
  const below = (bound: number): number => Math.floor(random.uniform() * bound);
  const harness = await createHarness({ worker: { leaseMs: 1_500, pollMs: 500 } });
  const engines = [harness.engine, await harness.addEngine()];
  const any = (): HarnessEngine => engines[below(engines.length)] ?? harness.engine;
  await harness.publish(document);
  const plan = Array.from({ length: payments }, () => outcomes[below(outcomes.length)]);
  harness.bank.plan("pay", ...plan.map((behave, number) => behave ?? (() => ({ id: `planned-${number}` }))));
  const delay = (): Promise<void> => new Promise((resolve) => void harness.clock.after(below(4), resolve));
  for (const { way } of engines) {
    for (const verb of verbs) {
      way.on(verb, async (work) => {
        if (random.uniform() < 0.5) await delay();
        const result = await work();
        if (random.uniform() < 0.5) await delay();
        return result;
      });
    }
  }

  const runIds: string[] = [];
  const anyRun = (): string => runIds[below(runIds.length)] ?? "run_none";
  const start = async (): Promise<void> => {
    const data = { amount, small: random.uniform() < 0.6 };
    const started = await any().runs.start({ procedureId: "p", environment: "sandbox", data, by: alice });
    runIds.push(started.runId);
  };
  const decide = (engine: HarnessEngine, runId: string): Promise<unknown> => {
    const approved = random.uniform() < 0.6;
    const decision = {
      environment: "sandbox",
      runId,
      approved,
      rejectionReason: "No.",
      idempotencyKey: uuid(),
    } as const;
    return engine.reviews.decide({ ...decision, by: bob });
  };
  const events: (() => Promise<unknown>)[] = [
    ...Array.from({ length: payments }, () => start),
    ...Array.from({ length: payments }, () => () => decide(any(), anyRun())),
    () => any().runs.cancel({ environment: "sandbox", runId: anyRun(), by: alice }),
    () => any().runs.cancel({ environment: "sandbox", runId: anyRun(), by: alice }),
  ];
  if (random.uniform() < 0.6) events.push(async () => any().way.cut());
  if (random.uniform() < 0.3) events.push(() => any().stop({ drainMs: 0 }));
  for (const event of events) harness.clock.after(below(200), () => void event().catch(() => {}));
  await harness.clock.advance(400);
  expect(await takenOfDays(harness)).toBeLessThanOrEqual(perDay.atMost);

  const successor = await harness.addEngine();
  await endAll(harness, successor, (runId) => decide(successor, runId));
  for (const { way } of engines) way.mend();
  await harness.clock.advance(10_000);
  await endAll(harness, successor, (runId) => decide(successor, runId));

  const { items } = await harness.storage.runs.list({ scope: sandbox, limit: 100 });
  let recorded = 0;
  for (const { runId } of items) recorded += await takenByRecord(successor, runId);
  expect({ seed, taken: await takenOfDays(harness) }).toEqual({ seed, taken: recorded });
  expect(recorded).toBeLessThanOrEqual(perDay.atMost);
  for (const engine of [...engines, successor]) expect(engine.runs.quarantinedRuns()).toEqual([]);
}

/** Until no run is open; people decide every review. */
async function endAll(
  harness: Harness,
  successor: HarnessEngine,
  decide: (runId: string) => Promise<unknown>,
): Promise<void> {
  for (let turns = 0; turns < 30; turns++) {
    await harness.clock.advance(8_000);
    const { items } = await harness.storage.runs.list({ scope: sandbox, limit: 100 });
    const open = items.filter(({ status }) => status === "running" || status === "awaiting_review");
    if (open.length === 0) return;
    for (const { runId, status } of open) if (status === "awaiting_review") await decide(runId).catch(() => {});
  }
  throw new Error("There are runs that do not come to their end.");
}

test.each([1, 2, 3, 4, 5])(
  "under any failures of engines and runs, each sum is the amount that was or may have been paid, and never too much (%i)",
  async (block) => {
    for (let seed = 1; seed <= storms; seed++) await storm(block * 1_000 + seed);
  },
);
