import { initialState, type Entry, type FrozenCall, type Intent } from "@procedo/procedure";
import type { RunPlace } from "@procedo/storage";
import { expect, test } from "vitest";
import { boundedProcedure, facts } from "../budgets/bounded.fixture.ts";
import { callKey } from "../journal/effect-keys.ts";
import { createJournalWriter, emptyHead } from "../journal/journal-writer.ts";
import { createRowCodec } from "../journal/row-codec.ts";
import {
  append,
  checkpointOf,
  createActiveRun,
  nextRow,
  rollBack,
  rowCommitted,
  settle,
  type ActiveRun,
} from "./active-run.ts";

const atMs = 9;
const hot: RunPlace = { kind: "hot", workerId: "wrk_1" };
const scope = { workspace: "default", environment: "sandbox" } as const;

/** A run before its bounded call. */
function runBeforeCall(): ActiveRun {
  const procedure = boundedProcedure([{ name: "total", sum: "args.amount", atMost: 100, per: "run" }]);
  const { runId } = facts;
  const writer = createJournalWriter(new Uint8Array(32), createRowCodec(runId), emptyHead(scope, runId));
  const state = initialState(procedure, { type: "started", atMs, input: {}, facts });
  return createActiveRun(procedure, writer, { ...state, cursor: { at: "node", nodeId: "pay" } });
}

const ended: Entry = { type: "ended", atMs, nodeId: "pay", result: { status: "failed", error: "Cancelled." } };
const key = callKey(facts.runId, "pay", 1, 1);
const intent: Intent = {
  type: "intent",
  atMs,
  nodeId: "pay",
  visit: 1,
  call: 1,
  attempt: 1,
  key,
  frozen: { args: { amount: 7 } } as unknown as FrozenCall,
  reserved: [{ budget: "sum/vendor-payment/pay/total/run/run_1", amount: 7 }],
  sendByMs: atMs,
  timeoutMs: 1,
};
const failed: Entry = {
  ...{ type: "outcome", atMs, nodeId: "pay", visit: 1, call: 1, attempt: 1 },
  result: { status: "error", error: { message: "No." } },
};

test("a row settles the reservations that its entries release, and the next row does not settle them again", () => {
  const run = runBeforeCall();
  append(run, intent);
  const first = nextRow(run, hot);
  expect(first.settle).toBeUndefined();
  rowCommitted(run, first);
  append(run, failed);
  const second = nextRow(run, hot);
  expect(second.settle).toEqual([{ key: `call:${key}`, spent: "nothing" }]);
  rowCommitted(run, second);
  append(run, { type: "ended", atMs, result: { status: "failed", error: "No." } });
  expect(nextRow(run, hot).settle).toBeUndefined();
});

test("entries that are rolled back release no reservation", () => {
  const run = runBeforeCall();
  settle(run, { key: "model:run_1:pay:1:1:1", spent: [] });
  const checkpoint = checkpointOf(run);
  append(run, ended);
  expect(nextRow(run, hot).settle).toHaveLength(2);
  rollBack(run, checkpoint);
  append(run, intent);
  expect(nextRow(run, hot).settle).toEqual([{ key: "model:run_1:pay:1:1:1", spent: [] }]);
});
