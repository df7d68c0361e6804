import type { ProcedureBudgets, ProcedureDocument } from "@procedo/contract";
import type { BacktestReport } from "@procedo/engine";
import { createTestEnvironment, once, scriptedModel, type ScriptedAnswer } from "@procedo/engine/testing";
import { describe, expect, test } from "vitest";
import { call, procedure } from "../documents.ts";

/* A version with other budgets makes other decisions, even if no node has changed. */

const byAgent = procedure([call("pay", "pay", { instructions: "Pay." })]);
const mapped = procedure([call("pay", "pay", { arguments: { amount: 1 } })]);
const twice = procedure([call("pay", "pay", { arguments: { amount: 1 } }), call("again", "pay")]);

const day = (bounds: Omit<NonNullable<ProcedureBudgets["day"]>, "timeZone">): ProcedureBudgets => ({
  day: { ...bounds, timeZone: "UTC" },
});
const inRun = (bounds: NonNullable<ProcedureBudgets["run"]>): ProcedureBudgets => ({ run: bounds });

/** Past runs of one day. */
async function pastRuns(
  document: ProcedureDocument,
  budgets: ProcedureBudgets,
  { runs = 2, says = [{ call: { amount: 1 } }] }: { runs?: number; says?: readonly ScriptedAnswer[] } = {},
) {
  const models = scriptedModel(({ number }) => says[(number - 1) % says.length] ?? { text: "" });
  const environment = await createTestEnvironment({
    ...{ document: { ...document, budgets }, models },
    actions: { bank: { pay: once(() => ({ ok: true })) } },
  });
  const statuses: string[] = [];
  for (let run = 0; run < runs; run++) statuses.push((await environment.run()).status);
  const tried = { procedureId: "p", environment: "sandbox" } as const;
  const { backtest } = environment.engine;
  return {
    statuses,
    /** Replays the same version. */
    again: (request: object = {}) => backtest({ ...tried, version: "test", strict: true, ...request }),
    /** Replays a version with other budgets, or with none. */
    with: (other: ProcedureBudgets | undefined, request: object = {}) =>
      backtest({ ...tried, document: { ...document, ...(other && { budgets: other }) }, ...request }),
  };
}

const messagesOf = ({ changes }: BacktestReport) =>
  changes.flatMap(({ differences }) => differences.map(({ message }) => message));

const leftAt = (nodeId: string) => expect.stringContaining(`the record ends at "${nodeId}": `);
const fails = (because: string) => expect.stringContaining(`the run is failed instead of completed: ${because}`);

describe.each([
  ["tool calls of a day, made by an agent", byAgent, "toolCalls", "tool calls"],
  ["tool calls of a day, mapped by the document", mapped, "toolCalls", "tool calls"],
  ["model calls of a day", byAgent, "modelCalls", "model calls"],
] as const)("a budget of %s", (_what, document, of, words) => {
  test("that was used up and is now larger: the continuation is not on record", async () => {
    const past = await pastRuns(document, day({ [of]: 1 }));
    expect(past.statuses).toEqual(["completed", "failed"]);
    expect(await past.again()).toMatchObject({ runs: 2, same: 2 });
    for (const more of [day({ [of]: 100 }), undefined]) {
      const report = await past.with(more);
      expect(report).toMatchObject({ runs: 2, same: 1, changed: 0, diverged: 1 });
      expect(messagesOf(report)).toContainEqual(leftAt("pay"));
    }
    // The run that had used the budget is not replayed: only the record shows that it was used up.
    expect(await past.again({ runs: { limit: 1 } })).toMatchObject({ runs: 1, same: 1 });
  });

  test("that was large and is now too small: the runs without room fail", async () => {
    const past = await pastRuns(document, day({ [of]: 100 }), { runs: 3 });
    expect(past.statuses).toEqual(["completed", "completed", "completed"]);
    const report = await past.with(day({ [of]: 1 }));
    expect(report).toMatchObject({ runs: 3, same: 1, changed: 2, diverged: 0 });
    const refusal = fails(`The procedure's budget of 1 ${words} on 2026-01-02 (UTC)`);
    expect(messagesOf(report).filter((message) => message.startsWith("the run"))).toEqual([refusal, refusal]);
    expect(await past.with(day({ [of]: 3 }))).toMatchObject({ same: 3 });
    expect(await past.with(day({ [of]: 2 }), { runs: { limit: 2 } })).toMatchObject({ same: 2 });
  });

  test("that is unchanged beside a changed one gives the same answers", async () => {
    const past = await pastRuns(document, day({ [of]: 1 }));
    const other = of === "toolCalls" ? { tokens: 1_000_000 } : { toolCalls: 1_000 };
    expect(await past.with(day({ [of]: 1, ...other }))).toMatchObject({ runs: 2, same: 2 });
    expect(await past.with(day({ [of]: 1, ...other }), { runs: { limit: 1 } })).toMatchObject({ runs: 1, same: 1 });
  });
});

