import { cases } from "@procedo-testing/tiers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileProcedure, fold, loadProcedure } from "@procedo/procedure";
import { faults, scrambled, spoilt } from "./random-faults.ts";
import { permissive, randomProcedure } from "./random-procedure.ts";
import { limits, randomRun, replay } from "./random-run.ts";

const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 });
const sizes = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 2, max: 30 }) },
  { weight: 1, arbitrary: fc.integer({ min: 31, max: 200 }) },
);

describe("a random document", () => {
  it("without faults compiles without a problem, and loads again from its JSON text", () => {
    fc.assert(
      fc.property(seeds, sizes, (seed, size) => {
        const document = randomProcedure(seed, size);
        expect(compileProcedure(document, permissive).problems).toEqual([]);
        const loaded = loadProcedure(JSON.parse(JSON.stringify(document)));
        expect([...loaded.nodes.keys()]).toEqual(document.nodes.map(({ id }) => id));
      }),
      { numRuns: cases({ commit: 200, nightly: 2_000, release: 10_000 }) },
    );
  });

  it.each(Object.entries(faults))("with %s is refused for that reason", (_name, fault) => {
    fc.assert(
      fc.property(seeds, sizes, (seed, size) => {
        const compiled = compileProcedure(spoilt(randomProcedure(seed, size), fault, seed), permissive);
        expect(compiled.ok).toBe(false);
        expect(compiled.problems.map(({ code }) => code)).toContain(fault.code);
      }),
      { numRuns: cases({ commit: 15, nightly: 150, release: 1_000 }) },
    );
  });

  it("with several faults gets all of them reported", () => {
    fc.assert(
      fc.property(
        seeds,
        fc.subarray(
          [
            "an orphan",
            "an edge from nowhere",
            "an edge out of an end",
            "a misspelt input",
            "an input schema that does not compile",
          ] as const,
          { minLength: 2 },
        ),
        (seed, names) => {
          let document: unknown = randomProcedure(seed, 20);
          // A misspelt input is found if the input's schema can be read.
          const chosen = names.filter(
            (name) => name !== "an input schema that does not compile" || !names.includes("a misspelt input"),
          );
          const expected = chosen.flatMap((name) => faults[name] ?? []);
          for (const fault of expected) document = spoilt(document as never, fault, seed);
          const codes = compileProcedure(document, permissive).problems.map(({ code }) => code);
          expect(codes).toEqual(expect.arrayContaining(expected.map(({ code }) => code)));
        },
      ),
      { numRuns: cases({ commit: 50, nightly: 500, release: 5_000 }) },
    );
  });

  it("with arbitrary content gets problems, never an exception", () => {
    fc.assert(
      fc.property(seeds, sizes, fc.integer({ min: 1, max: 12 }), (seed, size, count) => {
        const document = scrambled(randomProcedure(seed, size), count, seed);
        const compiled = compileProcedure(document, permissive);
        if (!compiled.ok) expect(compiled.problems.some(({ severity }) => severity === "error")).toBe(true);
        for (const { path, message } of compiled.problems) {
          expect(path).toMatch(/^(\/|$)/);
          expect(message).toMatch(/\S/);
        }
      }),
      { numRuns: cases({ commit: 1_000, nightly: 40_000, release: 200_000 }) },
    );
  });

  it.each([1, 2, 3])("of 5,000 nodes compiles (%d)", (seed) => {
    const document = randomProcedure(seed, 5_000);
    expect(compileProcedure(document, permissive).problems).toEqual([]);
  });

  it.each(["an id given twice", "an edge to nowhere", "an orphan", "a loop without a way out"])(
    "of 5,000 nodes with %s is refused for that reason",
    (name) => {
      const fault = faults[name];
      if (fault === undefined) throw new Error(`There is no fault "${name}".`);
      const compiled = compileProcedure(spoilt(randomProcedure(7, 4_990), fault, 7), permissive);
      expect(compiled.problems.map(({ code }) => code)).toContain(fault.code);
    },
  );
});

describe("a compiled document", () => {
  it("always reaches an end, a wait for a person, or a limit", () => {
    const rests = new Set<string>();
    fc.assert(
      fc.property(seeds, fc.integer({ min: 2, max: 40 }), (seed, size) => {
        const { rest, state, journal } = randomRun(loadProcedure(randomProcedure(seed, size)), seed);
        expect(rest, `after ${journal.length} entries`).not.toBe("runs away");
        if (rest === "ended") expect(state.cursor.at).toBe("ended");
        rests.add(rest);
      }),
      { numRuns: cases({ commit: 1_500, nightly: 60_000, release: 300_000 }) },
    );
    expect([...rests].sort()).toEqual(["ended", "waits"]);
  });

  it("keeps its agents within the limits of their nodes and of the run, and repeats no answered turn", () => {
    let calls = 0;
    fc.assert(
      fc.property(seeds, fc.integer({ min: 2, max: 20 }), (seed, size) => {
        const procedure = loadProcedure(randomProcedure(seed, size));
        const { state, journal } = randomRun(procedure, seed);
        // A request lost with a worker counts, even if the run had already reached its limit.
        expect(state.counts.modelCalls).toBeLessThanOrEqual(limits.modelCalls + state.counts.recoveries);
        const answered = new Set<string>();
        for (const entry of journal) {
          if (entry.type === "intent") {
            const node = procedure.nodes.get(entry.nodeId);
            if (node?.kind !== "tool_call" || node.agent === undefined) continue;
            expect(entry.call).toBeLessThanOrEqual(node.agent.maxCalls);
            calls += 1;
          }
          if (entry.type === "replied" && entry.result.status === "ok") {
            const turn = `${entry.nodeId} ${entry.visit} ${entry.turn}`;
            expect(answered).not.toContain(turn);
            answered.add(turn);
          }
        }
      }),
      { numRuns: cases({ commit: 300, nightly: 10_000, release: 50_000 }) },
    );
    expect(calls).toBeGreaterThan(100);
  });

  it("that compiles after being scrambled also ends or waits", () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 2, max: 20 }), (seed, size) => {
        const compiled = compileProcedure(scrambled(randomProcedure(seed, size), 1, seed), permissive);
        if (compiled.ok) expect(randomRun(compiled.procedure, seed).rest).not.toBe("runs away");
      }),
      { numRuns: cases({ commit: 1_000, nightly: 40_000, release: 200_000 }) },
    );
  });

  it("folds its journal, after a round trip through JSON, to the state that wrote it", () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 2, max: 40 }), (seed, size) => {
        const procedure = loadProcedure(randomProcedure(seed, size));
        const { journal, state } = randomRun(procedure, seed);
        expect(replay(procedure, journal)).toEqual(state);
        const cut = 1 + (seed % journal.length);
        const resumed = journal
          .slice(cut)
          .reduce((earlier, entry) => fold(procedure, earlier, entry), replay(procedure, journal.slice(0, cut)));
        expect(resumed).toEqual(state);
      }),
      { numRuns: cases({ commit: 200, nightly: 5_000, release: 20_000 }) },
    );
  });
});
