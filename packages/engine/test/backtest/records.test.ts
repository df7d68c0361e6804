import type { VerbName } from "@procedo-testing/faults";
import type { HumanReviewNode, ProcedureDocument } from "@procedo/contract";
import { z, type RunArchive } from "@procedo/engine";
import { createTestEnvironment, fakeAction, refuses, timesOut } from "@procedo/engine/testing";
import { describe, expect, test } from "vitest";
import { bob, carol, createHarness, type Harness } from "../harness.ts";
import { damage } from "../damaged-storage.ts";
import { call, condition, end, procedure, review } from "../documents.ts";
import { answersAfter, breaks, hangs } from "../scripted-bank.ts";

const tried = { procedureId: "p", environment: "sandbox" } as const;

async function runsOf(harness: Harness, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let run = 0; run < count; run++) ids.push(await harness.run());
  return ids;
}

describe("runs that cannot be backtested", () => {
  test("are omitted and counted: archived runs and runs with an invalid journal", async () => {
    const harness = await createHarness();
    await harness.publish(procedure([call("a", "once")]));
    await runsOf(harness, 2);
    await harness.clock.advance(86_400_000);
    const to: RunArchive = {
      write: async (_name, lines) => {
        for await (const line of lines) expect(line).not.toBe("");
      },
    };
    await harness.engine.retention.archive({ olderThanMs: 1_000, to, by: bob, pauseMs: 0 });
    const [gone = "", cut = "", mixed = ""] = await runsOf(harness, 4);
    damage(harness.engine.way, [], {
      journals: {
        [gone]: () => [],
        [cut]: (rows) => rows.slice(1),
        [mixed]: (rows) => rows.map((row) => ({ ...row, body: "[" })),
      },
    });
    const report = await harness.engine.backtest({ ...tried, version: "v1" });
    expect(report).toMatchObject({ runs: 1, same: 1, skipped: { archived: 2, broken: 3 } });
  });

  test("are counted separately if their own version no longer exists", async () => {
    const harness = await createHarness();
    await harness.publish(procedure([call("a", "once")]));
    await harness.run();
    const another = await harness.addEngine({ started: false });
    another.way.on("procedures.version", async () => undefined);
    const report = await another.backtest({ ...tried, document: procedure([call("a", "once")]) });
    expect(report).toMatchObject({
      diverged: 1,
      changes: [
        {
          differences: [
            {
              message: expect.stringContaining(
                'the run cannot be replayed: There is no version "v1" of procedure "p".',
              ) as string,
            },
          ],
        },
      ],
    });
  });
});

test("storage is only read", async () => {
  const harness = await createHarness();
  await harness.publish(procedure([call("a", "pay", { arguments: { to: "x", amount: 1 } }), review("ask")]));
  await harness.decide(await harness.run());
  const reading = await harness.addEngine({ started: false });
  expect(await reading.backtest({ ...tried, version: "v1", strict: true })).toMatchObject({ runs: 1, same: 1 });
  const writes: readonly VerbName[] = [
    "runs.commit",
    "runs.claim",
    "inbox.post",
    "reviews.decide",
    "budgets.reserve",
    "invocations.lease",
    "procedures.publish",
    "records.put",
    "workers.heartbeat",
    "deliveries.claim",
  ];
  expect(writes.filter((verb) => reading.way.count(verb) > 0)).toEqual([]);
  expect(reading.way.count("runs.journal")).toBe(1);
  expect(harness.bank.calls).toHaveLength(1);
});

