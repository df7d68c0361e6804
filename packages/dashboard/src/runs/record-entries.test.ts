import { describe, expect, test } from "vitest";
import { entriesFit } from "./record-entries.ts";

const rows = [
  {
    seq: 1,
    body: `[1000,{"type":"started","/input":{"payee":"Acme","amount":5}},{"type":"intent","afterMs":7,"nodeId":"pay","frozen":{"action":"pay"},"refs":{"/frozen/args/payee":"1/0/input/payee"}}]`,
    entries: [
      { type: "started", atMs: 1000, input: { payee: "Acme", amount: 5 }, facts: { runId: "run_1" } },
      { type: "intent", atMs: 1007, nodeId: "pay", visit: 1, frozen: { action: "pay", args: { payee: "Acme" } } },
    ],
  },
  {
    seq: 2,
    body: `[2000,{"type":"outcome","/result/output":{"a/b":[1,null]}}]`,
    entries: [{ type: "outcome", atMs: 2000, nodeId: "pay", result: { status: "ok", output: { "a/b": [1, null] } } }],
  },
] as const;

/** Whether a row fits after the text of its entries was changed. */
function fits(index: 0 | 1, from = "", to = ""): boolean {
  const row = rows[index];
  const changed = JSON.stringify(row.entries).replace(from, to);
  if (from !== "" && changed === JSON.stringify(row.entries)) throw new Error(`The entries do not hold ${from}.`);
  return entriesFit({ ...row, entries: JSON.parse(changed) as unknown[] }, rows);
}

test("entries that hold what the body states, and what follows from it, fit", () => {
  expect([fits(0), fits(1)]).toEqual([true, true]);
});

describe("entries do not fit with another", () => {
  test.each<[string, 0 | 1, string, string]>([
    ["fact", 0, `"nodeId":"pay"`, `"nodeId":"send"`],
    ["inner fact", 0, `"action":"pay"`, `"action":"send"`],
    ["value", 0, `"amount":5`, `"amount":6`],
    ["value of an earlier entry", 0, `"args":{"payee":"Acme"}`, `"args":{"payee":"Evil"}`],
    ["time", 0, "1007", "1008"],
    ["type", 1, `"outcome"`, `"ended"`],
    ["item", 1, "[1,null]", "[1,2]"],
    ["length of a list", 1, "[1,null]", "[1,null,3]"],
  ])("%s", (_what, index, from, to) => {
    expect(fits(index, from, to)).toBe(false);
  });

  test("number of entries", () => {
    expect(entriesFit({ ...rows[1], entries: [] }, rows)).toBe(false);
    expect(entriesFit({ ...rows[1], entries: [...rows[1].entries, { type: "ended", atMs: 1 }] }, rows)).toBe(false);
  });
});
