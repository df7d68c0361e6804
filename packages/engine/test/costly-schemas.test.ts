import type { JsonObject, JsonValue } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { createHarness } from "./harness.ts";
import { procedure, review } from "./documents.ts";
import { calling, createPrivateHarness, declared } from "./private-harness.ts";

const next = { properties: { next: { $ref: "#" } }, required: ["next"] };
/** Each level of the value doubles the number of steps. */
const doubling: JsonObject = { type: "object", anyOf: [next, next] };
const nextTree = { properties: { next: { $ref: "#/$defs/tree" } }, required: ["next"] };
const tree: JsonObject = { type: "object", anyOf: [nextTree, nextTree] };
const chain = (levels: number): JsonObject => (levels === 0 ? { next: 1 } : { next: chain(levels - 1) });
const steps = expect.stringContaining("10000000 steps") as string;
const wide: JsonObject = {
  type: "object",
  properties: Object.fromEntries(
    Array.from({ length: 4_100 }, (_, index): [string, JsonValue] => [`member${index}`, { type: "string" }]),
  ),
};

describe("a value whose check would take too many steps", () => {
  test("starts no run, and the caller gets the limit", async () => {
    const harness = await createHarness();
    await harness.publish(procedure([], { input: doubling }));
    await expect(harness.run(chain(40))).rejects.toMatchObject({
      code: "invalid_input",
      status: 422,
      details: [{ path: "", message: steps }],
    });
    const { items } = await harness.engine.runs.list({ environment: "sandbox", limit: 10 });
    expect(items).toEqual([]);
  });

  test("decides no review, which stays open for another decision", async () => {
    const harness = await createHarness();
    const outputs = { type: "object", properties: { tree: { $ref: "#/$defs/tree" } }, $defs: { tree } };
    const runId = await harness.runOf(procedure([review("r", { outputs })]));
    await expect(harness.decide(runId, { outputs: { tree: chain(40) } })).rejects.toMatchObject({
      code: "invalid_decision",
      status: 422,
      details: [{ path: "/outputs", message: steps }],
    });
    expect((await harness.reviews(runId))[0]).toMatchObject({ status: "open", decisions: [] });
    await harness.decide(runId, { outputs: {} });
    expect((await harness.read(runId)).status).toBe("completed");
  });

  test("is dispatched to no function, and the run ends with an error that names the limit", async () => {
    const harness = await createPrivateHarness();
    await harness.connect([declared("screen", { input: doubling })]);
    await harness.publish(calling("screen", { arguments: { next: "{{ input.value }}" } }), { defaultIn: ["sandbox"] });
    const runId = await harness.run({ value: chain(40) });
    expect(await harness.read(runId)).toMatchObject({ status: "failed", error: steps });
  });
});

describe("a function with an input schema that is too large to compile", () => {
  test("is refused at registration, with its name and the limit", async () => {
    const harness = await createPrivateHarness();
    const registering = harness.connect([declared("screen"), declared("look_up", { input: wide })]);
    await expect(registering).rejects.toMatchObject({
      code: "invalid_input",
      status: 422,
      message: expect.stringMatching(/function "look_up".*4000 schemas/) as string,
      details: [{ path: "/functions/1/input", message: expect.stringContaining("4000 schemas") as string }],
    });
  });
});

describe("a procedure with an input schema that is too large to compile", () => {
  test("is not published, and the error names the limit at the schema's position", async () => {
    const harness = await createHarness();
    await expect(harness.publish(procedure([], { input: wide }))).rejects.toMatchObject({
      code: "invalid_document",
      details: [{ path: "/input", message: expect.stringContaining("4000 schemas") as string }],
    });
  });
});
