import type { Review, RunStep } from "@procedo/client";
import type { WebhookEvent } from "@procedo/webhooks";
import type { RequestRecord } from "@procedo-examples/ledger";
import type { Scene } from "./run-scenario.ts";

const indent = " ".repeat(13);

/** Describes a run in lines of text: its steps with exact input and output, its reviews, and their decisions. */
export function describeRun({ run, reviews }: Pick<Scene, "run" | "reviews">): readonly string[] {
  const { runId, procedureId, procedureVersion, createdAt, steps = [] } = run;
  const startMs = Date.parse(createdAt);
  return [
    `${runId} · ${procedureId} ${procedureVersion}`,
    ...steps.flatMap((step) => [
      ...describeStep(step, startMs),
      ...reviews.filter(({ reviewId }) => reviewId === step.reviewId).flatMap(describeReview),
      // The output of a start node equals its input.
      ...(step.kind === "start" ? [] : detail("out", step.output)),
    ]),
    describeEnd(run, startMs),
  ];
}

function describeEnd(run: Scene["run"], startMs: number): string {
  if (run.status !== "completed" && run.status !== "failed") return `= ${run.status}`;
  const tookMs = Date.parse(run.completedAt) - startMs;
  return `= ${run.status} after ${tookMs} ms: ${run.status === "failed" ? run.error : JSON.stringify(run.output)}`;
}

function describeStep(step: RunStep, startMs: number): readonly string[] {
  const { nodeId, kind, status, startedAt, branch, attempts } = step;
  const at = `+${Date.parse(startedAt) - startMs} ms`.padStart(9);
  const left = branch === undefined ? "" : `, left by ${branch}`;
  const tried = attempts === undefined ? "" : `, ${attempts} ${attempts === 1 ? "call" : "calls"}`;
  return [`${at}  ${nodeId} (${kind}, ${status}${left}${tried})`, ...detail("in ", step.input)];
}

function describeReview({ title, kind, data, call, decisions, status }: Review): readonly string[] {
  return [
    `${indent}asked: ${title}`,
    ...(kind === "outcome_unknown" ? detail("   shown", data) : []),
    ...(call === undefined ? [] : detail("   sends", call.arguments)),
    ...decisions.flatMap(({ person, rejectionReason, outputs }) => [
      `${indent}${status} by ${person}${rejectionReason === undefined ? "" : `: ${rejectionReason}`}`,
      ...detail("   with", outputs),
    ]),
  ];
}

function detail(label: string, value: unknown): readonly string[] {
  return value === undefined ? [] : [`${indent}${label} ${JSON.stringify(value)}`];
}

/** The requests that reached the ledger, in order. */
export function describeRequests(requests: readonly RequestRecord[]): readonly string[] {
  return requests.map(({ method, path, key, status, outcome, executed, body }) => {
    const answer = outcome === "answered" ? String(status) : outcome;
    const effect = executed ? ", money moved" : "";
    return `  ${method} ${path} → ${answer}${effect}${key === null ? "" : `\n      key ${key}, body ${body ?? "none"}`}`;
  });
}

/** The received webhooks, in order. */
export function describeEvents(events: readonly WebhookEvent[]): readonly string[] {
  return events.map(({ event, data }) => `  ${event} ${JSON.stringify(data)}`);
}
