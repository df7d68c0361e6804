import type { JsonObject } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { alice, createHarness } from "./harness.ts";
import { call, condition, end, procedure } from "./documents.ts";

/* Defaults of an input's schema complete the data of a start. */

const inputWith = (currency: string) => ({
  type: "object",
  required: ["n"],
  properties: {
    n: { type: "integer" },
    currency: { type: "string", default: currency },
    bank: { type: "object", properties: { country: { type: "string", default: "DE" } } },
  },
  additionalProperties: false,
});

const paying = (currency: string) =>
  procedure([call("a", "once", { arguments: { n: "{{ input.n }}", currency: "{{ input.currency }}" } })], {
    input: inputWith(currency),
    output: { currency: "{{ input.currency }}" },
  });

const start = { procedureId: "p", environment: "sandbox", data: { n: 1, bank: {} }, by: alice } as const;

describe("a start that omits members", () => {
  test("has their defaults in the run: in its journal, its calls and its output", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(paying("EUR"), start.data);
    const input = { n: 1, bank: { country: "DE" }, currency: "EUR" };
    expect(await harness.read(runId)).toMatchObject({ status: "completed", output: { currency: "EUR" } });
    const [row] = await harness.engine.runs.journal({ environment: "sandbox", runId });
    expect(row?.entries[0]).toMatchObject({ type: "started", input });
    expect(harness.bank.calls.map(({ args }) => args)).toEqual([{ n: 1, currency: "EUR" }]);
  });

  test("matches its idempotency key by the sent data, also after the defaults have changed", async () => {
    const harness = await createHarness();
    await harness.publish(paying("EUR"));
    const first = await harness.engine.runs.start({ ...start, idempotencyKey: "k" });
    await harness.publish(paying("USD"), { version: "v2", defaultIn: ["sandbox"] });
    expect(await harness.engine.runs.start({ ...start, idempotencyKey: "k" })).toMatchObject({
      runId: first.runId,
      existing: true,
      procedureVersion: "v1",
    });
    const data = { ...start.data, currency: "EUR" };
    await expect(harness.engine.runs.start({ ...start, data, idempotencyKey: "k" })).rejects.toMatchObject({
      code: "idempotency_conflict",
    });
  });

  test("is refused if the completed data exceeds the limit of a step", async () => {
    const harness = await createHarness({ limits: { stepBytes: 2_000 } });
    const input = {
      type: "object",
      properties: { list: { items: { properties: { text: { default: "x".repeat(500) } } } } },
    };
    await harness.publish(procedure([], { input }));
    const list = Array.from({ length: 5 }, () => ({}));
    await expect(harness.engine.runs.start({ ...start, data: { list } })).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("completed by the defaults of its input") as string,
    });
  });
});

describe("publishing", () => {
  const problemsOf = async (input: JsonObject, value = "{{ input.currency }}") => {
    const harness = await createHarness();
    const document = procedure([call("a", "once", { arguments: { value } })], { input });
    return await harness.engine.procedures.validate({ document, environments: ["sandbox"] });
  };

  test("requires no value for a member with a default, and warns of a default that is never applied", async () => {
    expect(await problemsOf(inputWith("EUR"))).toEqual([]);
    const input = { type: "object", properties: {}, additionalProperties: { type: "string", default: "EUR" } };
    expect(await problemsOf(input, "x")).toMatchObject([
      { severity: "warning", code: "schema", path: "/input/additionalProperties/default" },
    ]);
  });

  test("refuses a default that does not fit", async () => {
    const input = { type: "object", properties: { currency: { type: "string", default: 978 } } };
    expect(await problemsOf(input, "x")).toMatchObject([
      { severity: "error", path: "/input/properties/currency/default", message: "The default must be a string." },
    ]);
  });
});

/** Whether an amount exceeds a limit, which may have a default. */
const small = (limit: JsonObject) =>
  procedure(
    [condition("size", { large: "input.n > input.?limit.orValue(1000)" }, "normal"), end("large"), end("done")],
    {
      edges: ["start > size", "size:large > large", "size:normal > done"],
      input: { type: "object", properties: { n: { type: "integer" }, limit: { type: "integer", ...limit } } },
    },
  );

test("a backtest completes the data of earlier runs with the defaults of the tested version", async () => {
  const harness = await createHarness();
  await harness.runOf(small({}), { n: 5 });
  const backtest = (limit: JsonObject) =>
    harness.engine.backtest({ procedureId: "p", environment: "sandbox", document: small(limit) });
  expect(await backtest({})).toMatchObject({ runs: 1, same: 1 });
  expect(await backtest({ default: 1 })).toMatchObject({ runs: 1, changed: 1 });
});
