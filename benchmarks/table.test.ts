import { expect, test } from "vitest";
import { type Measured, type MeasuredService, ratioToCeiling, renderTable } from "./table.ts";
import { judgeBound, judgeRatio } from "./targets.ts";
import type { Sample } from "./workloads.ts";

function sample(perSecond: number): Sample {
  const figures = { p50Ms: 1, p99Ms: 2, peakRssMb: 130, diskBytesEach: 5000, commitsEach: 4, cpuUsEach: 60 };
  return { perSecond, ...figures, runs: 100 };
}

const measured: Measured = {
  workload: "W1",
  concurrency: 100,
  slowDisk: false,
  of: "ideal",
  floor: 0.35,
  goal: 0.7,
  samples: new Map([
    ["ideal-sqlite", [sample(100), sample(10), sample(100)]],
    ["procedo-sqlite", [sample(50), sample(5), sample(20)]],
  ]),
};

test("a round in which the machine was slow does not count against a system", () => {
  expect(ratioToCeiling(measured, "procedo-sqlite")).toBe(0.5);
});

test("jitter is held to what the tools' latency allows", () => {
  const samples = new Map([["ideal-sqlite", [{ ...sample(60), allowedPerSecond: 80 }]]]);
  expect(ratioToCeiling({ ...measured, of: "latency", samples }, "ideal-sqlite")).toBe(0.75);
});

test("each figure stands beside its floor and goal", () => {
  const lines = renderTable([measured]).split("\n");
  expect(lines[2]).toMatch(/^W1 c100 +procedo-sqlite .* 0\.50 +0\.35 +0\.70 +floor$/);
  expect(lines[1]).toMatch(/^W1 c100 +ideal-sqlite .* 1\.00$/);
  expect(lines).toContainEqual(
    expect.stringMatching(/^Disk per W1 run +procedo-sqlite +5000 bytes +4000 +2500 +BELOW$/),
  );
  expect(lines).toContainEqual(
    expect.stringMatching(/^Peak RSS of W1 at 100 +procedo-sqlite +130 MB +150 +120 +floor$/),
  );
});

const service: MeasuredService = {
  workload: "W4",
  name: "W4 async c64",
  systems: ["durable-trigger", "node-echo", "procedo-http"],
  held: ["procedo-http"],
  floor: 0.35,
  goal: 0.5,
  samples: new Map([
    ["durable-trigger", [{ perSecond: 100, p50Ms: 1 }, { perSecond: 10 }, { perSecond: 100 }]],
    ["node-echo", [{ perSecond: 200 }, { perSecond: 20 }, { perSecond: 150 }]],
    ["procedo-http", [{ perSecond: 30 }, { perSecond: 4 }, { perSecond: 60 }]],
  ]),
};

test("of the service what is held stands beside its floor and goal, and what is only compared does not", () => {
  const lines = renderTable([], [service]).split("\n");
  expect(lines[2]).toMatch(/^W4 async c64 +node-echo +150 +2\.00$/);
  expect(lines[3]).toMatch(/^W4 async c64 +procedo-http +30 +0\.40 +0\.35 +0\.50 +floor$/);
});

test("a figure that a measurement does not have stays empty", () => {
  const [heading = "", ceiling = ""] = renderTable([], [service]).split("\n");
  expect(ceiling).toMatch(/^W4 async c64 +durable-trigger +100 +1\.00 +1\.00$/);
  expect(ceiling.indexOf("1.00")).toBe(heading.indexOf("p50 ms") + "p50 ms".length - "1.00".length);
});

test("a verdict says whether the floor or the goal is held", () => {
  const ratios = { floor: 0.35, goal: 0.7 };
  expect([0.34, 0.35, 0.7].map((ratio) => judgeRatio(ratio, ratios))).toEqual(["BELOW", "floor", "goal"]);
  const bound = { floor: 150, goal: 120 };
  expect([151, 150, 120].map((value) => judgeBound(value, bound))).toEqual(["BELOW", "floor", "goal"]);
});
