import type { RunRecordView, StepRecord } from "@procedo/engine";
import type { RequestRecord } from "@procedo-examples/ledger";

/** A run as lines of text: each step with its exact input and output, its attempts, and who decided what. */
export function describeRun(run: RunRecordView): readonly string[] {
  const tookMs = (run.completedAtMs ?? run.createdAtMs) - run.createdAtMs;
  return [
    `${run.runId} · ${run.procedureId} ${run.procedureVersion} · started by ${run.startedBy}`,
    ...run.steps.flatMap((step) => describeStep(step, run.createdAtMs)),
    `= ${run.status} after ${tookMs} ms: ${run.error ?? JSON.stringify(run.output)}`,
  ];
}

function describeStep(step: StepRecord, startMs: number): readonly string[] {
  const at = `+${step.startedAtMs - startMs} ms`.padStart(9);
  const output = step.kind === "start" ? undefined : step.output;
  return [
    `${at}  ${step.nodeId} (${step.kind}, ${step.status})`,
    ...detail("in ", step.input),
    ...step.attempts.flatMap(({ attempt, idempotencyKey, outcome, message }) => [
      `             attempt ${attempt}, key ${idempotencyKey}: ${outcome ?? "open"}`,
      ...(message === undefined ? [] : [`               ${message}`]),
    ]),
    ...step.reviews.flatMap(describeReview),
    ...detail("out", output),
  ];
}

function describeReview({ title, kind, data, answer }: StepRecord["reviews"][number]): readonly string[] {
  const shown = kind === "outcome_unknown" ? detail("   shown", data) : [];
  if (answer === undefined) return [`             asked: ${title}`, ...shown];
  const by = "decisions" in answer ? answer.decisions.map(({ person }) => person).join(", ") : "nobody";
  const reason = answer.status === "rejected" ? `: ${answer.reason}` : "";
  return [
    `             asked: ${title}`,
    ...shown,
    `             ${answer.status} by ${by}${reason}`,
    ...(answer.status === "approved" ? detail("   with", answer.outputs) : []),
  ];
}

function detail(label: string, value: unknown): readonly string[] {
  return value === undefined ? [] : [`             ${label} ${JSON.stringify(value)}`];
}

/** The requests that reached the ledger, in order. */
export function describeRequests(requests: readonly RequestRecord[]): readonly string[] {
  return requests.map(({ method, path, key, status, outcome, executed, body }) => {
    const answer = outcome === "answered" ? String(status) : outcome;
    const effect = executed ? ", money moved" : "";
    return `  ${method} ${path} → ${answer}${effect}${key === null ? "" : `\n      key ${key}, body ${body ?? "none"}`}`;
  });
}
