import { defineProcedure, z } from "@procedo/engine";
import {
  answersAfter,
  createTestEnvironment,
  fakeAction,
  idempotent,
  isNotSent,
  losesAnswer,
  once,
  reads,
  refuses,
  testProcedure,
  timesOut,
} from "@procedo/engine/testing";
import { describe, expect, test } from "vitest";
import { call, condition, end, procedure, review } from "../documents.ts";

const payment = defineProcedure({
  procedureId: "payment",
  name: "Payment",
  input: z.object({ vendorId: z.string(), amount: z.int().min(1) }),
  nodes: {
    start: { kind: "start", next: "vendor" },
    vendor: {
      kind: "tool_call",
      connection: "ledger",
      action: "get_vendor",
      arguments: { id: "{{ input.vendorId }}" },
      next: "size",
    },
    size: {
      kind: "condition",
      branches: [{ name: "large", when: "input.amount > 1000" }],
      otherwise: "normal",
      next: { large: "approve", normal: "pay" },
    },
    approve: {
      kind: "human_review",
      title: "Pay {{ input.amount }} to {{ nodes.vendor.output.name }}?",
      covers: "pay",
      reviewers: { roles: ["treasurer"], people: ["cfo"] },
      approvals: 2,
      excludeStarter: true,
      expiresAfter: "P7D",
      next: "pay",
    },
    pay: {
      kind: "tool_call",
      connection: "ledger",
      action: "pay",
      arguments: { vendorId: "{{ input.vendorId }}", amount: "{{ input.amount }}" },
      emit: { name: "payment_sent", data: { paymentId: "{{ nodes.pay.output.id }}" } },
      next: "done",
      onError: "refused",
    },
    done: { kind: "end", output: { paymentId: "{{ nodes.pay.output.id }}" } },
    refused: { kind: "end", output: { reason: "{{ nodes.pay.error }}" } },
  },
});
const ledger = {
  get_vendor: reads((args: { id: string }) => ({ id: args.id, name: "Acme" })),
  pay: once({ id: "pay_1" }),
};
const small = { vendorId: "ven_1", amount: 250 };
const large = { vendorId: "ven_1", amount: 5_000 };
const paid = { connection: "ledger", action: "pay", arguments: small };

describe("the test's view of a run", () => {
  test("consists of plain values: its path, effects, events, and the input and output of each node", async () => {
    const run = await testProcedure({ document: payment, input: small, actions: { ledger } });
    expect(run.status).toBe("completed");
    expect(run.path).toEqual(["start", "vendor", "size", "pay", "done"]);
    expect(run.output).toEqual({ paymentId: "pay_1" });
    expect(run.effects).toEqual([paid]);
    expect(run.argumentsOf("vendor")).toEqual([{ id: "ven_1" }]);
    expect(run.outputOf("vendor")).toEqual({ id: "ven_1", name: "Acme" });
    expect(run.events).toEqual([
      { event: "custom.payment_sent", payload: { paymentId: "pay_1" } },
      { event: "run_completed", status: "completed", output: { paymentId: "pay_1" } },
    ]);
    expect(run.callsOf("pay")).toEqual([
      {
        ...{ nodeId: "pay", visit: 1, call: 1, attempt: 1, ...paid, effect: "once" },
        ...{ idempotencyKey: expect.stringMatching(/^[\w-]{32}$/), outcome: "ok", output: { id: "pay_1" } },
        error: undefined,
      },
    ]);
    expect(run.reviews).toEqual([]);
    expect(run.turns).toEqual([]);
    expect(run.steps.map(({ input }) => input)).toContainEqual(small);
  });

  test("is the same each time, ids and keys included", async () => {
    const one = await testProcedure({ document: payment, input: large, actions: { ledger } });
    const two = await testProcedure({ document: payment, input: large, actions: { ledger } });
    await one.approve();
    await two.approve();
    expect(two.entries).toEqual(one.entries);
  });

  test("has the error of a run that failed", async () => {
    const run = await testProcedure({
      document: procedure([call("pay", "pay")]),
      actions: { bank: { pay: once(refuses("Not enough money.")) } },
    });
    expect([run.status, run.error, run.output]).toEqual(["failed", "Not enough money.", undefined]);
    expect(run.effects).toEqual([]);
  });

  test("has each of several calls in a loop", async () => {
    const document = procedure(
      [call("poll", "state"), condition("ready", { yes: "nodes.poll.output == 'done'" }, "no"), end("done")],
      { edges: ["start > poll", "poll > ready", "ready:yes > done", "ready:no > poll"] },
    );
    const run = await testProcedure({ document, actions: { bank: { state: reads("new", "new", "done") } } });
    expect(run.path).toEqual(["start", "poll", "ready", "poll", "ready", "poll", "ready", "done"]);
    expect(run.callsOf("poll").map(({ visit, output }) => [visit, output])).toEqual([
      [1, "new"],
      [2, "new"],
      [3, "done"],
    ]);
    expect(run.outputOf("ready")).toEqual({ branch: "yes" });
  });
});

