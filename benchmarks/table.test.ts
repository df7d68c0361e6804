import { expect, test } from "vitest";
import { renderText } from "./render.ts";
import { type Measured, type MeasuredService, ratioToBest, ratioToCeiling, resultTables } from "./table.ts";
import { judgeBound, judgeRatio } from "./targets.ts";
import type { Sample } from "./workloads.ts";

function sample(perSecond: number): Sample {
  const figures = { p50Ms: 1, p99Ms: 2, peakRssMb: 130, diskBytesEach: 5000, commitsEach: 4, cpuUsEach: 60 };
  return { perSecond, ...figures, runs: 100 };
}

const measured: Measured = {
  workload: "W1",
  concurrency: 100,
  database: "sqlite",
  slowDisk: false,
  of: "ideal",
  floor: 0.35,
  goal: 0.7,
  held: "procedo-sqlite",
  samples: new Map([
    ["ideal-sqlite", [sample(100), sample(10), sample(100)]],
    ["procedo-sqlite", [sample(50), sample(5), sample(20)]],
  ]),
};

test("a round in which the machine was slow does not count against a system", () => {
  expect(ratioToCeiling(measured, "procedo-sqlite")).toBe(0.5);
});

test("the result with jitter is measured against the rate that the latency of the tools allows", () => {
  const samples = new Map([["ideal-sqlite", [{ ...sample(60), allowedPerSecond: 80 }]]]);
  expect(ratioToCeiling({ ...measured, of: "latency", samples }, "ideal-sqlite")).toBe(0.75);
});

test("each figure is shown beside its floor and goal", () => {
  const lines = renderText(resultTables([measured])).split("\n");
  expect(lines[2]).toMatch(/^W1 c100 +procedo-sqlite .* 0\.50 +0\.35 +0\.70 +floor$/);
  expect(lines[1]).toMatch(/^W1 c100 +ideal-sqlite .* 1\.00$/);
  expect(lines).toContainEqual(expect.stringMatching(/^disk per run +W1 c100 +5000 bytes +4000 +2500 +BELOW$/));
  expect(lines).toContainEqual(expect.stringMatching(/^peak RSS +W1 c100 +130 MB +150 +120 +floor$/));
});

const besidePeers: Measured = {
  ...measured,
  samples: new Map([
    ...measured.samples,
    ["langgraph-sqlite", [sample(2), sample(1), sample(2)]],
    ["langgraph-sqlite-normal", [sample(5), sample(1), sample(2)]],
    ["mastra-libsql", [sample(1), sample(1), sample(4)]],
    ["openworkflow-sqlite", [sample(1), sample(1), sample(1)]],
  ]),
};

test("the multiple is computed from the best peer of each round", () => {
  expect(ratioToBest(besidePeers, ["langgraph-sqlite", "mastra-libsql"])).toBe(5);
});

test("peers are shown with their ratio to the ceiling, without a floor", () => {
  const lines = renderText(resultTables([besidePeers])).split("\n");
  expect(lines).toContainEqual(expect.stringMatching(/^W1 c100 +mastra-libsql .* 0\.04$/));
  expect(lines).toContainEqual(expect.stringMatching(/^W1 c100 +the best embedded peer at FULL +5\.0 +20 +short$/));
});

test("without peers there is no multiple", () => {
  expect(renderText(resultTables([measured]))).not.toContain("times the throughput");
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

test("a service figure with a bound is shown beside its floor and goal, a compared one is not", () => {
  const lines = renderText(resultTables([], [service])).split("\n");
  expect(lines[2]).toMatch(/^W4 async c64 +node-echo +150 +2\.00$/);
  expect(lines[3]).toMatch(/^W4 async c64 +procedo-http +30 +0\.40 +0\.35 +0\.50 +floor$/);
});

test("a figure that was not measured stays empty", () => {
  const [heading = "", ceiling = ""] = renderText(resultTables([], [service])).split("\n");
  expect(ceiling).toMatch(/^W4 async c64 +durable-trigger +100 +1\.00 +1\.00$/);
  expect(ceiling.indexOf("1.00")).toBe(heading.indexOf("p50 ms") + "p50 ms".length - "1.00".length);
});

test("a system without a completed run in the window has a throughput but no latency", () => {
  const slow = { ...sample(1), p50Ms: NaN, p99Ms: NaN };
  const samples = new Map([...measured.samples, ["langgraph-sqlite", [slow, slow, slow]]]);
  const text = renderText(resultTables([{ ...measured, samples }]));
  expect(text).toMatch(/langgraph-sqlite +1 +130 +5000/);
  expect(text).not.toContain("NaN");
});

test("a verdict says whether the floor or the goal is reached", () => {
  const ratios = { floor: 0.35, goal: 0.7 };
  expect([0.34, 0.35, 0.7].map((ratio) => judgeRatio(ratio, ratios))).toEqual(["BELOW", "floor", "goal"]);
  const bound = { floor: 150, goal: 120 };
  expect([151, 150, 120].map((value) => judgeBound(value, bound))).toEqual(["BELOW", "floor", "goal"]);
  expect([0.6, 0.5].map((value) => judgeBound(value, { goal: 0.5 }))).toEqual(["short", "goal"]);
});
