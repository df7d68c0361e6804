import { expect, test } from "vitest";
import { optionsOf } from "./options.ts";
import { simulate } from "./simulate.ts";

test("the same seed and code produce the same trace, and another seed produces another one", async () => {
  const [once, again, other] = [
    await simulate(optionsOf(5)),
    await simulate(optionsOf(5)),
    await simulate(optionsOf(6)),
  ];
  expect(again.traceHash).toBe(once.traceHash);
  expect(other.traceHash).not.toBe(once.traceHash);
});

test("a hundred seeds meet every kind of fault, do real work, and violate no invariant", async () => {
  const seen = new Set<string>();
  const kinds = [
    "answer lost",
    "done late",
    "done in part",
    "refused",
    "crashes",
    "stands still",
    "is stopped",
    "jump",
  ];
  let calls = 0;
  for (let seed = 0; seed < 100; seed++) {
    const result = await simulate(optionsOf(seed));
    expect({ seed, violations: result.violations }).toEqual({ seed, violations: [] });
    calls += result.calls;
    for (const note of result.lastNotes) for (const kind of kinds) if (note.includes(kind)) seen.add(kind);
  }
  expect([...seen].sort()).toEqual([...kinds].sort());
  expect(calls).toBeGreaterThan(200);
});
