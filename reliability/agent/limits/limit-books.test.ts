import type { Entry, Intent } from "@procedo/procedure";
import { expect, test } from "vitest";
import { judgeBooks, type LimitBooks, type LimitedRun } from "./limit-books.ts";

const budget = "sum/bounded/pay/daily/day/2026-01-02";

function intent(amount: number): Intent {
  const named = { connection: "bank", connectionId: "con_1", action: "pay", revision: "1", effect: "once" } as const;
  return {
    ...{ type: "intent", atMs: 1, nodeId: "pay", visit: 1, call: 1, attempt: 1, key: "key_1" },
    frozen: { ...named, args: { amount } },
    reserved: [{ budget, amount }],
    sendByMs: 2,
    timeoutMs: 3,
  };
}

function run(more: Partial<LimitedRun> = {}): LimitedRun {
  return { runId: "run_1", status: "completed", error: null, entries: [intent(40)], ...more };
}

function books(more: Partial<LimitBooks> = {}): LimitBooks {
  return { runs: [run()], taken: new Map([[budget, 40]]), paid: new Set(["key_1"]), ...more };
}

const rejected: Entry = {
  type: "review_closed",
  atMs: 4,
  reviewId: "rev_1",
  answer: { status: "rejected", reason: "The outcome stays unknown.", decisions: [] },
};
const failed = { status: "failed", error: "The bank refused with 422." };

test("books are in order if every reserved amount was paid", () => {
  expect(judgeBooks(books())).toEqual([]);
});

test("a call that stays uncertain keeps its reservation", () => {
  const runs = [run({ status: "failed", error: "The outcome stays unknown.", entries: [intent(40), rejected] })];
  expect(judgeBooks(books({ runs, paid: new Set() }))).toEqual([]);
});

test.each<[string, Partial<LimitBooks>, RegExp]>([
  ["a reservation that was not released", { runs: [run(failed)], paid: new Set() }, /40 .* are reserved; 0 were paid/],
  ["a payment without a reservation", { taken: new Map([[budget, 0]]) }, /0 .* are reserved; 40 were paid/],
  ["more than the limit", { taken: new Map([[budget, 10_040]]) }, /10040 .* of 10000/],
  ["a payment that was never made", { paid: new Set(), taken: new Map() }, /never made/],
  ["a run that never ends", { runs: [run({ status: "running" })] }, /still running/],
  [
    "a call without room",
    { runs: [run({ status: "failed", error: "It has no room for 40." })], paid: new Set(), taken: new Map() },
    /had no room, and made a call/,
  ],
])("%s is found", (_name, wrong, fault) => {
  expect(judgeBooks(books(wrong)).join(" ")).toMatch(fault);
});
