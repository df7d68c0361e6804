import type { Entry } from "@procedo/procedure";
import { expect, test } from "vitest";
import { askedInVain, callsUnderWay } from "./calls-under-way.ts";
import type { TracedRun } from "./evidence.ts";

const frozen = { connection: "bank", connectionId: "con", action: "pay_once", revision: "1", effect: "once", args: {} };
const call = { nodeId: "pay", visit: 1, call: 1, attempt: 1 };
const intent = { type: "intent", atMs: 100, ...call, key: "k", frozen, sendByMs: 500, timeoutMs: 800 } as const;
const answered = { type: "outcome", ...call, result: { status: "ok", output: {} } } as const;
const recovered = (atMs: number) => ({ type: "recovered", atMs, workerId: "w2", epoch: 2 });
const asked = (reason: string) => ({
  ...{ type: "review_opened", atMs: 900, nodeId: "pay", visit: 1 },
  review: { kind: "outcome_unknown", data: { idempotencyKey: "k", attempt: 1, reason } },
});

/** A run with these entries; only the fields that the function reads are present. */
function run(...entries: readonly object[]): readonly TracedRun[] {
  const placed = entries.map((entry, index) => ({ seq: index + 1, entry: entry as Entry }));
  return [{ stored: { runId: "run_1" }, entries: placed } as unknown as TracedRun];
}

test("a payment is under way from its intent to its outcome", () => {
  const runs = run(intent, { ...answered, atMs: 300 });
  const countAt = (atMs: number): number => callsUnderWay(runs, { atMs }).length;
  expect([99, 100, 299, 300].map(countAt)).toEqual([0, 1, 1, 0]);
});

test("a payment of another worker is not under way: of a process before this one, or of the owner before a takeover", () => {
  expect(callsUnderWay(run(intent), { atMs: 200, sinceMs: 150 })).toEqual([]);
  expect(callsUnderWay(run(intent, recovered(150)), { atMs: 200 })).toEqual([]);
  expect(callsUnderWay(run(intent, recovered(250)), { atMs: 200 })).toHaveLength(1);
});

test("a read and a payment that was not started are not payments under way", () => {
  const notStarted = { status: "error", error: { message: "Too late.", code: "not_started" } };
  expect(callsUnderWay(run({ ...intent, frozen: { ...frozen, effect: "read" } }), { atMs: 200 })).toEqual([]);
  expect(callsUnderWay(run(intent, { ...answered, atMs: 300, result: notStarted }), { atMs: 200 })).toEqual([]);
});

test("a review of an attempt whose answer was received was unnecessary, unless its time ran out or it was never sent", () => {
  const question = (reason: string): readonly string[] =>
    askedInVain(callsUnderWay(run(intent, asked(reason)), { atMs: 200 }));
  expect(question("The worker that made the call stopped.")).toEqual([
    "Run run_1, pay, attempt 1: its worker received the answer, and a person was asked: The worker that made the call stopped.",
  ]);
  expect(question('"pay_once" did not answer within 800 ms.')).toEqual([]);
  const notSent = 'The request to "127.0.0.1:80" was not sent: The worker\'s lease has run out.';
  expect(question(`The worker that made the call stopped. A later attempt: ${notSent}`)).toEqual([]);
  expect(question("The worker's lease has run out.")).toHaveLength(1);
  expect(askedInVain(callsUnderWay(run(intent, { ...answered, atMs: 300 }), { atMs: 200 }))).toEqual([]);
});
