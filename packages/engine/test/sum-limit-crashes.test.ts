import { storageUnavailable } from "@procedo-testing/faults";
import type { JsonValue, ProcedureDocument } from "@procedo/contract";
import type { DecideRequest } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { plannedModel, proposes, says, type ModelBehaviour } from "./agent-model.ts";
import { alice, bob, createHarness, uuid, type Harness, type HarnessEngine } from "./harness.ts";
import { condition, end, procedure } from "./documents.ts";
import { breaks, fails, type Behaviour } from "./scripted-bank.ts";
import { pay as payment, perDay, perRun, sandbox, takenByRecord, takenOfDays } from "./bounded-payment.ts";

const leaseMs = 3_000;

/** Until another engine has claimed a run, and a review of a lost call may be decided. */
const longEnoughMs = 12_000;

const pay: typeof payment = (limits, settings) => payment(limits, { timeoutMs: 1_000, ...settings });

interface Scenario {
  readonly document: ProcedureDocument;
  readonly data: JsonValue;
  readonly bank?: readonly Behaviour[];
  /** The replies of an agent's model, in order; the last one repeats. */
  readonly model?: readonly ModelBehaviour[];
  /** The decisions of people, except about unknown outcomes. @defaultValue approvals */
  readonly decision?: Partial<DecideRequest>;
}

const guards = [{ check: "args.amount < 50", otherwise: "review" as const }];
const asking = { ...perDay, atMost: 50, otherwise: "review" as const };
const left = [end("refused", { why: "{{ nodes.pay.error }}" })];
const edges = ["start > pay", "pay > done", "pay:error > refused", "pay:rejected > refused"];
const rejects = { approved: false, rejectionReason: "No." };
const busy = fails("busy", { retryable: true });

/** An agent proposes the amount, and finishes. */
const byAgent = { instructions: "Pay what is due.", arguments: { to: "acme" }, maxCalls: 3 };
const dues = [30, 25, 20].map((amount) => proposes({ amount }));

const scenarios: { readonly [name: string]: Scenario } = {
  "is made": { document: procedure([pay([perDay, perRun])]), data: { amount: 60 } },
  "is refused": { document: procedure([pay([perDay]), ...left], { edges }), data: { amount: 60 }, bank: [fails("no")] },
  "is made at its second attempt": { document: procedure([pay([perDay])]), data: { amount: 60 }, bank: [busy] },
  "has an unknown outcome": { document: procedure([pay([perDay])]), data: { amount: 60 }, bank: [breaks()] },
  "has no room": { document: procedure([pay([{ ...perDay, atMost: 50 }])]), data: { amount: 60 } },
  "waits for its guard": { document: procedure([pay([perDay], { guards })]), data: { amount: 60 } },
  "waits for its guard and is rejected": {
    document: procedure([pay([perDay], { guards }), ...left], { edges }),
    data: { amount: 60 },
    decision: rejects,
  },
  "exceeds its limit": { document: procedure([pay([asking])]), data: { amount: 60 } },
  "exceeds its limit and is rejected": {
    document: procedure([pay([asking]), ...left], { edges }),
    data: { amount: 60 },
    bank: [fails("no")],
  },
  "is made repeatedly": {
    document: procedure([pay([perRun, perDay]), condition("again", { yes: "input.amount > 0" }, "no"), ...left], {
      edges: ["start > pay", "pay > again", "pay:error > refused", "again:yes > pay", "again:no > done"],
    }),
    data: { amount: 45 },
  },
  "an agent proposes, with another proposal for a repeated request": {
    document: procedure([pay([perDay], { ...byAgent, maxCalls: 1 })]),
    data: {},
    model: [proposes({ amount: 60 }), proposes({ amount: 90 })],
  },
  "an agent proposes after two invalid proposals": {
    document: procedure([pay([perDay], { ...byAgent, maxCalls: 1 })]),
    data: {},
    model: [proposes({ amount: "60" }), proposes({ amount: 60 }, { amount: 60 }), proposes({ amount: 60 })],
  },
  "an agent makes three times, one of them refused": {
    document: procedure([pay([perDay, perRun], byAgent)]),
    data: {},
    model: dues,
    bank: [() => ({ id: "first" }), fails("no")],
  },
  "an agent repeats until there is no room": {
    document: procedure([pay([{ ...perDay, atMost: 60 }], byAgent), ...left], { edges }),
    data: {},
    model: [...dues, says("Done.")],
  },
  "an agent makes beyond its limit": {
    document: procedure([pay([asking], byAgent)]),
    data: {},
    model: dues,
  },
};

/**
 * From the `at`-th verb on, no request of this engine reaches storage, except that one if `after`, whose answer is
 * lost.
 *
 * @returns whether that verb was reached
 */
