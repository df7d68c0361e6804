import { expect, test } from "vitest";
import { inFreshProcess } from "./fresh-process.ts";

test(
  "the memory of a run is short-lived: almost nothing reaches the old generation",
  { timeout: 120_000 },
  async () => {
    const asked = { system: "procedo-sqlite", runs: 600 };
    const flags = ["--expose-gc", "--initial-heap-size=2000", "--max-semi-space-size=4"];
    const bytes = Number(await inFreshProcess("promoted-child.ts", asked, { flags }));
    // A run allocates 100 kB; retaining each run would add 10 kB (docs/performance/runs.md#memory).
    expect(bytes).toBeLessThan(4_000);
  },
);
