import { describe, expect, test } from "vitest";
import { storageUnavailable } from "@procedo-testing/faults";
import { alice, createHarness } from "./harness.ts";
import { call, procedure } from "./documents.ts";
import { held } from "./scripted-bank.ts";

const echo = procedure([call("a", "once", { arguments: { n: "{{ input.n }}" } })], {
  input: {
    type: "object",
    required: ["n"],
    properties: { n: { type: "integer", minimum: 1 }, note: { type: "string" } },
  },
  output: { id: "{{ nodes.a.output.id }}" },
});
const request = { procedureId: "p", environment: "sandbox", data: { n: 1 }, by: alice } as const;

describe("starting a run", () => {
  test("a started run is durable before the start resolves", async () => {
    const harness = await createHarness();
    await harness.publish(echo);
    const { runId } = await harness.engine.runs.start(request);
    const rows = await harness.storage.runs.journal({ scope: { workspace: "default", environment: "sandbox" }, runId });
    expect(rows).toHaveLength(1);
    expect(
      await harness.storage.runs.get({ scope: { workspace: "default", environment: "sandbox" }, runId }),
    ).toMatchObject({ status: "running", procedureId: "p", procedureVersion: "v1", startedBy: "alice" });
  });

  test("the first call's intent is in the first row, so that no call leaves before the run is durable", async () => {
    const harness = await createHarness();
    await harness.publish(echo);
    harness.engine.way.on("runs.commit", () => Promise.reject(storageUnavailable()));
    await expect(harness.engine.runs.start(request)).rejects.toMatchObject({ code: "storage_unavailable" });
    await harness.clock.advance(60_000);
    expect(harness.bank.calls).toEqual([]);
  });

  test("a start whose commit failed can be repeated with its idempotency key and makes one run", async () => {
    const harness = await createHarness();
    await harness.publish(echo);
    let lost = 1;
    harness.engine.way.on("runs.commit", async (work) => {
      const result = await work();
      if (lost-- > 0) throw storageUnavailable();
      return result;
    });
    const again = { ...request, idempotencyKey: "k" };
    await expect(harness.engine.runs.start(again)).rejects.toMatchObject({
      code: "storage_unavailable",
      retryable: true,
    });
    const { runId, existing } = await harness.engine.runs.start(again);
    expect(existing).toBe(true);
    await harness.clock.advance(5_000);
    expect((await harness.read(runId)).status).toBe("completed");
    expect((await harness.engine.runs.list({ environment: "sandbox", limit: 10 })).items).toHaveLength(1);
    expect(harness.bank.calls).toHaveLength(1);
  });

  test("data that violates the schema is refused with a pointer to every violation, and nothing is stored", async () => {
    const harness = await createHarness();
    await harness.publish(echo);
    const start = harness.engine.runs.start({ ...request, data: { n: 0, note: 5 } });
    await expect(start).rejects.toMatchObject({ code: "invalid_input", status: 422 });
    const error = (await start.catch((thrown: unknown) => thrown)) as { details: readonly { path: string }[] };
    expect(error.details.map(({ path }) => path).sort()).toEqual(["/n", "/note"]);
    expect((await harness.engine.runs.list({ environment: "sandbox", limit: 10 })).items).toEqual([]);
  });

  test("a later change of the caller's data does not change the run", async () => {
    const harness = await createHarness();
    await harness.publish(echo);
    const data = { n: 1 };
    const start = harness.engine.runs.start({ ...request, data });
    data.n = 99;
    const { runId } = await start;
    await harness.clock.settle();
    expect(harness.bank.calls[0]?.args).toEqual({ n: 1 });
    expect((await harness.read(runId)).steps[0]?.input).toEqual({ n: 1 });
  });

  test.each([
    ["65 levels", () => nested(65)],
    ["1,000,000 levels", () => nested(1_000_000)],
    ["a BigInt", () => ({ n: 1, big: 1n })],
    ["NaN", () => ({ n: NaN })],
    ["an infinity", () => ({ n: 1, x: Infinity })],
    ["a function", () => ({ n: 1, f: () => 1 })],
    ["a member named __proto__", () => JSON.parse('{"n":1,"__proto__":{"x":1}}') as unknown],
  ])("data that JSON cannot represent or that nests too deep is refused: %s", async (_name, make) => {
    const harness = await createHarness();
    await harness.publish(procedure([call("a", "once")]));
    const start = harness.engine.runs.start({ ...request, data: make() as never });
    await expect(start).rejects.toMatchObject({ code: expect.stringMatching(/^(invalid_input|too_deep)$/) as string });
    expect((await harness.engine.runs.list({ environment: "sandbox", limit: 10 })).items).toEqual([]);
  });

  test("unknown procedures and unknown versions have different errors", async () => {
    const harness = await createHarness();
    await harness.publish(echo);
    const { start } = harness.engine.runs;
    await expect(start({ ...request, procedureId: "other" })).rejects.toMatchObject({ code: "procedure_not_found" });
    await expect(start({ ...request, version: "v9" })).rejects.toMatchObject({ code: "version_not_found" });
    await expect(start({ ...request, environment: "live" })).rejects.toMatchObject({ code: "procedure_not_found" });
  });

  test("a principal without the permission to run starts nothing", async () => {
    const harness = await createHarness();
    await harness.publish(echo);
    const by = { person: "eve", permissions: ["manage", "review"] } as const;
    await expect(harness.engine.runs.start({ ...request, by })).rejects.toMatchObject({ code: "permission_denied" });
  });

  test("a run that was started by an engine without a worker is executed by another", async () => {
    const harness = await createHarness({ started: false });
    await harness.publish(echo);
    const runId = await harness.run({ n: 1 });
    expect((await harness.read(runId)).status).toBe("running");
    expect(harness.bank.calls).toEqual([]);
    await harness.addEngine({ started: true });
    await harness.clock.settle();
    expect(await harness.read(runId)).toMatchObject({ status: "completed", output: { id: "once-1" } });
  });

  test("runs beyond the capacity wait in storage and are all executed", async () => {
    const harness = await createHarness({ worker: { capacity: 2 } });
    await harness.publish(echo);
    const holds = [held(), held(), held(), held(), held()];
    harness.bank.plan("once", ...holds.map(({ behaviour }) => behaviour));
    const runIds = [];
    for (const _hold of holds) runIds.push(await harness.run({ n: 1 }));
    expect(harness.bank.calls).toHaveLength(2);
    for (const [index, hold] of holds.entries()) {
      hold.answer({ id: `held-${index}` });
      await harness.clock.settle();
    }
    await harness.clock.advance(2_000);
    for (const runId of runIds) expect((await harness.read(runId)).status).toBe("completed");
    expect(harness.bank.calls).toHaveLength(5);
  });
});