describe("a budget of tokens in a day", () => {
  test("counts the maximum of each turn, and then its actual usage", async () => {
    const past = await pastRuns(byAgent, day({ tokens: 1_000_000 }), { runs: 3 });
    expect(past.statuses).toEqual(["completed", "completed", "completed"]);
    // A turn may use 4096 tokens and those of its prompt, and used 20.
    expect(await past.with(day({ tokens: 7_000 }))).toMatchObject({ same: 3 });
    const less = await past.with(day({ tokens: 4_000 }));
    expect(less).toMatchObject({ changed: 3, diverged: 0 });
    expect(messagesOf(less)).toContainEqual(
      fails(
        "The procedure's budget of 4000 tokens on 2026-01-02 (UTC) has no room for another turn of the agent: 0 are",
      ),
    );
  });

  test("that was used up and is now larger ends the record", async () => {
    const past = await pastRuns(byAgent, day({ tokens: 4_000 }));
    expect(past.statuses).toEqual(["failed", "failed"]);
    expect(await past.again()).toMatchObject({ same: 2 });
    expect(await past.with(day({ tokens: 50_000 }))).toMatchObject({ same: 0, diverged: 2 });
    // Still too small: the run fails as before, with another number in the message.
    expect(await past.with(day({ tokens: 3_000 }))).toMatchObject({ changed: 2, diverged: 0 });
  });

  test("is counted in the same way if models are asked anew", async () => {
    const says = [{ text: "Hm." }, { text: "Hm." }, { call: { amount: 1 } }];
    const past = await pastRuns(byAgent, day({ tokens: 1_000_000 }), { runs: 1, says });
    expect(await past.with(day({ tokens: 8_000 }), { models: "fresh" })).toMatchObject({ runs: 1, same: 1 });
    expect(await past.with(day({ tokens: 4_000 }), { models: "fresh" })).toMatchObject({ changed: 1 });
  });
});

describe("a budget of one run", () => {
  const repaired = [{ text: "Hm." }, { call: { amount: 1 } }];

  test.each([
    ["model calls", byAgent, "modelCalls", 1],
    ["tokens", byAgent, "tokens", 20],
    ["tool calls", twice, "toolCalls", 1],
  ] as const)("of %s, small, then large", async (words, document, of, atMost) => {
    const past = await pastRuns(document, inRun({ [of]: atMost }), { runs: 1, says: repaired });
    expect(past.statuses).toEqual(["failed"]);
    expect(await past.again()).toMatchObject({ same: 1 });
    const more = await past.with(inRun({ [of]: 1_000 }));
    expect(more).toMatchObject({ same: 0, diverged: 1 });
    expect(messagesOf(more)).toContainEqual(leftAt(document === twice ? "again" : "pay"));

    const large = await pastRuns(document, inRun({ [of]: 1_000 }), { runs: 1, says: repaired });
    expect(large.statuses).toEqual(["completed"]);
    const less = await large.with(inRun({ [of]: atMost }));
    expect(less).toMatchObject({ changed: 1, diverged: 0 });
    expect(messagesOf(less)).toContainEqual(fails(`The run reached its limit of ${atMost} ${words}.`));
  });
});

test("days of another zone are different days", async () => {
  const past = await pastRuns(byAgent, { day: { modelCalls: 1, timeZone: "UTC" } });
  expect(past.statuses).toEqual(["completed", "failed"]);
  const moved = await past.with({ day: { modelCalls: 1, timeZone: "Asia/Tokyo" } });
  expect(moved).toMatchObject({ same: 1, changed: 1, diverged: 0 });
  expect(messagesOf(moved)).toContainEqual(expect.stringContaining("(Asia/Tokyo)"));
});
