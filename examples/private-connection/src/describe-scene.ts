import type { Review, RunStep } from "@procedo/client";
import type { Scene } from "./run-scenario.ts";

/** Describes a run in lines of text: its steps with input and output, its reviews, and their decisions. */
export function describeScene({ run, reviews }: Pick<Scene, "run" | "reviews">): readonly string[] {
  const { runId, procedureId, procedureVersion, steps = [] } = run;
  return [
    `${runId} · ${procedureId} ${procedureVersion}`,
    ...steps.flatMap((step) => [
      ...describeStep(step),
      ...reviews.filter(({ nodeId }) => nodeId === step.nodeId).flatMap(describeReview),
      ...detail("out", step.output),
    ]),
    `= ${run.status}`,
  ];
}

function describeStep({ nodeId, kind, status, branch, input }: RunStep): readonly string[] {
  const left = branch === undefined ? "" : `, left by ${branch}`;
  return [`  ${nodeId} (${kind}, ${status}${left})`, ...detail("in ", input)];
}

function describeReview({ title, kind, call, data, decisions, status }: Review): readonly string[] {
  return [
    `      asked: ${title}`,
    ...detail("   shown", kind === "outcome_unknown" ? data : undefined),
    ...detail("   sends", call?.arguments),
    ...decisions.flatMap(({ person, rejectionReason, outputs }) => [
      `      ${status} by ${person}${rejectionReason === undefined ? "" : `: ${rejectionReason}`}`,
      ...detail("   with", outputs),
    ]),
  ];
}

function detail(label: string, value: unknown): readonly string[] {
  return value === undefined ? [] : [`      ${label} ${JSON.stringify(value)}`];
}
