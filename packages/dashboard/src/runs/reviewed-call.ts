/* The reviews of a run's steps, and whether the call that was sent is the one that was approved. */
import type { Review, RunStep, RunTimelineStep, Version } from "../api/models.ts";

type DocumentNode = Version["document"]["nodes"][number];
type PlacedStep = Pick<RunTimelineStep, "nodeId" | "visit" | "startedAt">;

/** The review that a step asked for, else the one of an earlier step that covers its call. */
export function reviewOfStep(
  step: PlacedStep & Pick<RunTimelineStep, "reviewId">,
  steps: readonly (PlacedStep & Pick<RunTimelineStep, "reviewId">)[],
  nodes: readonly DocumentNode[],
): string | undefined {
  if (step.reviewId !== undefined) return step.reviewId;
  const covering = nodes.flatMap((node) =>
    node.kind === "human_review" && node.covers === step.nodeId ? [node.id] : [],
  );
  const index = steps.findIndex(({ nodeId, visit }) => nodeId === step.nodeId && visit === step.visit);
  const before = steps.slice(0, Math.max(0, index));
  return before.findLast(({ nodeId }) => covering.includes(nodeId))?.reviewId;
}

/**
 * The step that sent the call of an approved review: the step that asked, or the next visit of the node whose call the
 * review covers. `undefined` for a review that sends no call.
 */
export function sendingStep<S extends PlacedStep>(
  { status, kind, call, nodeId, requestedAt }: Pick<Review, "status" | "kind" | "call" | "nodeId" | "requestedAt">,
  steps: readonly S[],
): S | undefined {
  if (status !== "approved" || kind === "outcome_unknown" || call === undefined) return undefined;
  const sinceMs = Date.parse(requestedAt);
  if (call.nodeId === nodeId) {
    return steps.findLast((step) => step.nodeId === nodeId && Date.parse(step.startedAt) <= sinceMs);
  }
  return steps.find((step) => step.nodeId === call.nodeId && Date.parse(step.startedAt) >= sinceMs);
}

/** The arguments that a step sent after a time; `undefined` if it sent none yet. */
export function argumentsSent(
  { calls, input, callAttempts = [] }: Pick<RunStep, "calls" | "input" | "callAttempts">,
  sinceMs: number,
): unknown {
  const attempt = callAttempts.find(({ startedAt }) => Date.parse(startedAt) >= sinceMs);
  if (attempt === undefined) return undefined;
  return calls === undefined ? input : calls.find(({ call }) => call === attempt.call)?.arguments;
}

/** JSON text with the members of objects in one order, so that equal values have equal texts. */
export function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) => {
    if (typeof member !== "object" || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}
