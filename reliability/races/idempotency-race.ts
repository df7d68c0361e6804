import assert from "node:assert/strict";
import fc from "fast-check";
import { manualClock } from "@procedo-testing/faults";
import { ProcedoError } from "@procedo/engine";
import { createMemoryStorage } from "@procedo/storage";
import { race } from "./race.ts";
import { scheduledStorage } from "./scheduled-storage.ts";
import { approveAndPay, builder, procedureId, simpleEngine } from "./simple-engine.ts";

const arbitrary = fc.record({
  scheduler: fc.scheduler(),
  starts: fc.array(
    fc.record({
      key: fc.constantFrom("a", "b", undefined),
      amount: fc.constantFrom(1, 2),
      engine: fc.constantFrom(0, 1),
      environment: fc.constantFrom("live" as const, "sandbox" as const),
      person: fc.constantFrom("alice", "bob"),
    }),
    { minLength: 2, maxLength: 8 },
  ),
  started: fc.boolean(),
});

export const idempotencyRace = race(
  "idempotency: one key in one environment starts one run of one person, in every order of requests",
  arbitrary,
  async ({ scheduler, starts, started }) => {
    const clock = manualClock();
    const storage = createMemoryStorage({ now: clock.now });
    const setup = simpleEngine(storage, clock, 0, new Map());
    const document = approveAndPay(1, "P1D");
    await setup.procedures.publish({ document, version: "v1", defaultIn: ["live", "sandbox"], by: builder });
    const engines = [1, 2].map((seed) =>
      simpleEngine(scheduledStorage(storage, scheduler, `e${seed}`), clock, seed, new Map()),
    );
    if (started) await scheduler.waitFor(Promise.all(engines.map((engine) => engine.start())));

    const asked = starts.map(async ({ key, amount, engine, environment, person }) => {
      const request = { procedureId, environment, data: { amount }, by: { person } };
      const idempotency = key === undefined ? {} : { idempotencyKey: key };
      try {
        const run = await engines[engine]?.runs.start({ ...request, ...idempotency });
        assert.ok(run !== undefined);
        return { name: key === undefined ? undefined : `${environment}/${key}`, amount, person, ...run };
      } catch (error) {
        assert.ok(ProcedoError.isError(error) && error.code === "idempotency_conflict", String(error));
        return { name: `${environment}/${key}`, amount, person, runId: undefined, existing: undefined };
      }
    });
    const answers = await scheduler.waitFor(Promise.all(asked));

    for (const name of new Set(answers.map((answer) => answer.name))) {
      if (name === undefined) continue;
      const group = answers.filter((answer) => answer.name === name);
      const accepted = group.filter(({ runId }) => runId !== undefined);
      assert.equal(new Set(accepted.map(({ runId }) => runId)).size, 1, `${name} started several runs.`);
      assert.equal(
        accepted.filter(({ existing }) => existing === false).length,
        1,
        `${name} was created more than once.`,
      );
      assert.equal(new Set(accepted.map(({ amount }) => amount)).size, 1, `${name} took two bodies for one.`);
      assert.equal(new Set(accepted.map(({ person }) => person)).size, 1, `${name} was answered to two people.`);
      const refused = group.filter(({ runId }) => runId === undefined);
      assert.ok(
        refused.every(({ amount, person }) => amount !== accepted[0]?.amount || person !== accepted[0]?.person),
        `${name} was refused to the request that created it.`,
      );
    }
    const unkeyed = answers.filter(({ name }) => name === undefined);
    assert.equal(new Set(unkeyed.map(({ runId }) => runId)).size, unkeyed.length);
  },
);
