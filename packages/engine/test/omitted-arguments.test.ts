import type { JsonObject } from "@procedo/contract";
import { z } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { lastOf, plannedModel, proposes, requestOf } from "./agent-model.ts";
import { createHarness } from "./harness.ts";
import { call, procedure } from "./documents.ts";

/* A null for an optional argument that does not accept null counts as omitted, from any origin. */

const line = z.object({ text: z.string(), memo: z.string().optional() });
const payInput = z.object({
  to: z.string(),
  amount: z.int(),
  memo: z.string().optional(),
  note: z.string().nullable().optional(),
  lines: z.array(line).optional(),
});

const input = { type: "object" } as const;
const inputOf = (properties: JsonObject) => ({ ...input, properties });

describe("a null for an optional argument", () => {
  test.each([
    ["from a mapping", { memo: "{{ input.memo }}" }],
    ["from a constant", { memo: null }],
    ["deep inside", { lines: [{ text: "{{ input.to }}", memo: "{{ input.memo }}" }] }],
  ])("%s is omitted: in the guard, in the journal and in the request", async (_where, mapped) => {
    const harness = await createHarness({ bank: { payInput } });
    const pay = call("pay", "pay", {
      arguments: { to: "{{ input.to }}", amount: 5, ...mapped },
      guards: [
        { check: "!has(args.memo) && (!has(args.lines) || args.lines.all(l, !has(l.memo)))", otherwise: "fail" },
      ],
    });
    const document = {
      ...procedure([pay]),
      input: inputOf({ to: { type: "string" }, memo: { type: ["string", "null"] } }),
    };
    const runId = await harness.runOf(document, { to: "acme", memo: null });
    expect(await harness.read(runId)).toMatchObject({ status: "completed" });
    expect(harness.bank.calls.map(({ args }) => JSON.stringify(args).includes("memo"))).toEqual([false]);
    expect(JSON.stringify(await harness.engine.runs.journal({ environment: "sandbox", runId }))).not.toContain(
      '"memo":null,"to"',
    );
  });

  test("from a model is omitted, but one that the action accepts is sent", async () => {
    const model = plannedModel();
    model.plan(proposes({ amount: 5, memo: null, note: null, lines: [{ text: "a", memo: null }] }));
    const harness = await createHarness({ models: { arguments: { model } }, bank: { payInput } });
    await harness.runOf(procedure([call("pay", "pay", { instructions: "Pay.", arguments: { to: "acme" } })]), {});
    expect(harness.bank.calls.map(({ args }) => args)).toEqual([
      { to: "acme", amount: 5, note: null, lines: [{ text: "a" }] },
    ]);
    expect(model.requests).toHaveLength(1);
  });

  test("leaves no room for the model's own value if the procedure maps the argument", async () => {
    const model = plannedModel();
    model.plan(proposes({ amount: 5, memo: "mine" }), proposes({ amount: 5 }));
    const harness = await createHarness({ models: { arguments: { model } }, bank: { payInput } });
    const pay = call("pay", "pay", { instructions: "Pay.", arguments: { to: "acme", memo: null } });
    await harness.runOf(procedure([pay]), {});
    expect(harness.bank.calls.map(({ args }) => args)).toEqual([{ to: "acme", amount: 5 }]);
  });
});

describe("a null that cannot be omitted", () => {
  test("is reported to the model: the required arguments, and those to omit", async () => {
    const model = plannedModel();
    model.plan(proposes({ amount: null, lines: [null] }), proposes({ amount: 5 }));
    const harness = await createHarness({ models: { arguments: { model } }, bank: { payInput } });
    await harness.runOf(procedure([call("pay", "pay", { instructions: "Pay.", arguments: { to: "acme" } })]), {});
    const reported = lastOf(requestOf(model, 2));
    expect(reported).toContain("It is required, and null is no value for it.");
    expect(reported).toMatch(/\/lines\/0 [^"]*\. Leave it out instead of giving null\./);
  });

  test("fails a mapped call with the same message", async () => {
    const harness = await createHarness({ bank: { payInput } });
    const document = {
      ...procedure([call("pay", "pay", { arguments: { to: "acme", amount: "{{ input.amount }}" } })]),
      input: inputOf({ amount: { type: ["integer", "null"] } }),
    };
    const runId = await harness.runOf(document, { amount: null });
    expect(await harness.read(runId)).toMatchObject({
      status: "failed",
      error: expect.stringContaining("It is required, and null is no value for it.") as string,
    });
    expect(harness.bank.calls).toEqual([]);
  });
});