describe("versions", () => {
  const version = (text: string) => procedure([], { output: { version: text } });

  test("a run keeps its version for life, despite later versions and defaults", async () => {
    const harness = await createHarness();
    const hold = held();
    harness.bank.plan("once", hold.behaviour);
    await harness.publish(procedure([call("a", "once")], { output: { version: "one" } }));
    const runId = await harness.run();
    await harness.publish(version("two"), { version: "v2", defaultIn: ["sandbox"] });
    hold.answer({});
    await harness.clock.settle();
    expect(await harness.read(runId)).toMatchObject({ procedureVersion: "v1", output: { version: "one" } });
    expect(await harness.read(await harness.run())).toMatchObject({
      procedureVersion: "v2",
      output: { version: "two" },
    });
  });

  test("a run can be pinned to a version that is not the default", async () => {
    const harness = await createHarness();
    await harness.publish(version("one"));
    await harness.publish(version("two"), { version: "v2" });
    expect((await harness.read(await harness.run())).procedureVersion).toBe("v1");
    expect(await harness.read(await harness.run({}, { version: "v2" }))).toMatchObject({ output: { version: "two" } });
  });

  test("each environment has its own default", async () => {
    const harness = await createHarness();
    await harness.publish(version("one"));
    await harness.publish(version("two"), { version: "v2", defaultIn: ["live"] });
    const sandbox = await harness.run();
    const live = await harness.run({}, { environment: "live" });
    expect((await harness.read(sandbox)).procedureVersion).toBe("v1");
    expect((await harness.read(live, "live")).procedureVersion).toBe("v2");
    await harness.engine.procedures.setDefault({ procedureId: "p", environment: "live", version: "v1", by: alice });
    const promoted = await harness.run({}, { environment: "live" });
    expect((await harness.read(promoted, "live")).procedureVersion).toBe("v1");
  });

  test("another engine on the same storage sees a new default", async () => {
    const harness = await createHarness();
    const other = await harness.addEngine();
    await harness.publish(version("one"));
    await other.runs.start(request);
    await harness.publish(version("two"), { version: "v2", defaultIn: ["sandbox"] });
    expect((await other.runs.start(request)).procedureVersion).toBe("v2");
  });
});

describe("environments", () => {
  test("a run of one environment cannot be read, waited for, cancelled or listed from the other", async () => {
    const harness = await createHarness();
    await harness.publish(echo, { defaultIn: ["sandbox", "live"] });
    harness.bank.plan("once", held().behaviour);
    const runId = await harness.run({ n: 1 });
    const run = { environment: "live", runId } as const;
    const { runs } = harness.engine;
    await expect(runs.get(run)).rejects.toMatchObject({ code: "run_not_found" });
    await expect(runs.journal(run)).rejects.toMatchObject({ code: "run_not_found" });
    await expect(runs.wait(run)).rejects.toMatchObject({ code: "run_not_found" });
    await expect(runs.cancel({ ...run, by: alice })).rejects.toMatchObject({ code: "run_not_found" });
    expect((await runs.list({ environment: "live", limit: 10 })).items).toEqual([]);
    expect((await harness.read(runId)).status).toBe("running");
  });

  test("an action receives the environment of its run", async () => {
    const harness = await createHarness();
    await harness.publish(echo, { defaultIn: ["sandbox", "live"] });
    await harness.run({ n: 1 });
    await harness.run({ n: 1 }, { environment: "live" });
    expect(harness.bank.calls.map(({ context }) => context.environment)).toEqual(["sandbox", "live"]);
  });
});

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = { n: value };
  return value;
}
