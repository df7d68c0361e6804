import { expect, test } from "vitest";
import { judgeCalls, type CallEvidence } from "./judge-calls.ts";

const started = { n: 1, runId: "run_1", error: undefined, status: "completed" } as const;
const paid = { ...started, name: "pay", said: { n: 1, client: "c1" } } as const;
const looked = { ...started, name: "look", said: { n: 1, client: "c1" } } as const;
const made = { name: "pay", n: 1, id: "inv_1", client: "c1" } as const;
const lookMade = { ...made, name: "look" } as const;
const once = new Map([["inv_1", new Set(["l1"])]]);

test.each<[string, CallEvidence]>([
  ["a call", { ended: [paid], made: [made], accepted: once }],
  [
    "a call that a person decided",
    { ended: [{ ...paid, said: { decided: true } }], made: [made], accepted: new Map() },
  ],
  ["a call that was never made", { ended: [{ ...paid, said: { decided: true } }], made: [], accepted: new Map() }],
  [
    "a call that its client reports as not made",
    {
      ended: [{ ...paid, status: "failed", error: "The function was not called: too late.", said: undefined }],
      made: [],
      accepted: once,
    },
  ],
  ["a call that may be repeated", { ended: [looked], made: [lookMade, lookMade], accepted: once }],
])("%s is as promised", (_what, evidence) => {
  expect(judgeCalls(evidence)).toEqual([]);
});

test.each<[string, CallEvidence]>([
  ["a call that was made twice", { ended: [paid], made: [made, made], accepted: once }],
  ["a run that failed", { ended: [{ ...paid, status: "failed" }], made: [made], accepted: once }],
  [
    "a call that was made, and is reported as not made",
    {
      ended: [{ ...paid, status: "failed", error: "The function was not called: too late.", said: undefined }],
      made: [made],
      accepted: once,
    },
  ],
  ["another call's result", { ended: [{ ...paid, said: { n: 2 } }], made: [made], accepted: once }],
  ["a result of no call", { ended: [paid], made: [], accepted: once }],
  ["another function", { ended: [paid], made: [lookMade], accepted: once }],
  ["an unnecessary review", { ended: [{ ...looked, said: { decided: true } }], made: [lookMade], accepted: new Map() }],
  ["two results", { ended: [paid], made: [made], accepted: new Map([["inv_1", new Set(["l1", "l2"])]]) }],
])("%s is found", (_what, evidence) => {
  expect(judgeCalls(evidence)).toHaveLength(1);
});
