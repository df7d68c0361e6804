import { expect, test } from "vitest";
import { type CpuProfile, summarizeProfile } from "./cpu-profile.ts";

function frame(id: number, functionName: string, url: string, children: readonly number[] = []) {
  return { id, callFrame: { functionName, url, lineNumber: 9 }, children };
}

const profile: CpuProfile = {
  nodes: [
    frame(1, "(root)", "", [2, 5, 6, 7]),
    frame(2, "execute", "file:///work/packages/engine/src/runs/execute.ts", [3, 4]),
    frame(3, "commit", "file:///work/packages/storage-sqlite/src/commit.ts", [8]),
    frame(4, "parse", "file:///work/node_modules/.pnpm/zod@4/node_modules/zod/parse.js"),
    frame(5, "(idle)", ""),
    frame(6, "(garbage collector)", ""),
    frame(7, "processTimers", "node:internal/timers"),
    frame(8, "run", ""),
  ],
  samples: [2, 3, 8, 8, 4, 5, 6, 7, 5],
  timeDeltas: [0, 1000, 1000, 1000, 1000, 1000, 5000, 1000, 1000],
};

test("self time is summed by package and folder, and native time counts for who called it", () => {
  const { groups, busyMs, idleMs } = summarizeProfile(profile);
  expect(idleMs).toBe(5);
  expect(busyMs).toBe(7);
  expect(groups[0]).toEqual({ name: "storage-sqlite → native run", ms: 2, share: 2 / 7 });
  expect(groups.slice(1).map((group) => group.name)).toEqual([
    "engine/runs",
    "storage-sqlite",
    "zod",
    "(garbage collector)",
    "node",
  ]);
});

test("functions are named with the file and line where they begin", () => {
  const names = summarizeProfile(profile).functions.map((each) => each.name);
  expect(names).toContain("execute  packages/engine/src/runs/execute.ts:10");
});
