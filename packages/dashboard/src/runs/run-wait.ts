/* The reason for which a run does not go on by itself at the moment. */
import type { Review, Run, RunTimelineStep } from "../api/models.ts";

export type RunWait =
  | { readonly kind: "review"; readonly reviewId: string; readonly title: string }
  | { readonly kind: "outcome_unknown"; readonly reviewId: string; readonly title: string }
  | { readonly kind: "retry"; readonly step: RunTimelineStep; readonly at: string; readonly reason: string | undefined }
  | {
      readonly kind: "authorization";
      readonly step: RunTimelineStep;
      readonly wait: NonNullable<RunTimelineStep["authorization"]>;
    }
  | { readonly kind: "call"; readonly step: RunTimelineStep };

/** A call that takes no longer than this is not worth a message. */
const quickCallMs = 3_000;

/** `undefined` for a run that has ended or is at work. */
export function waitOf(run: Run, review: Pick<Review, "kind"> | undefined, nowMs: number): RunWait | undefined {
  if (run.status === "awaiting_review") {
    if (run.review === undefined) return undefined;
    const { reviewId, title } = run.review;
    return { kind: review?.kind === "outcome_unknown" ? "outcome_unknown" : "review", reviewId, title };
  }
  const step = run.status === "running" ? run.timeline?.findLast(({ status }) => status === "running") : undefined;
  if (step === undefined) return undefined;
  if (step.authorization !== undefined) return { kind: "authorization", step, wait: step.authorization };
  if (step.retryAt !== undefined) return { kind: "retry", step, at: step.retryAt, reason: step.retryReason };
  const isLong = nowMs - Date.parse(step.startedAt) > quickCallMs;
  return step.kind === "tool_call" && isLong ? { kind: "call", step } : undefined;
}