describe("the outcome of a call", () => {
  test.each([
    ["tried again", [breaks(), breaks()], "idempotent"],
    ["never known", [hangs()], "once"],
  ] as const)("is unchanged if the call was %s", async (_what, behaviours, action) => {
    const harness = await createHarness();
    harness.bank.plan(action, ...behaviours);
    await harness.publish(
      procedure([call("a", action, { timeoutMs: 1_000 })], { output: { a: "{{ nodes.a.output }}" } }),
    );
    const runId = await harness.run();
    await harness.clock.advance(60_000);
    if (action === "once") await harness.decide(runId, { outputs: { id: "found" } });
    expect(await harness.engine.backtest({ ...tried, version: "v1", strict: true })).toMatchObject({
      runs: 1,
      same: 1,
    });
    const fewer = procedure([
      call("a", action, { timeoutMs: 1_000, retry: { maxAttempts: 1 }, onUnknownOutcome: "fail" }),
    ]);
    const report = await harness.engine.backtest({ ...tried, document: fewer });
    expect(report.changes[0]?.after).toMatchObject({
      status: "failed",
      error: expect.stringContaining("It is not known"),
    });
  });

  test("is unchanged if it became known late", async () => {
    const harness = await createHarness();
    harness.bank.plan("once", answersAfter(harness.clock, 90_000, { id: "late" }));
    await harness.publish(procedure([call("a", "once")], { output: { a: "{{ nodes.a.output.id }}" } }));
    const runId = await harness.run();
    await harness.clock.advance(100_000);
    expect((await harness.read(runId)).output).toEqual({ a: "late" });
    expect(await harness.engine.backtest({ ...tried, version: "v1", strict: true })).toMatchObject({
      runs: 1,
      same: 1,
    });
  });
});

describe("the late answer of a call that is repeated", () => {
  const retry = { maxAttempts: 2, initialDelayMs: 60_000, maxDelayMs: 60_000 };
  const document = procedure([call("a", "idempotent", { timeoutMs: 1_000, retry })], {
    output: { a: "{{ nodes.a.output.id }}" },
  });

  test.each([
    ["before its repetition", 10_000, 1],
    ["during the review of its repetition", 300_000, 2],
  ])("is unchanged: it came %s", async (_when, delayMs, calls) => {
    const harness = await createHarness();
    harness.bank.plan("idempotent", answersAfter(harness.clock, delayMs, { id: "late" }), hangs());
    await harness.publish(document);
    const runId = await harness.run();
    await harness.clock.advance(400_000);
    expect((await harness.read(runId)).output).toEqual({ a: "late" });
    expect(harness.bank.calls).toHaveLength(calls);
    expect(await harness.engine.backtest({ ...tried, version: "v1", strict: true })).toMatchObject({
      runs: 1,
      same: 1,
    });
  });
});

test("calls of private functions, and the reviews that they require, are unchanged", async () => {
  const document = procedure([
    {
      id: "screen",
      kind: "tool_call",
      connection: "office",
      action: "screen",
      arguments: { name: "{{ input.name }}" },
    },
  ]);
  const screen = fakeAction(
    { effect: "once", input: z.object({ name: z.string() }), requiresReview: true },
    ({ name }) => (name === "silent" ? timesOut() : name === "bad" ? refuses("No such name.") : { hits: 0 }),
  );
  const { run, engine } = await createTestEnvironment({ document, actions: { office: { screen } } });
  for (const name of ["good", "bad", "silent"]) {
    const started = await run({ input: { name } });
    await started.approve();
    if (started.review !== undefined) await started.approve({ outputs: { hits: 1 } });
  }
  await (await run({ input: { name: "rejected" } })).reject("No.");
  expect(await engine.backtest({ ...tried, version: "test", strict: true })).toMatchObject({ runs: 4, same: 4 });
});

test("a call that failed because its connection was missing fails in the same way, before any rule of its node", async () => {
  const harness = await createHarness();
  await harness.engine.connections.create({ name: "main", integration: "bank", environment: "live", by: bob });
  const guards = [{ check: "input.ok == true", otherwise: "fail" as const }];
  const input = { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] };
  const document = procedure([call("a", "once", { connection: "main", guards })], { input });
  await harness.publish(document, { environment: "live" });
  const run = await harness.read(await harness.run({ ok: false }, { version: "v1" }));
  expect(run.error).toMatch(/^There is no connection "main"/);
  expect(await harness.engine.backtest({ ...tried, version: "v1", strict: true })).toMatchObject({ runs: 1, same: 1 });
});

