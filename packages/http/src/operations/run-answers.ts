import type { ReviewKind, Run, RunSummary, RunWait } from "@procedo/contract";
import type { ListedRun, Review, RunView, SizedStep, StepRecord } from "@procedo/engine";
import { stepAnswer, timelineAnswer } from "./step-answer.ts";
import { timestamp } from "./timestamp.ts";

type StatusUrl = (runId: string) => string;
type RunRow = Pick<
  RunView,
  | "runId"
  | "status"
  | "procedureId"
  | "procedureVersion"
  | "environment"
  | "startedBy"
  | "reference"
  | "trigger"
  | "createdAtMs"
>;

function summaryFields(run: RunRow, statusUrl: StatusUrl) {
  return {
    statusUrl: statusUrl(run.runId),
    procedureId: run.procedureId,
    procedureVersion: run.procedureVersion,
    environment: run.environment,
    startedBy: run.startedBy,
    ...(run.reference !== undefined && { reference: run.reference }),
    ...(run.trigger !== undefined && { trigger: run.trigger }),
    createdAt: timestamp(run.createdAtMs),
  };
}

/** Converts a run to its form in lists. */
export function runSummary(
  run: Omit<ListedRun, "scope"> & Pick<RunRow, "environment">,
  statusUrl: StatusUrl,
): RunSummary {
  return {
    runId: run.runId,
    status: run.status,
    ...summaryFields(run, statusUrl),
    ...(run.openReview !== undefined && { waitingFor: waitAnswer(run.openReview) }),
    ...(run.error !== undefined && { error: run.error }),
    ...(run.endedAtMs !== undefined && { completedAt: timestamp(run.endedAtMs) }),
  };
}

function waitAnswer({ reviewId, kind, nodeId, title, openedAtMs }: NonNullable<ListedRun["openReview"]>): RunWait {
  // The engine stores no other kinds.
  const reviewKind = kind as ReviewKind;
  return { kind: "review", reviewId, reviewKind, nodeId, title, since: timestamp(openedAtMs) };
}

/**
 * Converts a run to its form in polls.
 *
 * @param openReview - the review that the run waits for, while undecided
 */
export function runAnswer(
  run: RunView,
  openReview: Review | undefined,
  options: {
    readonly statusUrl: StatusUrl;
    readonly steps?: readonly StepRecord[];
    readonly timeline?: readonly SizedStep[];
  },
): Run {
  const { runId } = run;
  const { statusUrl, steps, timeline } = options;
  const fields = {
    ...summaryFields(run, statusUrl),
    ...(steps !== undefined && { steps: steps.map(stepAnswer) }),
    ...(timeline !== undefined && { timeline: timeline.map(timelineAnswer) }),
  };
  const completedAt = timestamp(run.completedAtMs ?? run.createdAtMs);
  switch (run.status) {
    case "running":
      return { runId, status: run.status, ...fields };
    case "awaiting_review":
      return {
        runId,
        status: run.status,
        ...fields,
        ...(openReview !== undefined && { review: reviewAnswer(openReview) }),
      };
    case "completed":
      return { runId, status: run.status, ...fields, output: run.output ?? {}, completedAt };
    case "failed":
      return { runId, status: run.status, ...fields, error: run.error ?? "", completedAt };
  }
}

function reviewAnswer({ reviewId, digest, title, data, openedAtMs }: Review) {
  return { reviewId, digest, title, data, requestedAt: timestamp(openedAtMs) };
}
