/* The rows of a run's timeline, and what their bars show. */
import type { Run, RunTimelineStep } from "../api/models.ts";
import { plainTitle } from "../flowchart/plain-title.ts";
import { statusWord, type ShownStatus } from "../ui/status-word.ts";
import { formatDuration } from "../values/time.ts";
import type { Interval } from "./time-scale.ts";

/** Names one visit of a node in an address: `pay.1`. */
export function stepKey({ nodeId, visit }: Pick<RunTimelineStep, "nodeId" | "visit">): string {
  return `${nodeId}.${visit}`;
}

/** How a bar is drawn: work solid, waiting for another attempt dotted, waiting for a person hatched. */
export type BarKind = "work" | "wait" | "review";

export interface TimelineRow extends Interval {
  readonly key: string;
  readonly step: RunTimelineStep;
  readonly title: string;
  /** The title without the number of the visit. */
  readonly label: string;
  readonly status: ShownStatus;
  readonly bar: BarKind;
  /** `Pay the invoice, Completed, 1.4 s`. */
  readonly name: string;
}

/** Titles of nodes by their id, as the version of the run has them. */
export type NodeTitles = ReadonlyMap<string, string>;

/** Title of a step: as the run rendered it, else that of its node, else the node's id. */
export function titleOf(step: Pick<RunTimelineStep, "title" | "nodeId" | "visit">, titles: NodeTitles): string {
  const label = labelOf(step, titles);
  return step.visit === 1 ? label : `${label} (visit ${step.visit})`;
}

function labelOf({ title, nodeId }: Pick<RunTimelineStep, "title" | "nodeId">, titles: NodeTitles): string {
  return title ?? plainTitle(titles.get(nodeId) ?? nodeId);
}

interface TimelineRequest {
  readonly steps: readonly RunTimelineStep[];
  /** The end of steps that have not ended. */
  readonly nowMs: number;
  readonly titles: NodeTitles;
  /** The node about whose call a person is asked whether it took effect. */
  readonly unknownNodeId?: string | undefined;
}

export function timelineRows({ steps, nowMs, titles, unknownNodeId }: TimelineRequest): readonly TimelineRow[] {
  return steps.map((step) => {
    const startMs = Date.parse(step.startedAt);
    const endMs = Math.max(startMs, step.completedAt === undefined ? nowMs : Date.parse(step.completedAt));
    const status = shownStatus(step, unknownNodeId);
    const title = titleOf(step, titles);
    const name = `${title}, ${statusWord(status)}, ${formatDuration(endMs - startMs)}`;
    return {
      key: stepKey(step),
      step,
      title,
      label: labelOf(step, titles),
      status,
      bar: barOf(step),
      name,
      startMs,
      endMs,
    };
  });
}

/** The status of a step, which is another one where its outcome is unknown. */
export function shownStatus(
  { status, nodeId }: Pick<RunTimelineStep, "status" | "nodeId">,
  unknownNodeId: string | undefined,
): ShownStatus {
  return status === "awaiting_review" && nodeId === unknownNodeId ? "outcome_unknown" : status;
}

function barOf({ status, kind, retryAt }: RunTimelineStep): BarKind {
  if (status === "awaiting_review" || kind === "human_review") return "review";
  return retryAt === undefined ? "work" : "wait";
}

/** From the start of the run to its end, or until now. */
export function rangeOf(run: Run, nowMs: number): Interval {
  const startMs = Date.parse(run.createdAt);
  return { startMs, endMs: Math.max(startMs, endOf(run) ?? nowMs) };
}

/** The end of a run; `undefined` while it is open. */
export function endOf(run: Run): number | undefined {
  return "completedAt" in run ? Date.parse(run.completedAt) : undefined;
}

/** The step that a reader sees first: the one that is under way or failed, else the last one. */
export function stepOfInterest(rows: readonly TimelineRow[]): TimelineRow | undefined {
  return rows.findLast(({ status }) => status !== "completed") ?? rows.at(-1);
}