describe("a recorded decision", () => {
  async function decided(
    node: Partial<HumanReviewNode>,
    decision: object = {},
  ): Promise<(node: Partial<HumanReviewNode>) => Promise<string>> {
    const document = (settings: object): ProcedureDocument =>
      procedure([review("ask", settings)], { output: { a: "{{ nodes.ask.output }}" } });
    const harness = await createHarness();
    await harness.publish(document(node));
    await harness.decide(await harness.run(), decision);
    return async (other) => {
      const report = await harness.engine.backtest({ ...tried, document: document({ ...node, ...other }) });
      return report.changes[0]?.differences.at(-1)?.message ?? "nothing";
    };
  }

  test("counts as long as it would be accepted", async () => {
    const afterwards = await decided({}, { by: carol });
    expect(await afterwards({ reviewers: { roles: ["reviewer"] } })).toContain("/rules/roles/0");
    expect(await afterwards({ title: "Review ask" })).toBe("nothing");
  });

  test("by the starter of the run does not count if the starter may not decide", async () => {
    const afterwards = await decided({}, { by: { person: "alice" } });
    expect(await afterwards({ excludeStarter: true })).toBe(
      'the record ends at "ask": Review "Review ask" was approved by the person who started the run, who may no longer decide.',
    );
  });

  test("with outputs that no longer fit does not count", async () => {
    const afterwards = await decided({}, { outputs: { iban: 5 } });
    const outputs = (type: string) => ({ outputs: { type: "object", properties: { iban: { type } } } });
    expect(await afterwards(outputs("number"))).toContain("/rules/outputs");
    expect(await afterwards(outputs("string"))).toBe(
      'the record ends at "ask": The outputs of review "Review ask" no longer fit its schema.',
    );
  });

  test("without outputs does not count if some are now required", async () => {
    const afterwards = await decided({});
    expect(await afterwards({ outputs: { type: "object", required: ["iban"] } })).toBe(
      'the record ends at "ask": Review "Review ask" needs outputs, and its approval in the record has none.',
    );
  });

  test("by a person who approved an earlier review does not count if that person may not decide", async () => {
    const harness = await createHarness();
    const two = (settings: object) => procedure([review("first"), review("second", settings)]);
    await harness.publish(two({}));
    for (const second of [bob, carol]) {
      const runId = await harness.run();
      await harness.decide(runId, { by: { person: "Bob" } });
      await harness.decide(runId, { by: second });
    }
    const document = two({ excludeApproversOf: ["first"] });
    const report = await harness.engine.backtest({ ...tried, document });
    const messages = report.changes.flatMap(({ differences }) => differences.map(({ message }) => message));
    const diverged =
      'the record ends at "second": Review "Review second" was approved by a person who had approved "first" and may no longer decide.';
    expect(report).toMatchObject({ runs: 2, diverged: 1 });
    expect(messages.filter((message) => message === diverged)).toHaveLength(1);
  });

  test("of a review at another node is not found", async () => {
    const harness = await createHarness();
    await harness.publish(procedure([review("ask")]));
    await harness.decide(await harness.run());
    const moved = procedure([condition("which", { yes: "true" }, "no"), review("other"), end("done")], {
      edges: ["start > which", "which:yes > other", "which:no > done", "other > done"],
    });
    const report = await harness.engine.backtest({ ...tried, document: moved });
    expect(report).toMatchObject({
      diverged: 1,
      changes: [{ after: { path: ["start", "which", "other"], status: undefined } }],
    });
  });
});

test("limits of the engine and of a run's size end the run as before", async () => {
  const harness = await createHarness({ limits: { toolCalls: 2, runBytes: 3_000 } });
  const large = { text: "x".repeat(2_000) };
  await harness.publish(
    procedure([
      call("a", "read", { arguments: large }),
      call("b", "read", { arguments: { text: "y".repeat(2_000) } }),
      call("c", "read"),
    ]),
  );
  await harness.publish(procedure([call("a", "read"), call("b", "read"), call("c", "read")]), { version: "v2" });
  const [bytes, calls] = [await harness.run(), await harness.run({}, { version: "v2" })];
  expect([(await harness.read(bytes)).error, (await harness.read(calls)).error]).toEqual([
    "The run reached its limit of 3000 bytes for all steps together.",
    "The run reached its limit of 2 tool calls.",
  ]);
  const of = (version: string) => harness.engine.backtest({ ...tried, version, runs: { version }, strict: true });
  expect(await of("v1")).toMatchObject({ runs: 1, same: 1 });
  expect(await of("v2")).toMatchObject({ runs: 1, same: 1 });
});
