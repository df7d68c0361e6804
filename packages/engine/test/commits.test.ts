import type { ProcedureDocument } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { createHarness, type Harness } from "./harness.ts";
import { call, condition, end, procedure, review } from "./documents.ts";
import { answers, fails, held } from "./scripted-bank.ts";

/** Start, three tool calls with a condition between them, an end: the run whose durable writes are counted. */
const threeCalls = procedure(
  [
    call("vendor", "read", { arguments: { id: "{{ input.vendorId }}" } }),
    condition("size", { large: "input.amount > 1000" }, "normal"),
    call("pay", "pay", { arguments: { to: "{{ input.vendorId }}", amount: "{{ input.amount }}" } }),
    call("note", "idempotent", { arguments: { payment: "{{ nodes.pay.output.id }}" } }),
  ],
  {
    edges: ["start > vendor", "vendor > size", "size:large > pay", "size:normal > pay", "pay > note", "note > done"],
    output: { paymentId: "{{ nodes.pay.output.id }}" },
  },
);
const data = { vendorId: "ven_1", amount: 500 };

async function rowsOf(harness: Harness, runId: string) {
  const rows = await harness.engine.runs.journal({ environment: "sandbox", runId });
  return rows.map(({ entries }) => entries.map(({ type }) => type));
}

describe("durable writes", () => {
  test("a run with three tool calls costs four commits, which include the pure steps", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(threeCalls, data);
    expect(await rowsOf(harness, runId)).toEqual([
      ["started", "intent"],
      ["outcome", "branch_taken", "intent"],
      ["outcome", "intent"],
      ["outcome", "ended"],
    ]);
    expect(harness.engine.way.count("runs.commit")).toBe(4);
  });

  test("one run whose row is refused by storage does not fail runs that commit at the same time", async () => {
    const harness = await createHarness();
    await harness.publish(threeCalls);
    let commits = 0;
    harness.engine.way.on("runs.commit", (work) => {
      commits += 1;
      return commits === 2 ? Promise.resolve({ status: "refused", error: new Error("no") }) : work();
    });
    const start = { procedureId: "p", environment: "sandbox", data, by: { person: "alice" } } as const;
    const started = await Promise.allSettled([1, 2, 3].map(() => harness.engine.runs.start(start)));
    expect(started.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    await harness.clock.settle();
    expect(
      (await harness.engine.runs.list({ environment: "sandbox", status: "completed", limit: 10 })).items,
    ).toHaveLength(2);
  });

  test("an intent is durable before its call, and an outcome before the next call", async () => {
    const harness = await createHarness();
    const seen: string[][][] = [];
    const look = async ({ context }: { context: { run: { runId: string } } }) => {
      seen.push(await rowsOf(harness, context.run.runId));
      return { id: "x" };
    };
    harness.bank.plan("read", look);
    harness.bank.plan("pay", look);
    await harness.runOf(threeCalls, data);
    expect(seen).toEqual([
      [["started", "intent"]],
      [
        ["started", "intent"],
        ["outcome", "branch_taken", "intent"],
      ],
    ]);
  });

  test("nothing is written while a review is open, however long", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(procedure([review("r")]));
    const before = harness.engine.way.count("runs.commit");
    await harness.clock.advance(3_600_000);
    expect(harness.engine.way.count("runs.commit")).toBe(before);
    expect((await harness.read(runId)).status).toBe("awaiting_review");
  });
});

