import type { Entry } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { alice, createHarness } from "./harness.ts";
import { call, procedure, review } from "./documents.ts";

const document = procedure([call("a", "once"), review("r"), call("b", "once")]);

describe("an observer", () => {
  test("receives every entry of a run once, in the journal's order, with the run's facts", async () => {
    const reported: Entry[] = [];
    const runIds = new Set<string>();
    const harness = await createHarness({
      observe: ({ runId, procedureId, environment }, entries) => {
        expect([procedureId, environment]).toEqual(["p", "sandbox"]);
        runIds.add(runId);
        reported.push(...entries);
      },
    });
    const runId = await harness.runOf(document);
    await harness.decide(runId);
    await harness.clock.settle();
    expect((await harness.read(runId)).status).toBe("completed");
    expect(reported).toEqual(await harness.entries(runId));
    expect([...runIds]).toEqual([runId]);
  });

  test("also receives a run that is left to another worker", async () => {
    const reported: string[] = [];
    const harness = await createHarness({
      started: false,
      observe: (_run, entries) => reported.push(...entries.map(typeOf)),
    });
    await harness.publish(document);
    await harness.engine.runs.start({ procedureId: "p", environment: "sandbox", data: {}, by: alice });
    expect(reported).toEqual(["started"]);
  });

  test("that throws does not affect the run, and is logged", async () => {
    const harness = await createHarness({
      observe: () => {
        throw new Error("no metrics today");
      },
    });
    const runId = await harness.runOf(procedure([call("a", "once")]));
    expect((await harness.read(runId)).status).toBe("completed");
    expect(harness.engine.logged).toContain("warn: The observer failed.");
  });
});

const typeOf = ({ type }: Entry): string => type;
