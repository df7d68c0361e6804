import {
  attemptsCounted,
  isNotStarted,
  type CompiledToolCall,
  type Cursor,
  type Intent,
  type Outcome,
} from "@procedo/procedure";
import { jsonDifferences } from "../json/json-differences.ts";
import { diverged, fromRecord, type RecordedAnswer } from "./recorded-answer.ts";
import type { RecordedRun } from "./recorded-run.ts";

/** The outcome of a call's attempt, from the record. */
export function answerCall(
  record: RecordedRun,
  { intent, node }: { readonly intent: Intent; readonly node: CompiledToolCall },
  { strict }: { readonly strict: boolean },
): RecordedAnswer<Outcome> {
  const { nodeId, visit, call, attempt, frozen } = intent;
  const name = `"${frozen.connection}.${frozen.action}"`;
  const recorded = record.callFor(intent);
  if (recorded === undefined) return diverged(`${name} is called, but the record has no such call.`);
  const was = recorded.intent.frozen;
  if (was.connection !== frozen.connection || was.action !== frozen.action) {
    return diverged(`${name} is called instead of "${was.connection}.${was.action}".`);
  }
  const isReused = jsonDifferences(was.args, frozen.args).length > 0;
  if (isReused && strict) return diverged(`${name} is called with other arguments.`);
  const outcome = record.takeOutcome(recorded, attempt);
  if (outcome === undefined) {
    return record.hasEnded
      ? diverged(`${name} is called in attempt ${attempt}, which the record does not have.`)
      : { status: "open" };
  }
  // The record decides whether the failure was worth another attempt; this version decides how many attempts are
  // allowed.
  const { retryAtMs, ...final } = outcome;
  const isUncounted = isNotStarted(outcome.result) || outcome.deferred === true;
  const mayRetry = isUncounted || attemptsCounted(intent) < node.retry.maxAttempts;
  const isRetried = retryAtMs !== undefined && mayRetry;
  return fromRecord({ ...final, nodeId, visit, call, ...(isRetried && { retryAtMs }) }, isReused && attempt === 1);
}

/** The late outcome of a call, if it became known before a review of the call opened or the call was repeated. */
export function lateOutcome(record: RecordedRun, cursor: Cursor): Outcome | undefined {
  if (cursor.at !== "unknown" && cursor.at !== "backoff") return undefined;
  const intent = cursor.at === "unknown" ? cursor.intent : cursor.failed;
  const { nodeId, visit, call } = intent;
  if (cursor.at === "unknown" && record.hasReview(intent, "outcome_unknown")) return undefined;
  const recorded = record.callFor(intent);
  const outcome = recorded && record.takeLateOutcome(recorded, intent.attempt);
  return outcome && { ...outcome, nodeId, visit, call };
}
