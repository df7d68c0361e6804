import type { TracedRun } from "../evidence.ts";
import { attemptsExhausted } from "./attempts-exhausted.ts";
import type { Check } from "./check.ts";

/**
 * At the end of all work every run has ended as its input and its reviewers require, and no notification is unread.
 * Kills are random, so a call may fail as often as its policy allows; then its run failed for that reason.
 */
export const ends: Check = ({ runs, starts }) => {
  const faults = runs.flatMap((run) => {
    if (!run.stored.ended) return [`Run ${run.stored.runId} is still ${run.stored.status}.`];
    return judge(run).map((fault) => `Run ${run.stored.runId}: ${fault}.`);
  });
  return runs.length === starts.length ? faults : [...faults, `${starts.length} starts made ${runs.length} runs.`];
};

function judge({ stored, state, entries }: TracedRun): readonly string[] {
  const faults = stored.unread === 0 ? [] : [`${stored.unread} notifications were never read`];
  const rejected = entries.some(({ entry }) => entry.type === "review_closed" && entry.answer.status === "rejected");
  const expired = entries.some(({ entry }) => entry.type === "review_closed" && entry.answer.status === "expired");
  const cancelled = entries.some(({ entry }) => entry.type === "cancel_requested");
  const tooLate = entries.some(({ entry }) => entry.type === "superseded" && entry.effectKey === "cancel");
  if ((cancelled || tooLate) !== stored.cancelled) faults.push("it was cancelled and never received the cancellation");
  const { shape } = state?.input as { readonly shape: string };
  const exhausted = attemptsExhausted({ entries });
  const mayExpire = shape === "expire";
  if (expired ? !mayExpire : mayExpire && !exhausted) {
    faults.push(`a run of shape "${shape}" has ${expired ? "" : "not "}expired`);
  }
  const wanted = rejected || expired || cancelled || exhausted ? "failed" : "completed";
  if (stored.status !== wanted)
    faults.push(`it ${stored.status} (${stored.error ?? "no error"}); it should have ${wanted}`);
  return faults;
}
