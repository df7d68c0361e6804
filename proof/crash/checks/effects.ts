import type { Intent } from "@procedo/procedure";
import type { LedgerEffect } from "@procedo-examples/ledger";
import type { TracedRun } from "../evidence.ts";
import type { Check } from "./check.ts";

/**
 * I6, against the ledger: one body for a key; money moved at most once for a key; no request without an intent, so that a
 * `once` call is made again only after a refusal or a person's word; and what the run believes is what the ledger did.
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
  /** Attempts after which the same call may be made again: it surely had no effect, or a person said so. */
  allowances: number;
  /** What the run holds to be true of the effect; `undefined` while it is open, or when a person gave it up. */
  believed: "done" | "not_done" | undefined;
}

/** The payments of a run, by their idempotency key. */
function callsOf({ entries }: TracedRun): ReadonlyMap<string, Call> {
  const calls = new Map<string, Call>();
  let last: Call | undefined;
  let asked: string | undefined;
  for (const { entry } of entries) {
    if (entry.type === "intent" && entry.frozen.effect !== "read") {
      const call = calls.get(entry.key) ?? { nodeId: entry.nodeId, intents: [], allowances: 0, believed: undefined };
      calls.set(entry.key, call);
      call.intents.push(entry);
      last = call;
    }
    if (entry.type === "outcome" && entry.nodeId === last?.nodeId) {
      if (entry.result.status === "ok") last.believed = "done";
      if (entry.result.status === "error") last.believed = "not_done";
      if (entry.result.status === "error" && entry.retryAtMs !== undefined) last.allowances += 1;
    }
    if (entry.type === "asked" && entry.review.kind === "outcome_unknown") asked = entry.review.reviewId;
    if (entry.type === "answered" && entry.reviewId === asked && last !== undefined) {
      if (entry.answer.status !== "approved") last.believed = undefined;
      else if (entry.answer.outputs !== undefined) last.believed = "done";
      else last.allowances += 1;
    }
  }
  return calls;
}

function judgeRequests({ intents, allowances }: Call, effect: LedgerEffect | undefined): readonly string[] {
  const faults: string[] = [];
  const { requests = 0, executions = 0, bodies = [] } = effect ?? {};
  const once = intents[0]?.frozen.effect === "once";
  if (requests > intents.length) faults.push(`${requests} requests after ${intents.length} intents`);
  if (once && intents.length > 1 + allowances) faults.push(`called ${intents.length} times, allowed ${1 + allowances}`);
  if (executions > 1) faults.push(`money moved ${executions} times`);
  if (bodies.length > 1) faults.push(`${bodies.length} different bodies`);
  if (bodies.some((body) => body !== JSON.stringify(intents[0]?.frozen.args))) faults.push("sent something else");
  return faults;
}

function judgeBelief({ believed }: Call, effect: LedgerEffect | undefined, run: TracedRun): readonly string[] {
  const executed = (effect?.executions ?? 0) > 0;
  if (!run.stored.ended || believed === undefined || executed === (believed === "done")) return [];
  return [
    executed ? "believed to have failed, and the ledger did it" : "believed to be done, and the ledger did nothing",
  ];
}