function crashAt({ way }: HarnessEngine, at: number, after: boolean): () => boolean {
  let verbs = 0;
  let crashed = false;
  const words = [
    "runs.commit",
    "budgets.reserve",
    "budgets.taken",
    "reviews.decide",
    "inbox.read",
    "inbox.post",
  ] as const;
  for (const verb of words) {
    way.on(verb, async (work) => {
      verbs += 1;
      if (verbs !== at) return await work();
      crashed = true;
      if (after) await work();
      way.cut();
      throw storageUnavailable();
    });
  }
  return () => crashed;
}

/** Decides every review, through another engine, until the run has ended. */
async function toTheEnd(
  harness: Harness,
  successor: HarnessEngine,
  runId: string,
  { decision }: Scenario,
): Promise<string> {
  for (let turns = 0; turns < 20; turns++) {
    await harness.clock.advance(longEnoughMs);
    const run = await successor.runs.get({ environment: "sandbox", runId });
    if (run.status === "completed" || run.status === "failed") return run.status;
    const [open] = (await successor.reviews.ofRun({ environment: "sandbox", runId })).filter(
      (one) => one.status === "open",
    );
    if (open === undefined) continue;
    const answer = open.kind === "outcome_unknown" ? rejects : decision;
    const asked = { environment: "sandbox", runId, idempotencyKey: uuid(), by: bob } as const;
    await successor.reviews.decide({ ...asked, approved: true, ...answer });
    await harness.clock.settle();
  }
  throw new Error(`Run "${runId}" does not come to its end.`);
}

/**
 * A scenario whose first engine dies at its `at`-th storage request; `meanwhile`: before another one claims its run.
 *
 * @returns whether it died
 */
async function crashes(
  scenario: Scenario,
  at: number,
  after: boolean,
  meanwhile: (harness: Harness, successor: HarnessEngine, runId: string) => Promise<void> = async () => {},
): Promise<boolean> {
  const model = plannedModel();
  model.plan(...(scenario.model ?? []));
  const harness = await createHarness({ worker: { leaseMs }, models: { arguments: { model } } });
  const successor = await harness.addEngine({ started: false });
  await harness.publish(scenario.document);
  harness.bank.plan("pay", ...(scenario.bank ?? []));
  const hasCrashed = crashAt(harness.engine, at, after);
  const runId = await harness.run(scenario.data).catch(async () => (await onlyRun(harness)) ?? "");
  const [review] = hasCrashed() || runId === "" ? [] : await harness.reviews(runId);
  if (review !== undefined) await harness.decide(runId, scenario.decision ?? {}).catch(() => {});
  await harness.clock.settle();
  if (runId === "") {
    expect(await takenOfDays(harness)).toBe(0);
    return hasCrashed();
  }
  await meanwhile(harness, successor, runId);
  await successor.start();
  await toTheEnd(harness, successor, runId, scenario);
  // The engine that was considered dead continues its work, and is too late for all of it.
  const before = await takenOfDays(harness);
  harness.engine.way.mend();
  await harness.clock.advance(longEnoughMs);
  const taken = await takenOfDays(harness);
  expect(taken).toBe(before);
  expect(taken).toBe(await takenByRecord(successor, runId));
  expect(taken).toBeGreaterThanOrEqual(paidAtBank(harness, scenario));
  return hasCrashed();
}

/** The certain payments: calls for which the bank had no other behaviour planned, each key once. */
function paidAtBank({ bank }: Harness, { bank: planned = [] }: Scenario): number {
  const made = bank.calls.slice(planned.length);
  const paid = new Map(made.map(({ context, args }) => [context.idempotencyKey, args["amount"] as number]));
  return [...paid.values()].reduce((sum, one) => sum + one, 0);
}

async function onlyRun({ storage }: Harness): Promise<string | undefined> {
  const { items } = await storage.runs.list({ scope: sandbox, limit: 2 });
  return items[0]?.runId;
}

describe.each(Object.entries(scenarios))("for a call that %s: a crash", (_name, scenario) => {
  test.each([
    ["before it reaches storage", false],
    ["after its work is done", true],
  ])(
    "at every storage request, %s, leaves exactly the amounts that were or may have been paid",
    async (_when, after) => {
      let at = 1;
      while (await crashes(scenario, at, after)) at += 1;
      expect(at).toBeGreaterThan(2);
    },
  );

  test("followed by a cancellation leaves exactly the amounts that were or may have been paid", async () => {
    let at = 1;
    const cancelled = async (_harness: Harness, successor: HarnessEngine, runId: string): Promise<void> => {
      await successor.runs.cancel({ environment: "sandbox", runId, by: alice }).catch(() => {});
    };
    while (await crashes(scenario, at, true, cancelled)) at += 1;
    expect(at).toBeGreaterThan(2);
  });

  test("with midnight before another engine resumes leaves exactly the amounts that were or may have been paid", async () => {
    let at = 1;
    const midnight = async ({ clock }: Harness): Promise<void> => clock.jump(12 * 3_600_000);
    while (await crashes(scenario, at, true, midnight)) at += 1;
    expect(at).toBeGreaterThan(2);
  });
});
