import type { Intent, Outcome } from "@procedo/procedure";
import type { LedgerRequest } from "../history.ts";
import type { Checker, Evidence } from "./checker.ts";
import type { FollowedRun } from "./followed-run.ts";

export const effects: Checker = {
  invariant: "effects",
  promise:
    "the ledger receives one body per key and one key per call; an effect other than `read` happens once unless a person requests a repetition",
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
  for (const [key, times] of timesAllowed(followed)) {
    const done = requests.filter((request) => request.key === key).flatMap(({ doneAtMs }) => doneAtMs).length;
    if (done > times) faults.push(`Run ${run.runId}: key ${key} was paid ${done} times, ${times} allowed.`);
  }
  let last: Intent | undefined;
  for (const { entry, row } of entries) {
    if (entry.type === "intent") last = entry;
    if (entry.type !== "outcome" || last === undefined) continue;
    const { key } = last;
    faults.push(
      ...dishonest(
        run.runId,
        entry,
        row.atMs,
        requests.filter((request) => request.key === key),
      ),
    );
  }
  return faults;
}

/** The number of times that the ledger may do the work of each call of this run. */
function timesAllowed({ run, entries }: FollowedRun): ReadonlyMap<string, number> {
  const allowed = new Map<string, number>();
  let asked: { readonly reviewId: string; readonly key: string } | undefined;
  let last: Intent | undefined;
  for (const { entry } of entries) {
    if (entry.type === "intent") {
      last = entry;
      if (entry.frozen.effect === "read") continue;
      const node = run.procedure.nodes.get(entry.nodeId);
      const isOnce = entry.frozen.effect === "once";
      const free =
        isOnce && node?.kind === "tool_call" && (node.onUnknownOutcome ?? entry.frozen.onUnknownOutcome) === "retry";
      allowed.set(entry.key, free ? Infinity : (allowed.get(entry.key) ?? 1));
    }
    if (entry.type === "review_opened" && entry.review.kind === "outcome_unknown" && last !== undefined) {
      asked = { reviewId: entry.review.reviewId, key: last.key };
    }
    if (entry.type === "review_closed" && entry.reviewId === asked?.reviewId) {
      const again = entry.answer.status === "approved" && entry.answer.outputs === undefined;
      if (again) allowed.set(asked.key, (allowed.get(asked.key) ?? 1) + 1);
    }
  }
  return allowed;
}

/**
 * The journal must not claim more than is known. A call is not recorded as failed if one of its attempts did its work;
 * a retryable failure concerns its attempt alone. `ok` contains the answer.
 */
function dishonest(
  runId: string,
  outcome: Outcome,
  atMs: number,
  requests: readonly LedgerRequest[],
): readonly string[] {
  const { result, nodeId, attempt, retryAtMs, late } = outcome;
  const meant = requests.filter((request) => retryAtMs === undefined || request.attempt === attempt);
  const done = meant.some(({ doneAtMs, effect }) => effect !== "read" && doneAtMs.some((at) => at <= atMs));
  if (result.status === "error" && done) {
    return [`Run ${runId}: ${nodeId} did its work and is recorded as failed, at the latest in attempt ${attempt}.`];
  }
  if (result.status !== "ok" || late === true) return [];
  const id = (result.output as { readonly id?: unknown } | null)?.id;
  const told = requests.some(
    ({ answer }) => answer?.ok === true && (JSON.parse(answer.text) as { readonly id: unknown }).id === id,
  );
  return told
    ? []
    : [`Run ${runId}: attempt ${attempt} of ${nodeId} is recorded with a result that the ledger never returned.`];
}
