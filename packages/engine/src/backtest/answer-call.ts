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

/** What became of an attempt of a call, as the record has it. */
export function answerCall(
  record: RecordedRun,
  { intent, node }: { readonly intent: Intent; readonly node: CompiledToolCall },
  { strict }: { readonly strict: boolean },
): RecordedAnswer<Outcome> {
  const { nodeId, visit, call, attempt, frozen } = intent;
  const name = `"${frozen.connection}.${frozen.action}"`;
  const recorded = record.callFor(intent);
  if (recorded === undefined) return diverged(`${name} is called, which the record does not have.`);
  const was = recorded.intent.frozen;
  if (was.connection !== frozen.connection || was.action !== frozen.action) {
    return diverged(`${name} is called instead of "${was.connection}.${was.action}".`);
  }
  const isReused = jsonDifferences(was.args, frozen.args).length > 0;
  if (isReused && strict) return diverged(`${name} is called with other arguments.`);
  const outcome = record.takeOutcome(recorded, attempt);
  if (outcome === undefined) {
    return record.hasEnded
      ? diverged(`${name} is called a ${attempt}. time, which the record does not have.`)
      : { status: "open" };
  }
  // The record knows whether the failure was worth another attempt, and this version how many there may be.
  const { retryAtMs, ...final } = outcome;
  const isUncounted = isNotStarted(outcome.result) || outcome.deferred === true;
  const mayRetry = isUncounted || attemptsCounted(intent) < node.retry.maxAttempts;
  const isRetried = retryAtMs !== undefined && mayRetry;
  return fromRecord({ ...final, nodeId, visit, call, ...(isRetried && { retryAtMs }) }, isReused && attempt === 1);
}

/** What became known of a call of unknown outcome before anybody was asked about it, or before it was made again. */
export function lateOutcome(record: RecordedRun, cursor: Cursor): Outcome | undefined {
  if (cursor.at !== "unknown" && cursor.at !== "backoff") return undefined;
  const intent = cursor.at === "unknown" ? cursor.intent : cursor.failed;
  const { nodeId, visit, call } = intent;
  if (cursor.at === "unknown" && record.hasReview(intent, "outcome_unknown")) return undefined;
  const recorded = record.callFor(intent);
  const outcome = recorded && record.takeLateOutcome(recorded, intent.attempt);
  return outcome && { ...outcome, nodeId, visit, call };
}
