import type { RunTrigger } from "@procedo/contract";
import type {
  AttemptRecord,
  AuthorizationWait,
  ReviewRecord,
  RunRecordView,
  StepRecord,
  TurnRecord,
} from "@procedo/engine";
import { moment } from "./table.ts";

const indent = " ".repeat(12);

/**
 * A run's record as lines: each step with its exact input and output, a summary of its agent's turns, its attempts, and
 * each decision with its author. Pure.
 */
export function describeRun(run: RunRecordView): readonly string[] {
  return [
    `Run ${run.runId} of ${run.procedureId}, version ${run.procedureVersion}, in ${run.environment}`,
    ...(run.reference === undefined ? [] : [`Reference: ${run.reference}`]),
    `Started by ${run.startedBy} at ${moment(run.createdAtMs)}`,
    ...(run.trigger === undefined ? [] : [describeTrigger(run.trigger)]),
    ...(run.archived ? [`${indent}Archived: its steps are in the file that holds its export.`] : []),
    ...run.steps.flatMap((step) => describeStep(step, run.createdAtMs)),
    describeEnd(run),
  ];
}

function describeTrigger({ kind, triggerId, firingId, eventId, scheduledAt }: RunTrigger): string {
  const by = triggerId === undefined ? "by hand" : `${triggerId} (${kind})`;
  const facts = { firing: firingId, event: eventId, "scheduled for": scheduledAt };
  const known = Object.entries(facts).flatMap(([name, value]) => (value === undefined ? [] : [`, ${name} ${value}`]));
  return `Trigger: ${by}${known.join("")}`;
}

function describeEnd(run: RunRecordView): string {
  if (run.completedAtMs === undefined) return `= ${run.status}`;
  const tookMs = run.completedAtMs - run.createdAtMs;
  return `= ${run.status} after ${tookMs} ms: ${run.error ?? JSON.stringify(run.output)}`;
}

function describeStep(step: StepRecord, startMs: number): readonly string[] {
  const visit = step.visit === 1 ? "" : `, visit ${step.visit}`;
  const took = step.endedAtMs === undefined ? "" : `, ${step.endedAtMs - step.startedAtMs} ms`;
  return [
    `${`+${step.startedAtMs - startMs} ms`.padStart(10)}  ${step.nodeId} (${step.kind}${visit}): ${step.status}${took}`,
    ...value("in ", step.input),
    ...step.turns.map(describeTurn),
    ...step.attempts.flatMap((attempt) => describeAttempt(attempt, step.calls.length > 1)),
    ...(step.authorization === undefined ? [] : [describeWait(step.authorization)]),
    ...step.reviews.flatMap(describeReview),
    ...value("confidence", step.confidence),
    // The output of a start node is its input.
    ...(step.kind === "start" ? [] : value("out", step.output)),
  ];
}

/** Summarizes a turn on one line. The API returns the whole conversation. */
function describeTurn({ turn, startedAtMs, asks, reply, stop }: TurnRecord): string {
  const ask = asks.at(-1);
  const times = asks.length > 1 ? `, asked ${asks.length} times` : "";
  const model = ask === undefined ? "" : `: ${ask.modelId}, ${Math.round(ask.latencyMs)} ms${times}`;
  const about = reply?.usage.estimated === undefined ? "" : "about ";
  const tokens = reply === undefined ? "" : `, ${about}${reply.usage.inputTokens} + ${reply.usage.outputTokens} tokens`;
  const finish = reply === undefined ? "" : `, finished by ${reply.finishReason}`;
  const why = ask?.error === undefined ? "" : ` (${ask.error})`;
  return `${indent}turn ${turn} at ${moment(startedAtMs)}${model}${tokens}${finish} → ${stop ?? "open"}${why}`;
}

function describeAttempt(attempt: AttemptRecord, isOneOfSeveral: boolean): readonly string[] {
  const { connection, action, startedAtMs, endedAtMs, outcome = "open", message } = attempt;
  const took = endedAtMs === undefined ? "" : `, ${endedAtMs - startedAtMs} ms`;
  const call = isOneOfSeveral ? `call ${attempt.call}, ` : "";
  return [
    `${indent}${call}attempt ${attempt.attempt} at ${moment(startedAtMs)}: ${connection}.${action} → ${outcome}${took}`,
    `${indent}  idempotency key ${attempt.idempotencyKey}`,
    ...(message === undefined ? [] : [`${indent}  ${message}`]),
  ];
}

function describeWait({ connection, reason, sinceMs, untilMs }: AuthorizationWait): string {
  return `${indent}waits for connection ${connection} since ${moment(sinceMs)}, until ${moment(untilMs)}: ${reason}`;
}

function describeReview(review: ReviewRecord): readonly string[] {
  const { reviewId, kind, title, data, call, openedAtMs, closedAtMs, answer } = review;
  const sends = call === undefined ? [] : value(`  sends ${call.connection}.${call.action}`, call.args);
  return [
    `${indent}asked at ${moment(openedAtMs)} (${kind}, ${reviewId}): ${title}`,
    ...value("  shown", data),
    ...sends,
    ...(answer === undefined ? [`${indent}  open`] : [`${indent}  ${answer.status} at ${moment(closedAtMs)}`]),
    ...(answer !== undefined && "decisions" in answer ? answer.decisions.flatMap(describeDecision) : []),
  ];
}

type Decision = Extract<ReviewRecord["answer"], { readonly status: "approved" }>["decisions"][number];

function describeDecision(decision: Decision): readonly string[] {
  const { person, via, approved, atMs, address, digest, reason, outputs } = decision;
  const from = address === undefined ? "" : ` from ${address}`;
  const why = reason === undefined ? "" : `: ${reason}`;
  return [
    `${indent}  ${approved ? "approved" : "rejected"} by ${person} (${via})${from} at ${moment(atMs)}${why}`,
    `${indent}    saw ${digest}`,
    ...value("    with", outputs),
  ];
}

function value(label: string, given: unknown): readonly string[] {
  return given === undefined ? [] : [`${indent}${label} ${JSON.stringify(given)}`];
}
