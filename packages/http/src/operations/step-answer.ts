import type { RunAttempt, RunCall, RunExchange, RunStep, RunTimelineStep } from "@procedo/contract";
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

/** Converts a step to its form in polls. */
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
    ...authorizationOf(step),
    ...callsOf(step),
    ...(attempts.length > 0 && { callAttempts: attempts.map(attemptAnswer) }),
    ...exchangesOf(step),
    ...(review !== undefined && { reviewId: review.reviewId }),
    startedAt: timestamp(startedAtMs),
    ...(endedAtMs !== undefined && {
      completedAt: timestamp(endedAtMs),
      // The wall clock may have been set back in between.
      durationMs: Math.max(0, endedAtMs - startedAtMs),
    }),
  };
}

/** The time and reason of a pending retry. */
function waitOf({ status, attempts, authorization }: StepRecord): Pick<RunStep, "retryAt" | "retryReason"> {
  const { retryAtMs, message = "" } = attempts.at(-1) ?? {};
  if (status !== "running" || retryAtMs === undefined || authorization !== undefined) return {};
  return { retryAt: timestamp(retryAtMs), retryReason: message };
}

function authorizationOf({ status, authorization }: StepRecord): Pick<RunStep, "authorization"> {
  if (status !== "running" || authorization === undefined) return {};
  const { sinceMs, untilMs, ...wait } = authorization;
  return { authorization: { ...wait, since: timestamp(sinceMs), until: timestamp(untilMs) } };
}

/** Converts a step to its form in timelines, without its large fields. */
export function timelineAnswer(sized: SizedStep): RunTimelineStep {
  const { bytes, ...step } = sized;
  const {
    input: _input,
    output: _output,
    turns,
    exchanges: _exchanges,
    callAttempts: _made,
    calls,
    ...facts
  } = stepAnswer(step);
  return {
    ...facts,
    ...(calls !== undefined && { calls: calls.map(({ arguments: _given, output: _answer, ...call }) => call) }),
    bytes,
    hasTurns: turns !== undefined,
  };
}

/** Lists the calls of a step with several calls; for a single call, the step itself has its data. */
function callsOf({ calls, attempts }: StepRecord): Pick<RunStep, "calls"> {
  if (calls.length < 2) return {};
  return { calls: calls.map((call) => callAnswer(call, timesMade(attempts.filter((one) => one.call === call.call)))) };
}

/** Counts attempts that were started: without a start, no request was sent. */
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

function attemptAnswer({ startedAtMs, endedAtMs, outcome, message, retryAtMs, ...attempt }: AttemptRecord): RunAttempt {
  const { call, attempt: number, idempotencyKey, connection, action } = attempt;
  return {
    call,
    attempt: number,
    idempotencyKey,
    connection,
    action,
    startedAt: timestamp(startedAtMs),
    ...(endedAtMs !== undefined && { completedAt: timestamp(endedAtMs) }),
    ...(outcome !== undefined && { outcome }),
    ...(message !== undefined && { message }),
    ...(retryAtMs !== undefined && { retryAt: timestamp(retryAtMs) }),
  };
}

/** The recorded HTTP exchanges of the attempts. */
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

/** The branch in a condition's output. */
function branchOf(output: StepRecord["output"]): string | undefined {
  if (typeof output !== "object" || output === null || !("branch" in output)) return undefined;
  return typeof output.branch === "string" ? output.branch : undefined;
}
