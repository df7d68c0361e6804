import { seededRandom } from "@procedo-testing/faults";
import { z } from "@procedo/engine";
import {
  createTestEnvironment,
  fakeAction,
  isNotSent,
  losesAnswer,
  refuses,
  scriptedModel,
  type ScriptedAnswer,
  type TestRun,
} from "@procedo/engine/testing";
import { expect, test } from "vitest";
import { call, end, procedure } from "../documents.ts";

/** Two agents with guards, sums, budgets and questions, and sometimes unsure answers. */
const document = procedure(
  [
    {
      id: "kind",
      kind: "condition",
      question: "Which kind?",
      branches: [{ name: "many", description: "Several." }, { name: "one" }],
      confidence: { atLeast: 0.5, otherwise: "review" },
    },
    call("many", "pay", {
      instructions: "Pay them all.",
      maxCalls: 4,
      guards: [{ check: "args.amount != 5", otherwise: "review" }],
      sumLimits: [
        { name: "run", sum: "args.amount", atMost: 12, per: "run", otherwise: "review" },
        { name: "day", sum: "args.amount", atMost: 60, per: "day", timeZone: "UTC", otherwise: "fail" },
      ],
      budget: { modelCalls: 9 },
    }),
    call("one", "pay", {
      instructions: "Pay it.",
      arguments: { to: "acme" },
      guards: [{ check: "args.amount < 9", otherwise: "fail" }],
    }),
    end("done", { many: "{{ nodes.?many.?output }}", one: "{{ nodes.?one.?output }}" }),
    end("failed", { why: "{{ nodes.many.?error }}" }),
  ],
  {
    edges: [
      ...["start > kind", "kind:many > many", "kind:one > one", "many > done", "one > done"],
      ...["many:error > failed", "many:rejected > failed"],
    ],
  },
);

const answers: readonly ((number: number) => ScriptedAnswer)[] = [
  (number) => ({ call: { amount: number % 10 } }),
  (number) => ({ call: { amount: number % 7 }, text: "So be it." }),
  (number) => ({ call: { amount: "much", to: `vendor ${number}` } }),
  () => ({ call: '{"amount":1,"amount":2}' }),
  () => ({ calls: [{ amount: 1 }, { amount: 2 }] }),
  (number) => ({ answer: number % 2 === 0 ? "many" : "one", confidence: (number % 10) / 10 }),
  (number) => ({ answer: "many", confidence: 1, reason: `${number}` }),
  () => ({ answer: "neither", confidence: 1 }),
  () => ({ text: "Done." }),
  () => ({ text: "Refused.", finishReason: "content-filter" }),
  () => ({ text: "Long", finishReason: "length" }),
  () => ({ error: "Busy", statusCode: 503 }),
  () => ({ error: "Wrong key", statusCode: 401 }),
];

test("for any replies of agents and results of calls, the same version makes the same decisions again", async () => {
  const { uniform } = seededRandom(20);
  const pick = (count: number): number => Math.floor(uniform() * count);
  // Valid answers are as likely as all others together.
  const models = scriptedModel(
    () =>
      (answers[uniform() < 0.5 ? pick(2) + pick(2) * 5 : pick(answers.length)] ?? answers[0])?.(pick(100)) ?? {
        text: "",
      },
  );
  const pay = fakeAction(
    { effect: "once", input: z.object({ amount: z.int(), to: z.string().default("acme") }) },
    ({ amount }) => [isNotSent(), losesAnswer(), refuses("No."), { paid: amount }][Math.min(3, pick(12))],
  );
  const environment = await createTestEnvironment({ document, models, actions: { bank: { pay } } });
  for (let runs = 0; runs < 150; runs++) await decideAll(await environment.run(), pick);

  const statuses = new Set<string>();
  const report = await environment.engine.backtest({
    ...{ procedureId: "p", environment: "sandbox", version: "test", strict: true },
    eachRun: ({ before }) => void statuses.add(before.path.join(" ")),
  });
  expect(report.changes.map(({ runId, differences }) => [runId, differences])).toEqual([]);
  expect(report).toMatchObject({ runs: 150, same: 150 });
  expect(statuses.size).toBeGreaterThan(4);
});

async function decideAll(run: TestRun, pick: (count: number) => number): Promise<void> {
  for (let { review } = run; review !== undefined; { review } = run) {
    if (pick(4) === 0) await run.reject("Not this one.");
    else if (review.kind === "outcome_unknown" && pick(2) === 0) await run.approve({ outputs: { paid: 1 } });
    else if (review.kind === "question" && pick(2) === 0) await run.approve({ outputs: { branch: "one" } });
    else await run.approve();
  }
}
