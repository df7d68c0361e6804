import { expect, it } from "vitest";
import { judgeGate } from "./judge-gate.ts";
import type { Overlap } from "./triggers.ts";

const gate = (overlap: Overlap, maxOpenRuns?: number) => ({ overlap, maxOpenRuns, isHeld: false });
const idle = { leased: 0, open: 0 };

it.each(["skip", "queue_one", "queue", "allow"] as const)("a held gate of %s lets none pass", (overlap) => {
  expect(judgeGate({ ...gate(overlap), isHeld: true }, idle)).toEqual({ kind: "some", most: 0 });
});

it("allow lets all pass, or as many as keep leased and open firings within its bound", () => {
  expect(judgeGate(gate("allow"), { leased: 5, open: 9 })).toEqual({ kind: "some", most: Infinity });
  expect(judgeGate(gate("allow", 4), { leased: 1, open: 2 })).toEqual({ kind: "some", most: 1 });
  expect(judgeGate(gate("allow", 4), { leased: 3, open: 2 })).toEqual({ kind: "some", most: 0 });
});

it.each(["skip", "queue_one", "queue"] as const)("%s decides nothing while a firing is leased", (overlap) => {
  expect(judgeGate(gate(overlap), { leased: 1, open: 1 })).toEqual({ kind: "none" });
});

it("with one open, skip skips all, queue lets them wait, and queue_one keeps the newest", () => {
  const busy = { leased: 0, open: 1 };
  expect(judgeGate(gate("skip"), busy)).toEqual({ kind: "skip" });
  expect(judgeGate(gate("queue"), busy)).toEqual({ kind: "some", most: 0 });
  expect(judgeGate(gate("queue_one"), busy)).toEqual({ kind: "newest", passes: false });
});

it("with none leased or open, the oldest passes, and with queue_one the newest", () => {
  expect(judgeGate(gate("skip"), idle)).toEqual({ kind: "oldest" });
  expect(judgeGate(gate("queue"), idle)).toEqual({ kind: "oldest" });
  expect(judgeGate(gate("queue_one"), idle)).toEqual({ kind: "newest", passes: true });
});
