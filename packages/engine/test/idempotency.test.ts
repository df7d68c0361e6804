import { describe, expect, test } from "vitest";
import { alice, createBench } from "./bench.ts";
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
  test("50 starts at once make one run, and every caller gets that run", async () => {
    const bench = await createBench();
    const engines = [bench.engine, await bench.addEngine(), await bench.addEngine()];
    await bench.publish(echo);
    const started = await Promise.all(
      Array.from({ length: 50 }, (_, index) => (engines[index % 3] ?? bench.engine).runs.start(request)),
    );
    await bench.clock.settle();
    expect(new Set(started.map(({ runId }) => runId)).size).toBe(1);
    expect(started.filter(({ existing }) => !existing)).toHaveLength(1);
    expect((await bench.engine.runs.list({ environment: "sandbox", limit: 100 })).items).toHaveLength(1);
    expect(bench.bank.calls).toHaveLength(1);
  });

  test("the same data in another order of members is the same start", async () => {
    const bench = await createBench();
    await bench.publish(echo);
    const { runId } = await bench.engine.runs.start(request);
    const again = await bench.engine.runs.start({ ...request, data: { m: { y: [1, 2], x: 1 }, n: 1 } });
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
  ])("with %s it is a conflict", async (_name, other) => {
    const bench = await createBench();
    await bench.publish(echo);
    await bench.engine.runs.start(request);
    const again = bench.engine.runs.start({ ...request, ...other });
    await expect(again).rejects.toMatchObject({ code: "idempotency_conflict", status: 409 });
    await bench.clock.settle();
    expect(bench.bank.calls).toHaveLength(1);
  });

  test("is of one environment and one procedure", async () => {
    const bench = await createBench();
    await bench.publish(echo, { defaultIn: ["sandbox", "live"] });
    await bench.publish({ ...echo, procedureId: "q" });
    const starts = [request, { ...request, environment: "live" as const }, { ...request, procedureId: "q" }];
    const runIds = [];
    for (const start of starts) runIds.push((await bench.engine.runs.start(start)).runId);
    expect(new Set(runIds).size).toBe(3);
  });

  test("is kept for 30 days", async () => {
    const bench = await createBench({ started: false });
    await bench.publish(echo);
    const { runId } = await bench.engine.runs.start(request);
    await bench.clock.advance(30 * 86_400_000 - 1);
    expect((await bench.engine.runs.start(request)).runId).toBe(runId);
    await bench.clock.advance(1);
    expect((await bench.engine.runs.start(request)).runId).not.toBe(runId);
  });

  test("a refused start does not use it up", async () => {
    const bench = await createBench();
    await bench.publish(procedure([], { input: { type: "object", required: ["n"] } }));
    await expect(bench.engine.runs.start({ ...request, data: {} })).rejects.toMatchObject({ code: "invalid_input" });
    expect((await bench.engine.runs.start(request)).existing).toBe(false);
  });

  test("a repeated execute waits for the same run", async () => {
    const bench = await createBench();
    await bench.publish(echo);
    const hold = held();
    bench.bank.plan("once", hold.behaviour);
    const first = bench.engine.runs.execute(request);
    const second = bench.engine.runs.execute(request);
    await bench.clock.settle();
    hold.answer({});
    await bench.clock.advance(1_000);
    const outcomes = await Promise.all([first, second]);
    expect(outcomes[0].status).toBe("completed");
    expect(outcomes[1]).toEqual(outcomes[0]);
    expect(await bench.engine.runs.execute(request)).toEqual(outcomes[0]);
  });

  test("answers with the version that the run has, whatever the default is by now", async () => {
    const bench = await createBench();
    await bench.publish(echo);
    await bench.engine.runs.start(request);
    await bench.publish(echo, { version: "v2", defaultIn: ["sandbox"] });
    expect(await bench.engine.runs.start(request)).toMatchObject({ existing: true, procedureVersion: "v1" });
  });
});
