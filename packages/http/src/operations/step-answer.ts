import type { RunCall, RunExchange, RunStep, RunTimelineStep } from "@procedo/contract";
import type {
  AttemptRecord,
  CallRecord,
  RecordedExchange,
  RecordedMessage,
  SizedStep,
  StepRecord,
} from "@procedo/engine";
import { timestamp } from "./timestamp.ts";
import { turnAnswer } from "./turn-answer.ts";

/** A step as polls show it. */
export function stepAnswer(step: StepRecord): RunStep {
  const { nodeId, kind, visit, status, input, output, reason, confidence, attempts, turns } = step;
  const { startedAtMs, endedAtMs } = step;
  const review = step.reviews.at(-1);
  const branch = kind === "condition" ? branchOf(output) : undefined;
  const made = timesMade(attempts);
  return {
    nodeId,
    kind,
    visit,
    status,
    ...(review?.kind === "human_review" && { title: review.title }),
    ...(input !== undefined && { input }),
    ...(output !== undefined && { output }),
    ...(branch !== undefined && { branch }),
    ...(reason !== undefined && { reason }),
    ...(confidence !== undefined && { confidence }),
    ...(turns.length > 0 && { turns: turns.map(turnAnswer) }),
    ...(made > 0 && { attempts: made }),
    ...waitOf(step),
    ...callsOf(step),
    ...exchangesOf(step),
    ...(review !== undefined && { reviewId: review.reviewId }),
    startedAt: timestamp(startedAtMs),
    ...(endedAtMs !== undefined && {
      completedAt: timestamp(endedAtMs),
      // A wall clock may have been set back between the two.
      durationMs: Math.max(0, endedAtMs - startedAtMs),
    }),
  };
}

/** What a call waits for that is to be made again. */
function waitOf({ status, attempts }: StepRecord): Pick<RunStep, "retryAt" | "retryReason"> {
  const { retryAtMs, message = "" } = attempts.at(-1) ?? {};
  if (status !== "running" || retryAtMs === undefined) return {};
  return { retryAt: timestamp(retryAtMs), retryReason: message };
}

/** A step as a timeline shows it: without what is large in it. */
export function timelineAnswer(sized: SizedStep): RunTimelineStep {
  const { bytes, ...step } = sized;
  const { input: _input, output: _output, turns, exchanges: _exchanges, calls, ...facts } = stepAnswer(step);
  return {
    ...facts,
    ...(calls !== undefined && { calls: calls.map(({ arguments: _given, output: _answer, ...call }) => call) }),
    bytes,
    hasTurns: turns !== undefined,
  };
}

/** Of a step that made one call, the step says it all. */
function callsOf({ calls, attempts }: StepRecord): Pick<RunStep, "calls"> {
  if (calls.length < 2) return {};
  return { calls: calls.map((call) => callAnswer(call, timesMade(attempts.filter((one) => one.call === call.call)))) };
}

/** Attempts before which the worker stopped asked nobody. */
function timesMade(attempts: readonly AttemptRecord[]): number {
  return attempts.filter(({ outcome }) => outcome !== "not_started").length;
}

function callAnswer({ call, arguments: args, output, error, startedAtMs, endedAtMs }: CallRecord, attempts: number) {
  const answer: RunCall = {
    call,
    attempts,
    arguments: args,
    ...(output !== undefined && { output }),
    ...(error !== undefined && { error }),
    startedAt: timestamp(startedAtMs),
    ...(endedAtMs !== undefined && { completedAt: timestamp(endedAtMs) }),
  };
  return answer;
}

/** Of the attempts that tell what went over the wire. */
function exchangesOf({ attempts, calls }: StepRecord): Pick<RunStep, "exchanges"> {
  const exchanges = attempts.flatMap(({ call, attempt, exchange }) =>
    exchange === undefined ? [] : [{ ...(calls.length > 1 && { call }), ...exchangeAnswer(attempt, exchange) }],
  );
  return exchanges.length === 0 ? {} : { exchanges };
}

function exchangeAnswer(attempt: number, { request, response, note }: RecordedExchange): RunExchange {
  const { method, url } = request;
  return {
    attempt,
    request: { method, url, ...messageAnswer(request) },
    ...(response !== undefined && { response: { status: response.status, ...messageAnswer(response) } }),
    ...(note !== undefined && { note }),
  };
}

function messageAnswer({ headers, body }: RecordedMessage) {
  return { headers: { ...headers }, ...(body !== undefined && { body }) };
}

/** A condition's output says which branch it chose. */
function branchOf(output: StepRecord["output"]): string | undefined {
  if (typeof output !== "object" || output === null || !("branch" in output)) return undefined;
  return typeof output.branch === "string" ? output.branch : undefined;
}