describe("the record of a run", () => {
  test("contains each step's exact input and output, in order, with times and attempts", async () => {
    const harness = await createHarness();
    const vendor = held();
    harness.bank.plan("read", vendor.behaviour);
    harness.bank.plan("pay", answers({ id: "pay_7" }));
    const startedAtMs = harness.clock.now();
    const runId = await harness.runOf(threeCalls, data);
    await harness.clock.advance(250);
    vendor.answer({ id: "ven_1", name: "Acme", nested: { list: [1, "2", null, true, 1.5] } });
    await harness.clock.settle();

    const { steps, ...run } = await harness.read(runId);
    expect(run).toEqual({
      runId,
      status: "completed",
      procedureId: "p",
      procedureVersion: "v1",
      environment: "sandbox",
      startedBy: "alice",
      createdAtMs: startedAtMs,
      completedAtMs: startedAtMs + 250,
      output: { paymentId: "pay_7" },
      error: undefined,
      archived: false,
    });
    expect(steps.map(({ nodeId, kind, status, input, output }) => ({ nodeId, kind, status, input, output }))).toEqual([
      { nodeId: "start", kind: "start", status: "completed", input: data, output: data },
      {
        nodeId: "vendor",
        kind: "tool_call",
        status: "completed",
        input: { id: "ven_1" },
        output: { id: "ven_1", name: "Acme", nested: { list: [1, "2", null, true, 1.5] } },
      },
      { nodeId: "size", kind: "condition", status: "completed", input: undefined, output: { branch: "normal" } },
      {
        nodeId: "pay",
        kind: "tool_call",
        status: "completed",
        input: { to: "ven_1", amount: 500 },
        output: { id: "pay_7" },
      },
      {
        nodeId: "note",
        kind: "tool_call",
        status: "completed",
        input: { payment: "pay_7" },
        output: { id: "idempotent-1" },
      },
      { nodeId: "done", kind: "end", status: "completed", input: undefined, output: { paymentId: "pay_7" } },
    ]);
    expect(steps[1]).toMatchObject({ visit: 1, startedAtMs, endedAtMs: startedAtMs + 250 });
    expect(steps[1]?.attempts).toMatchObject([
      { attempt: 1, connection: "bank", action: "read", outcome: "ok", startedAtMs, endedAtMs: startedAtMs + 250 },
    ]);
    expect(steps[1]?.attempts[0]?.idempotencyKey).toBe(harness.bank.calls[0]?.context.idempotencyKey);
  });

  test.each<[string, ProcedureDocument, string, string]>([
    [
      "condition",
      procedure([condition("c", { a: "input.missing == 1" }, "b"), end("other")], {
        edges: ["start > c", "c:a > done", "c:b > other"],
      }),
      "c",
      "missing",
    ],
    ["human_review", procedure([review("r", { data: { x: "{{ input.missing }}" } })]), "r", "missing"],
    ["end", procedure([], { output: { x: "{{ input.missing }}" } }), "done", "missing"],
    ["tool_call", procedure([call("a", "once", { arguments: { x: "{{ input.missing }}" } })]), "a", "missing"],
  ])("shows a %s whose expression fails as a failed step with the reason", async (kind, document, nodeId, named) => {
    const harness = await createHarness();
    const run = await harness.read(await harness.runOf(document));
    expect(run.status).toBe("failed");
    expect(run.error).toContain(named);
    expect(run.steps.at(-1)).toMatchObject({ nodeId, kind, status: "failed", error: run.error });
    expect(harness.bank.calls).toEqual([]);
  });

  test("shows the input of a failed step, and the error as its output", async () => {
    const harness = await createHarness();
    harness.bank.plan("once", fails("no funds"));
    const run = await harness.read(await harness.runOf(procedure([call("a", "once", { arguments: { n: 1 } })])));
    expect(run.error).toBe("no funds");
    expect(run.steps.at(-1)).toMatchObject({
      nodeId: "a",
      status: "failed",
      input: { n: 1 },
      output: { error: "no funds" },
      error: "no funds",
      attempts: [{ outcome: "error", message: "no funds" }],
    });
  });

  test("shows each visit of a node in a loop as a separate step", async () => {
    const harness = await createHarness();
    const loop = procedure([call("a", "read"), condition("again", { yes: "nodes.a.output.id != 'read-3'" }, "no")], {
      edges: ["start > a", "a > again", "again:yes > a", "again:no > done"],
    });
    const { steps } = await harness.read(await harness.runOf(loop));
    const visits = steps.filter(({ nodeId }) => nodeId === "a");
    expect(visits.map(({ visit, output }) => ({ visit, output }))).toEqual([
      { visit: 1, output: { id: "read-1" } },
      { visit: 2, output: { id: "read-2" } },
      { visit: 3, output: { id: "read-3" } },
    ]);
    expect(new Set(harness.bank.calls.map(({ context }) => context.idempotencyKey)).size).toBe(3);
  });

  test("keeps numbers, texts and unusual member names exactly", async () => {
    const harness = await createHarness();
    const odd = {
      "a/b~c": 1,
      "": 2,
      é: "\u0000\ud800 ok",
      "9007199254740993": "9007199254740993",
      n: 0.1,
      m: -1e-7,
      "x.y": [[]],
    };
    harness.bank.plan("read", answers(odd));
    const run = await harness.read(
      await harness.runOf(
        procedure([call("a", "read", { arguments: { value: "{{ input }}" } })], {
          output: { value: "{{ nodes.a.output }}" },
        }),
        odd,
      ),
    );
    expect(run.steps[0]?.input).toEqual(odd);
    expect(run.steps[1]).toMatchObject({ input: { value: odd }, output: odd });
    expect(run.output).toEqual({ value: odd });
    expect(harness.bank.calls[0]?.args).toEqual({ value: odd });
  });
});
