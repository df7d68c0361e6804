import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findDominators } from "./dominators.ts";
import { reachedFrom } from "./reachability.ts";

/** The definition: nothing reaches the node once the gate is removed. */
function passes(to: readonly (readonly number[])[], gate: number, node: number): boolean {
  if (reachedFrom([0], to)[node] !== 1) return false;
  if (gate === node) return true;
  if (gate === 0) return true;
  const without = to.map((successors, at) => (at === gate ? [] : successors.filter((next) => next !== gate)));
  return reachedFrom([0], without)[node] !== 1;
}

const graphs = fc
  .integer({ min: 1, max: 12 })
  .chain((size) => fc.array(fc.array(fc.nat(size - 1), { maxLength: 4 }), { minLength: size, maxLength: size }));

describe("dominators", () => {
  it("are exactly the nodes without which no path exists", () => {
    fc.assert(
      fc.property(graphs, (to) => {
        const dominates = findDominators(0, to);
        for (let gate = 0; gate < to.length; gate += 1) {
          for (let node = 0; node < to.length; node += 1) {
            const reachable = reachedFrom([0], to);
            const expected = reachable[gate] === 1 && passes(to, gate, node);
            expect(dominates(gate, node), `${gate} before ${node} in ${JSON.stringify(to)}`).toBe(expected);
          }
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("of a path of 100,000 nodes are found without recursion", () => {
    const to = Array.from({ length: 100_000 }, (_, at) => (at === 99_999 ? [] : [at + 1]));
    const dominates = findDominators(0, to);
    expect(dominates(50_000, 99_999)).toBe(true);
    expect(dominates(99_999, 50_000)).toBe(false);
  });
});
