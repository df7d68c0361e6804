import type { Intent, Outcome } from "@procedo/procedure";
import type { LedgerRequest } from "../history.ts";
import type { Checker, Evidence } from "./checker.ts";
import type { FollowedRun } from "./followed-run.ts";

export const effects: Checker = {
  invariant: "I6",
  promise:
    "the ledger sees one body per key and one key per call; what is `once` happens once unless a person says again",
  always: false,
  check: (evidence) => [...bodies(evidence), ...evidence.runs.flatMap((run) => [...keys(run), ...work(evidence, run)])],
};

function bodies({ history }: Evidence): readonly string[] {
  const first = new Map<string, LedgerRequest>();
  return history.requests.flatMap((request) => {
    const known = first.get(request.key) ?? request;
    first.set(request.key, known);
    const same = known.body === request.body && known.action === request.action && known.runId === request.runId;
    return same ? [] : [`Key ${request.key} was sent with two bodies: ${known.body} and ${request.body}.`];
  });
}

function keys({ run, entries }: FollowedRun): readonly string[] {
  const keyOfCall = new Map<string, string>();
  const callOfKey = new Map<string, string>();
  return entries.flatMap(({ entry }) => {
    if (entry.type !== "intent") return [];
    const call = `${entry.nodeId}/${entry.visit}/${entry.call}`;
    const known = keyOfCall.get(call) ?? entry.key;
    const other = callOfKey.get(entry.key) ?? call;
    keyOfCall.set(call, known);
    callOfKey.set(entry.key, other);
    return [
      ...(known === entry.key ? [] : [`Run ${run.runId}: call ${call} has two keys.`]),
      ...(other === call ? [] : [`Run ${run.runId}: calls ${call} and ${other} have one key.`]),
    ];
  });
}

function work({ history }: Evidence, followed: FollowedRun): readonly string[] {
  const { run, entries } = followed;
  const faults: string[] = [];
  const requests = history.requests.filter(({ runId }) => runId === run.runId);
  const allowed = timesAllowed(followed);
  for (const [key, times] of allowed) {
    const done = requests.filter((request) => request.key === key).flatMap(({ doneAtMs }) => doneAtMs).length;
    if (done > times) faults.push(`Run ${run.runId}: key ${key} was paid ${done} times, ${times} allowed.`);
  }
  for (const { entry } of entries) {
    if (entry.type !== "outcome" || entry.late === true) continue;
    const request = requestOf(
      requests,
      entries.flatMap((placed) => (placed.entry.type === "intent" ? [placed.entry] : [])),
      entry,
    );
    faults.push(...dishonest(run.runId, entry, request));
  }
  return faults;
}

/** How often the ledger may do the work of each `once` call of this run. */
function timesAllowed({ run, entries }: FollowedRun): ReadonlyMap<string, number> {
  const allowed = new Map<string, number>();
  let asked: { readonly reviewId: string; readonly key: string } | undefined;
  let last: Intent | undefined;
  for (const { entry } of entries) {
    if (entry.type === "intent") {
      last = entry;
      if (entry.frozen.effect !== "once") continue;
      const node = run.procedure.nodes.get(entry.nodeId);
      const free = node?.kind === "tool_call" && node.onUnknownOutcome === "retry";
      allowed.set(entry.key, free ? Infinity : (allowed.get(entry.key) ?? 1));
    }
    if (entry.type === "asked" && entry.review.kind === "outcome_unknown" && last !== undefined) {
      asked = { reviewId: entry.review.reviewId, key: last.key };
    }
    if (entry.type === "answered" && entry.reviewId === asked?.reviewId) {
      const again = entry.answer.status === "approved" && entry.answer.outputs === undefined;
      if (again) allowed.set(asked.key, (allowed.get(asked.key) ?? 1) + 1);
    }
  }
  return allowed;
}

function requestOf(requests: readonly LedgerRequest[], intents: readonly Intent[], outcome: Outcome) {
  const intent = intents.find(
    ({ nodeId, visit, call, attempt }) =>
      nodeId === outcome.nodeId && visit === outcome.visit && call === outcome.call && attempt === outcome.attempt,
  );
  return requests.filter(({ key, attempt }) => key === intent?.key && attempt === intent.attempt);
}

/** The journal must not claim more than is known: work that was done is not called an error, and `ok` says what came. */
function dishonest(runId: string, outcome: Outcome, requests: readonly LedgerRequest[]): readonly string[] {
  const { result, nodeId, attempt } = outcome;
  const done = requests.some(({ doneAtMs, effect }) => doneAtMs.length > 0 && effect !== "read");
  if (result.status === "error" && done) {
    return [`Run ${runId}: attempt ${attempt} of ${nodeId} did its work and is recorded as failed.`];
  }
  if (result.status !== "ok") return [];
  const id = (result.output as { readonly id?: unknown } | null)?.id;
  const told = requests.some(
    ({ answer }) => answer?.ok === true && (JSON.parse(answer.text) as { id: unknown }).id === id,
  );
  return told ? [] : [`Run ${runId}: attempt ${attempt} of ${nodeId} is recorded with a result that nobody gave.`];
}
