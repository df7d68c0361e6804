import type { Entry } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { alice, createBench } from "./bench.ts";
import { call, procedure, review } from "./documents.ts";

const document = procedure([call("a", "once"), review("r"), call("b", "once")]);

describe("an observer", () => {
  test("is told of every entry of a run once, in the journal's order, with the run's facts", async () => {
    const told: Entry[] = [];
    const runIds = new Set<string>();
    const bench = await createBench({
      observe: ({ runId, procedureId, environment }, entries) => {
        expect([procedureId, environment]).toEqual(["p", "sandbox"]);
        runIds.add(runId);
        told.push(...entries);
      },
    });
    const runId = await bench.runOf(document);
    await bench.decide(runId);
    await bench.clock.settle();
    expect((await bench.read(runId)).status).toBe("completed");
    expect(told).toEqual(await bench.entries(runId));
    expect([...runIds]).toEqual([runId]);
  });

  test("is told of a run that is left to another worker, too", async () => {
    const told: string[] = [];
    const bench = await createBench({ started: false, observe: (_run, entries) => told.push(...entries.map(typeOf)) });
    await bench.publish(document);
    await bench.engine.runs.start({ procedureId: "p", environment: "sandbox", data: {}, by: alice });
    expect(told).toEqual(["started"]);
  });

  test("that throws changes nothing for the run, and is logged", async () => {
    const bench = await createBench({
      observe: () => {
        throw new Error("no metrics today");
      },
    });
    const runId = await bench.runOf(procedure([call("a", "once")]));
    expect((await bench.read(runId)).status).toBe("completed");
    expect(bench.engine.logged).toContain("warn: The observer failed.");
  });
});

const typeOf = ({ type }: Entry): string => type;