describe("a review", () => {
  const waiting = () => testProcedure({ document: payment, input: large, actions: { ledger } });

  test("pauses the run, and shows its content", async () => {
    const run = await waiting();
    expect(run.status).toBe("awaiting_review");
    expect(run.review).toMatchObject({ nodeId: "approve", kind: "human_review", title: "Pay 5000 to Acme?" });
    expect(run.review?.call?.args).toEqual(large);
    expect(run.effects).toEqual([]);
    expect(run.events.map(({ event }) => event)).toEqual(["human_review_requested"]);
  });

  test("is approved by as many people as it needs", async () => {
    const run = await waiting();
    await run.approve();
    expect(run.status).toBe("completed");
    expect(run.reviews).toMatchObject([
      { answer: { status: "approved", decisions: [{ person: "cfo" }, { person: "reviewer 1" }] } },
    ]);
    expect(run.effects).toEqual([{ ...paid, arguments: large }]);
  });

  test("is approved by one person after another, each of whom must be allowed", async () => {
    const run = await waiting();
    await expect(run.approve({ by: { person: "starter", roles: ["treasurer"] } })).rejects.toMatchObject({
      code: "permission_denied",
    });
    await run.approve({ by: { person: "tess", roles: ["treasurer"] } });
    expect(run.status).toBe("awaiting_review");
    await run.approve({ by: { person: "tom", roles: ["treasurer"] } });
    expect(run.status).toBe("completed");
  });

  test("that is rejected fails the run with the reason", async () => {
    const run = await waiting();
    await run.reject("Wrong vendor.");
    expect([run.status, run.error, run.effects]).toEqual(["failed", "Wrong vendor.", []]);
  });

  test("expires when its time has passed, and not before", async () => {
    const run = await waiting();
    await run.advance("P6DT23H");
    expect(run.status).toBe("awaiting_review");
    await run.advance("PT1H");
    expect([run.status, run.error]).toEqual(["failed", 'Review "Pay 5000 to Acme?" expired without a decision.']);
  });

  test("accepts valid outputs only", async () => {
    const outputs = { type: "object", required: ["iban"], properties: { iban: { type: "string" } } };
    const run = await testProcedure({
      document: procedure([review("ask", { outputs })], { output: { iban: "{{ nodes.ask.output.iban }}" } }),
    });
    await expect(run.approve({ outputs: { iban: 5 } })).rejects.toMatchObject({ code: "invalid_decision" });
    await run.approve({ outputs: { iban: "DE02" } });
    expect(run.output).toEqual({ iban: "DE02" });
  });

  test("is approved by people other than those that it excludes for an earlier approval", async () => {
    const second = review("second", { approvals: 2, excludeApproversOf: ["first"] });
    const run = await testProcedure({ document: procedure([review("first", { approvals: 2 }), second]) });
    await run.approve();
    await run.approve();
    expect(run.status).toBe("completed");
  });

  test("that is not open cannot be approved, with the run's status in the message", async () => {
    const run = await testProcedure({ document: payment, input: small, actions: { ledger } });
    await expect(run.approve()).rejects.toThrow(
      "The run has no open review. It is completed. Its path: start, vendor, size, pay, done.",
    );
  });

  test("ends with a cancellation", async () => {
    const run = await waiting();
    await run.cancel("No longer needed.");
    expect([run.status, run.error]).toEqual(["failed", "Cancelled by canceller: No longer needed."]);
    const ended = await testProcedure({ document: payment, input: small, actions: { ledger } });
    await expect(ended.cancel()).rejects.toMatchObject({ code: "already_ended" });
  });
});

