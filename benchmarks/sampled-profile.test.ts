import { expect, test } from "vitest";
import { type AllocationNode, type CpuProfile, summarizeAllocations, summarizeTime } from "./sampled-profile.ts";

function callFrame(functionName: string, url: string) {
  return { functionName, url, lineNumber: 9 };
}

const execute = callFrame("execute", "file:///work/packages/engine/src/runs/execute.ts");
const commit = callFrame("commit", "file:///work/packages/storage-sqlite/src/commit.ts");
const parse = callFrame("parse", "file:///work/node_modules/.pnpm/zod@4/node_modules/zod/parse.js");

const profile: CpuProfile = {
  nodes: [
    { id: 1, callFrame: callFrame("(root)", ""), children: [2, 5, 6, 7] },
    { id: 2, callFrame: execute, children: [3, 4] },
    { id: 3, callFrame: commit, children: [8] },
    { id: 4, callFrame: parse },
    { id: 5, callFrame: callFrame("(idle)", "") },
    { id: 6, callFrame: callFrame("(garbage collector)", "") },
    { id: 7, callFrame: callFrame("processTimers", "node:internal/timers") },
    { id: 8, callFrame: callFrame("run", "") },
  ],
  samples: [2, 3, 8, 8, 4, 5, 6, 7, 5],
  timeDeltas: [0, 1000, 1000, 1000, 1000, 1000, 5000, 1000, 1000],
};

test("self time is summed by package and folder, and native time counts for its caller", () => {
  const { groups, total, idle } = summarizeTime(profile);
  expect(idle).toBe(5000);
  expect(total).toBe(7000);
  expect(groups[0]).toEqual({ name: "storage-sqlite → native run", amount: 2000, share: 2 / 7 });
  const others = groups.slice(1).map((group) => group.name);
  expect(others.toSorted()).toEqual(["(garbage collector)", "engine/runs", "node", "storage-sqlite", "zod"]);
});

test("functions are named with the file and line where they begin", () => {
  const names = summarizeTime(profile).functions.map((each) => each.name);
  expect(names).toContain("execute  packages/engine/src/runs/execute.ts:10");
});

test("allocated bytes are summed the same way, also in built packages", () => {
  const join: AllocationNode = { callFrame: callFrame("join", ""), selfSize: 30, children: [] };
  const built = callFrame("encode", "file:///work/packages/engine/dist/index.js");
  const head: AllocationNode = {
    callFrame: callFrame("(root)", ""),
    selfSize: 0,
    children: [
      { callFrame: execute, selfSize: 10, children: [{ callFrame: commit, selfSize: 20, children: [join] }] },
      { callFrame: built, selfSize: 40, children: [] },
    ],
  };
  const { groups, total } = summarizeAllocations(head);
  expect(total).toBe(100);
  expect(groups.map(({ name, amount }) => [name, amount])).toEqual([
    ["engine", 40],
    ["storage-sqlite → native join", 30],
    ["storage-sqlite", 20],
    ["engine/runs", 10],
  ]);
});
