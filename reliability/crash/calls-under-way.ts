import { isNotStarted, type Entry, type Intent } from "@procedo/procedure";
import type { TracedRun } from "./evidence.ts";

/** An attempt of a payment that was under way at a moment, made by the worker that owned its run then. */
export interface CallUnderWay {
  readonly runId: string;
  readonly nodeId: string;
  readonly attempt: number;
  /** The latest time at which its answer could arrive, by the worker's clock. */
  readonly overAtMs: number;
  /** The review of this attempt; `undefined` if none was opened. */
  readonly question: { readonly reason: string; readonly atMs: number } | undefined;
}

/**
 * The payments that were under way at a moment, by the clock of the processes, read from the journals afterwards.
 * Requests sent before `sinceMs` were of another process. Pure.
 */
export function callsUnderWay(
  runs: readonly TracedRun[],
  { atMs, sinceMs = 0 }: { readonly atMs: number; readonly sinceMs?: number },
): readonly CallUnderWay[] {
  return runs.flatMap(({ stored: { runId }, entries }) => {
    const all = entries.map(({ entry }) => entry);
    const intent = all
      .filter((entry) => entry.atMs <= atMs)
      .reduce<Intent | undefined>((open, entry) => {
        if (entry.type === "intent") return entry.frozen.effect === "read" ? undefined : entry;
        // An attempt that was open at a takeover is not this worker's.
        return entry.type === "recovered" || isOutcomeOf(entry, open) ? undefined : open;
      }, undefined);
    const outcome = all.find((entry) => isOutcomeOf(entry, intent));
    if (intent === undefined || intent.atMs < sinceMs) return [];
    if (outcome?.type === "outcome" && isNotStarted(outcome.result)) return [];
    const { nodeId, attempt, sendByMs, timeoutMs } = intent;
    return [{ runId, nodeId, attempt, overAtMs: sendByMs + timeoutMs, question: questionAbout(all, intent) }];
  });
}

/** Maximum number of questions that a failed proof reports. */
export const mostTold = 5;

/**
 * Unnecessary questions: reviews of calls whose worker lived to receive the answer. A timeout before the answer, or a
 * repetition whose request never left, is an excuse. Pure.
 */
export function askedInVain(calls: readonly CallUnderWay[]): readonly string[] {
  return calls.flatMap(({ runId, nodeId, attempt, question }) => {
    if (question === undefined || isExcused(question.reason)) return [];
    return [
      `Run ${runId}, ${nodeId}, attempt ${attempt}: its worker received the answer, and a person was asked: ${question.reason}`,
    ];
  });
}

/** A repetition that was never sent, as after its time or its worker's lease, leaves the previous attempt uncertain. */
const isExcused = (reason: string): boolean =>
  / did not answer within | A later attempt: The request to "[^"]*" was not sent: /.test(reason);

function isOutcomeOf(entry: Entry, intent: Intent | undefined): boolean {
  if (entry.type !== "outcome" || intent === undefined) return false;
  const { nodeId, visit, call, attempt } = entry;
  return nodeId === intent.nodeId && visit === intent.visit && call === intent.call && attempt === intent.attempt;
}

function questionAbout(entries: readonly Entry[], { key, attempt }: Intent): CallUnderWay["question"] {
  for (const entry of entries) {
    if (entry.type !== "review_opened" || entry.review.kind !== "outcome_unknown") continue;
    const { idempotencyKey, attempt: asked, reason } = entry.review.data;
    if (idempotencyKey === key && asked === attempt) {
      return { reason: typeof reason === "string" ? reason : "without a reason", atMs: entry.atMs };
    }
  }
  return undefined;
}