describe("time", () => {
  const pay = (settings: Parameters<typeof call>[2] = {}) =>
    procedure([call("pay", "pay", settings)], { output: { id: "{{ nodes.pay.output.id }}" } });

  test("passes at once before a retry, which has the same key every time", async () => {
    const environment = await createTestEnvironment({
      document: pay({ retry: { maxAttempts: 4, initialDelayMs: 3_600_000, maxDelayMs: 86_400_000 } }),
      actions: { bank: { pay: once(isNotSent(), isNotSent(), isNotSent("Still down."), { id: "pay_1" }) } },
    });
    const run = await environment.run();
    expect(run.output).toEqual({ id: "pay_1" });
    expect(run.callsOf("pay").map(({ attempt, outcome }) => [attempt, outcome])).toEqual([
      [1, "error"],
      [2, "error"],
      [3, "error"],
      [4, "ok"],
    ]);
    expect(new Set(run.calls.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    expect(run.effects).toHaveLength(1);
    expect(Date.parse(environment.now()) - Date.parse("2026-01-02T12:00:00Z")).toBeGreaterThan(3 * 1_800_000);
  });

  test("passes at once during a call without an answer; a possible payment opens a review and is not repeated", async () => {
    const run = await testProcedure({
      document: pay({ timeoutMs: 30_000 }),
      actions: { bank: { pay: once(timesOut()) } },
    });
    expect(run.review).toMatchObject({
      kind: "outcome_unknown",
      data: { reason: '"pay" did not answer within 30,000 ms.', attempt: 1 },
    });
    expect(run.effects).toHaveLength(1);
    await run.approve({ outputs: { id: "pay_7" } });
    expect(run.output).toEqual({ id: "pay_7" });
    expect(run.calls).toHaveLength(1);
  });

  test("passes at once after a lost answer: repeatable calls are repeated", async () => {
    const actions = { bank: { pay: idempotent(losesAnswer(), { id: "pay_2" }) } };
    const run = await testProcedure({ document: pay(), actions });
    expect([run.status, run.calls.length]).toEqual(["completed", 2]);
  });

  test("lets an answer arrive late, which settles the open review", async () => {
    const actions = { bank: { pay: once(answersAfter("PT10M", { id: "pay_late" })) } };
    const run = await testProcedure({ document: pay({ timeoutMs: 60_000 }), actions });
    expect(run.status).toBe("awaiting_review");
    await run.advance("PT9M");
    expect(run.output).toEqual({ id: "pay_late" });
    expect(run.reviews).toMatchObject([{ answer: { status: "settled" } }]);
  });

  test("can be moved by the test to any moment", async () => {
    const actions = { bank: { pay: once(isNotSent(), { id: "pay_1" }) } };
    const retry = { initialDelayMs: 60_000, maxDelayMs: 60_000 };
    const run = await testProcedure({ document: pay({ retry }), actions, time: "stands" });
    expect([run.status, run.calls.length]).toEqual(["running", 1]);
    await run.advance("PT29S");
    expect(run.status).toBe("running");
    await run.advance("PT31S");
    expect(run.status).toBe("completed");
  });

  test("starts at the moment that the test chooses", async () => {
    const document = procedure([], { output: { at: "{{ run.createdAt }}" } });
    const run = await testProcedure({ document, startsAt: "2030-06-01T08:00:00+02:00" });
    expect(run.output).toEqual({ at: "2030-06-01T06:00:00.000Z" });
    await expect(testProcedure({ document, startsAt: "soon" })).rejects.toThrow('startsAt is "soon"');
    await expect(run.advance("tomorrow")).rejects.toThrow("ISO 8601");
  });

  test("stops while a handler works, however long it really takes", async () => {
    const handler = async () => {
      for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
      return { id: "pay_slow" };
    };
    const run = await testProcedure({ document: pay({ timeoutMs: 1 }), actions: { bank: { pay: once(handler) } } });
    expect(run.output).toEqual({ id: "pay_slow" });
  });
});

describe("several runs of one environment", () => {
  test("share their time, and the replies of the fakes", async () => {
    const document = procedure([call("next", "next"), review("ask", { expiresAfter: "P1D" })], {
      output: { number: "{{ nodes.next.output }}" },
    });
    const environment = await createTestEnvironment({ document, actions: { bank: { next: reads(1, 2) } } });
    const first = await environment.run();
    await environment.advance("PT12H");
    const second = await environment.run({ by: { person: "ana" } });
    await environment.advance("PT12H");
    await first.refresh();
    await second.approve();
    expect([first.status, second.status]).toEqual(["failed", "completed"]);
    expect(second.output).toEqual({ number: 2 });
    const { items } = await environment.engine.runs.list({ environment: "sandbox", limit: 10 });
    expect(items.map(({ startedBy }) => startedBy)).toEqual(["ana", "starter"]);
    await environment.close();
  });
});

test("a document that could not be published is refused with every problem", async () => {
  const document = procedure([call("pay", "pay", { arguments: { to: 5 } })]);
  const actions = { bank: { pay: fakeAction({ effect: "once", input: z.object({ to: z.string() }) }, null) } };
  await expect(testProcedure({ document, actions })).rejects.toMatchObject({
    code: "invalid_document",
    details: [{ path: "/nodes/1/arguments/to" }],
  });
  await expect(testProcedure({ document, actions: {} })).rejects.toMatchObject({ code: "invalid_document" });
});

test("invalid input is refused as at the start of a run", async () => {
  const input = { vendorId: "ven_1", amount: 0 };
  await expect(testProcedure({ document: payment, input, actions: { ledger } })).rejects.toMatchObject({
    code: "invalid_input",
  });
});
