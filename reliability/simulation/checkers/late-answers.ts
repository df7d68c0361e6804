import type { Checker, Evidence } from "./checker.ts";
import type { FollowedRun } from "./followed-run.ts";

/** The time within which an undisturbed worker posts a late answer. */
const postingMs = 2_000;

export const lateAnswers: Checker = {
  invariant: "results",
  promise: "an answer that arrives after the engine gave up is not lost",
  always: false,
  check: (evidence) => evidence.runs.flatMap((run) => lostAnswers(evidence, run)),
};

function lostAnswers({ history, options }: Evidence, { run, entries }: FollowedRun): readonly string[] {
  const { errorBefore, errorAfter, doneLate, partialBatch } = options.storage;
  if (errorBefore + errorAfter + doneLate + partialBatch > 0) return [];
  const endedAtMs = run.ended ? (run.rows.at(-1)?.atMs ?? 0) : Infinity;
  return history.requests.flatMap((request) => {
    const { answer, key, attempt } = request;
    if (request.runId !== run.runId || answer?.ok !== true || answer.atMs + postingMs > endedAtMs) return [];
    const intent = entries.find(
      ({ entry }) => entry.type === "intent" && entry.key === key && entry.attempt === attempt,
    );
    if (intent?.entry.type !== "intent") return [];
    const { nodeId, visit, call } = intent.entry;
    const outcome = entries.find(
      ({ entry }) =>
        entry.type === "outcome" &&
        entry.nodeId === nodeId &&
        entry.visit === visit &&
        entry.call === call &&
        entry.attempt === attempt,
    );
    if (outcome?.entry.type !== "outcome" || outcome.entry.result.status === "ok") return [];
    // The machine that gave up on the call also received the answer, with enough time to post it.
    const recovered = entries.some(
      ({ entry, row }) => entry.type === "recovered" && row.seq <= outcome.row.seq && row.seq > intent.row.seq,
    );
    if (recovered || answer.atMs <= outcome.row.atMs) return [];
    const effectKey = `outcome:${key}:${attempt}`;
    const posted = history.lateAnswers.some((late) => late.runId === run.runId && late.effectKey === effectKey);
    const decided = entries.some(({ entry }) => entry.type === "review_closed" && entry.answer.status !== "settled");
    return posted || decided ? [] : [`Run ${run.runId}: the late answer of ${nodeId}, attempt ${attempt}, is lost.`];
  });
}
