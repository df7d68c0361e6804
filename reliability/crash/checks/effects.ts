import { isNotStarted, type Intent } from "@procedo/procedure";
import type { LedgerEffect } from "@procedo-examples/ledger";
import type { TracedRun } from "../evidence.ts";
import type { Check } from "./check.ts";

/**
 * Compares runs with the ledger: one body per key; money moves at most once per key; no request without an intent, so that a
 * `once` call is repeated only after a refusal or a person's decision; and the run's record agrees with the ledger.
 */
export const effects: Check = ({ runs, effects: made, effectsAfter }) => {
  const before = new Map(made.map((effect) => [effect.key, effect]));
  const after = new Map(effectsAfter.map((effect) => [effect.key, effect]));
  const keys = new Set<string | null>();
  const faults = runs.flatMap((run) =>
    [...callsOf(run)].flatMap(([key, call]) => {
      keys.add(key);
      const faults = [...judgeRequests(call, before.get(key)), ...judgeBelief(call, after.get(key), run)];
      return faults.map((fault) => `Run ${run.stored.runId}, ${call.nodeId}: ${fault}.`);
    }),
  );
  const strays = made.filter(({ key }) => !keys.has(key));
  return [...faults, ...strays.map(({ key }) => `The ledger was called with key ${key}, which no journal knows.`)];
};

interface Call {
  readonly nodeId: string;
  readonly intents: Intent[];
  /**
   * Attempts that certainly had no effect by the journal. This ledger refuses no payment, so such a request never left.
   * For a `once` call, an automatic repetition states the same, even if an earlier attempt is uncertain.
   */
  notSent: number;
  /** The number of repetitions that a person requested. */
  approvedAgain: number;
  /** The run's record of the effect; `undefined` while it is open, or after a person gave it up. */
  believed: Belief;
  /** The record before the latest attempt. It remains valid if the attempt was not started. */
  believedBefore: Belief;
}

type Belief = "done" | "not_done" | undefined;

const nothing = { notSent: 0, approvedAgain: 0, believed: "not_done", believedBefore: "not_done" } as const;

/** The payments of a run, by their idempotency key. */
function callsOf({ entries }: TracedRun): ReadonlyMap<string, Call> {
  const calls = new Map<string, Call>();
  let last: Call | undefined;
  let asked: string | undefined;
  for (const { entry } of entries) {
    if (entry.type === "intent" && entry.frozen.effect !== "read") {
      const call = calls.get(entry.key) ?? { nodeId: entry.nodeId, intents: [], ...nothing };
      calls.set(entry.key, call);
      call.intents.push(entry);
      call.believedBefore = call.believed;
      call.believed = undefined;
      last = call;
    }
    if (entry.type === "outcome" && entry.nodeId === last?.nodeId) {
      if (entry.result.status === "ok") last.believed = "done";
      if (entry.result.status === "error")
        last.believed = isNotStarted(entry.result) ? last.believedBefore : "not_done";
      const triedAgain = entry.retryAtMs !== undefined && last.intents[0]?.frozen.effect === "once";
      if (entry.result.status === "error" || triedAgain) last.notSent += 1;
    }
    if (entry.type === "review_opened" && entry.review.kind === "outcome_unknown") asked = entry.review.reviewId;
    if (entry.type === "review_closed" && entry.reviewId === asked && last !== undefined) {
      if (entry.answer.status !== "approved") last.believed = undefined;
      else if (entry.answer.outputs !== undefined) last.believed = "done";
      else last.approvedAgain += 1;
    }
  }
  return calls;
}

function judgeRequests({ intents, notSent, approvedAgain }: Call, effect: LedgerEffect | undefined): readonly string[] {
  const faults: string[] = [];
  const { requests = 0, executions = 0, bodies = [] } = effect ?? {};
  const once = intents[0]?.frozen.effect === "once";
  const sent = intents.length - notSent;
  if (requests > sent) faults.push(`${requests} requests, ${intents.length} intents, ${notSent} of them not sent`);
  if (once && sent > 1 + approvedAgain) faults.push(`sent ${sent} times, allowed ${1 + approvedAgain}`);
  if (executions > 1) faults.push(`money moved ${executions} times`);
  if (bodies.length > 1) faults.push(`${bodies.length} different bodies`);
  if (bodies.some((body) => body !== JSON.stringify(intents[0]?.frozen.args))) faults.push("sent something else");
  return faults;
}

function judgeBelief({ believed }: Call, effect: LedgerEffect | undefined, run: TracedRun): readonly string[] {
  const executed = (effect?.executions ?? 0) > 0;
  if (!run.stored.ended || believed === undefined || executed === (believed === "done")) return [];
  return [
    executed ? "recorded as failed, although the ledger did it" : "believed to be done, and the ledger did nothing",
  ];
}
