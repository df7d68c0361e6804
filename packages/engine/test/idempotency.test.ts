import type { ProcedoError } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { alice, bob, createHarness } from "./harness.ts";
import { call, procedure } from "./documents.ts";
import { held } from "./scripted-bank.ts";

const echo = procedure([call("a", "once", { arguments: { n: "{{ input }}" } })]);
const request = {
  procedureId: "p",
  environment: "sandbox",
  data: { n: 1, m: { x: 1, y: [1, 2] } },
  idempotencyKey: "key-1",
  by: alice,
} as const;

describe("an idempotency key", () => {
  test("makes one run of 50 concurrent starts, which every caller gets", async () => {
    const harness = await createHarness();
    const engines = [harness.engine, await harness.addEngine(), await harness.addEngine()];
    await harness.publish(echo);
    const started = await Promise.all(
      Array.from({ length: 50 }, (_, index) => (engines[index % 3] ?? harness.engine).runs.start(request)),
    );
    await harness.clock.settle();
    expect(new Set(started.map(({ runId }) => runId)).size).toBe(1);
    expect(started.filter(({ existing }) => !existing)).toHaveLength(1);
    expect((await harness.engine.runs.list({ environment: "sandbox", limit: 100 })).items).toHaveLength(1);
    expect(harness.bank.calls).toHaveLength(1);
  });

  test("matches the same data in another order of members", async () => {
    const harness = await createHarness();
    await harness.publish(echo);
    const { runId } = await harness.engine.runs.start(request);
    const again = await harness.engine.runs.start({ ...request, data: { m: { y: [1, 2], x: 1 }, n: 1 } });
    expect(again).toMatchObject({ runId, existing: true });
  });

  test.each([
    ["other data", { data: { n: 2, m: { x: 1, y: [1, 2] } } }],
    ["another order of items", { data: { n: 1, m: { x: 1, y: [2, 1] } } }],
    [
      "an object that looks like the pairs of another",
      {
        data: {
          n: 1,
          m: [
            ["x", 1],
            ["y", [1, 2]],
          ],
        },
      },
    ],
    ["another version", { version: "v1" }],
  ])("with %s is a conflict", async (_name, other) => {
    const harness = await createHarness();
    await harness.publish(echo);
    await harness.engine.runs.start(request);
    const again = harness.engine.runs.start({ ...request, ...other });
    await expect(again).rejects.toMatchObject({ code: "idempotency_conflict", status: 409 });
    await harness.clock.settle();
    expect(harness.bank.calls).toHaveLength(1);
  });

  test.each([
    ["the same data", {}],
    ["other data", { data: { n: 2 } }],
    ["data that do not fit", { data: [] }],
  ])("used by another person with %s is a conflict that reveals nothing of the run", async (_name, other) => {
    const harness = await createHarness();
    await harness.publish(echo);
    const { runId } = await harness.engine.runs.start(request);
    for (const ask of [harness.engine.runs.start, harness.engine.runs.execute]) {
      const error = await ask({ ...request, ...other, by: bob }).catch((reason: unknown) => reason as ProcedoError);
      expect(error).toMatchObject({ code: "idempotency_conflict", status: 409 });
      expect((error as ProcedoError).message).toContain("Another person");
      expect(JSON.stringify(error)).not.toContain(runId);
      expect((error as ProcedoError).message).not.toMatch(/alice|run_|v1/);
    }
    expect((await harness.engine.runs.list({ environment: "sandbox", limit: 100 })).items).toHaveLength(1);
  });

  test("matches the same person with any of their keys, in any spelling of their name", async () => {
    const harness = await createHarness();
    await harness.publish(echo);
    const { runId } = await harness.engine.runs.start({ ...request, by: { ...alice, via: "key_old" } });
    const again = await harness.engine.runs.start({ ...request, by: { person: " ALICE ", via: "key_new" } });
    expect(again).toMatchObject({ runId, existing: true });
  });

  test("used by two people at once makes a run of one of them, and the other is refused", async () => {
    const harness = await createHarness();
    const engines = [harness.engine, await harness.addEngine()];
    await harness.publish(echo);
    const answers = await Promise.allSettled(
      [alice, bob, alice, bob].map((by, index) =>
        (engines[index % 2] ?? harness.engine).runs.start({ ...request, by }),
      ),
    );
    const people = answers.map(({ status }, index) => (status === "fulfilled" ? index % 2 : undefined));
    expect(people.filter((person) => person !== undefined)).toHaveLength(2);
    expect(new Set(people.filter((person) => person !== undefined)).size).toBe(1);
    const [run, ...others] = (await harness.engine.runs.list({ environment: "sandbox", limit: 100 })).items;
    expect(others).toEqual([]);
    expect(run?.startedBy).toBe(people.includes(0) ? "alice" : "bob");
  });

  test("that has expired makes a run of the person who uses it next", async () => {
    const harness = await createHarness({ started: false });
    await harness.publish(echo);
    await harness.engine.runs.start(request);
    await harness.clock.advance(30 * 86_400_000);
    const { runId, existing } = await harness.engine.runs.start({ ...request, by: bob });
    expect(existing).toBe(false);
    expect((await harness.read(runId)).startedBy).toBe("bob");
  });

  test("is answered only with the permission to start", async () => {
    const harness = await createHarness();
    await harness.publish(echo);
    await harness.engine.runs.start(request);
    const by = { ...alice, permissions: ["review" as const] };
    await expect(harness.engine.runs.start({ ...request, by })).rejects.toMatchObject({ code: "permission_denied" });
  });

  test("costs a start no further read when it was not used before", async () => {
    const harness = await createHarness();
    await harness.publish(echo);
    await harness.engine.runs.start(request);
    expect(harness.engine.way.count("runs.findByKey")).toBe(0);
    expect(harness.engine.way.count("runs.get")).toBe(0);
  });

  test("belongs to one environment and one procedure", async () => {
    const harness = await createHarness();
    await harness.publish(echo, { defaultIn: ["sandbox", "live"] });
    await harness.publish({ ...echo, procedureId: "q" });
    const starts = [request, { ...request, environment: "live" as const }, { ...request, procedureId: "q" }];
    const runIds = [];
    for (const start of starts) runIds.push((await harness.engine.runs.start(start)).runId);
    expect(new Set(runIds).size).toBe(3);
  });

  test("is kept for 30 days", async () => {
    const harness = await createHarness({ started: false });
    await harness.publish(echo);
    const { runId } = await harness.engine.runs.start(request);
    await harness.clock.advance(30 * 86_400_000 - 1);
    expect((await harness.engine.runs.start(request)).runId).toBe(runId);
    await harness.clock.advance(1);
    expect((await harness.engine.runs.start(request)).runId).not.toBe(runId);
  });

  test("is not used up by a refused start", async () => {
    const harness = await createHarness();
    await harness.publish(procedure([], { input: { type: "object", required: ["n"] } }));
    await expect(harness.engine.runs.start({ ...request, data: {} })).rejects.toMatchObject({ code: "invalid_input" });
    expect((await harness.engine.runs.start(request)).existing).toBe(false);
  });

  test("in a repeated execute waits for the same run", async () => {
    const harness = await createHarness();
    await harness.publish(echo);
    const hold = held();
    harness.bank.plan("once", hold.behaviour);
    const first = harness.engine.runs.execute(request);
    const second = harness.engine.runs.execute(request);
    await harness.clock.settle();
    hold.answer({});
    await harness.clock.advance(1_000);
    const outcomes = await Promise.all([first, second]);
    expect(outcomes[0].status).toBe("completed");
    expect(outcomes[1]).toEqual(outcomes[0]);
    expect(await harness.engine.runs.execute(request)).toEqual(outcomes[0]);
  });

  test("returns the version of the run, regardless of the current default", async () => {
    const harness = await createHarness();
    await harness.publish(echo);
    await harness.engine.runs.start(request);
    await harness.publish(echo, { version: "v2", defaultIn: ["sandbox"] });
    expect(await harness.engine.runs.start(request)).toMatchObject({ existing: true, procedureVersion: "v1" });
  });
});
