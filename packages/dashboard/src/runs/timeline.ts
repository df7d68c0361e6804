/* The rows of a run's timeline, and what their bars show. */
import type { Run, RunTimelineStep } from "../api/models.ts";
import { statusWord, type ShownStatus } from "../ui/status-word.ts";
import { formatDuration } from "../values/time.ts";
import type { Interval } from "./time-scale.ts";

/** Names one visit of a node in an address: `pay.1`. */
export function stepKey({ nodeId, visit }: Pick<RunTimelineStep, "nodeId" | "visit">): string {
  return `${nodeId}.${visit}`;
}

export function readStepKey(key: string): { readonly nodeId: string; readonly visit: number } | undefined {
  const match = /^([A-Za-z_]\w*)\.([1-9]\d*)$/.exec(key);
  return match?.[1] === undefined ? undefined : { nodeId: match[1], visit: Number(match[2]) };
}

/** How a bar is drawn: work solid, waiting for another attempt dotted, waiting for a person hatched. */
export type BarKind = "work" | "wait" | "review";

export interface TimelineRow extends Interval {
  readonly key: string;
  readonly step: RunTimelineStep;
  readonly title: string;
  readonly status: ShownStatus;
  readonly bar: BarKind;
  /** `Pay the invoice, Completed, 1.4 s`. */
  readonly name: string;
}

/** Titles of nodes by their id, as the version of the run has them. */
export type NodeTitles = ReadonlyMap<string, string>;

/** Title of a step: as the run rendered it, else that of its node, else the node's id. */
export function titleOf(
  { title, nodeId, visit }: Pick<RunTimelineStep, "title" | "nodeId" | "visit">,
  titles: NodeTitles,
): string {
  const text = title ?? titles.get(nodeId) ?? nodeId;
  return visit === 1 ? text : `${text} (visit ${visit})`;
}

export function timelineRows(
  steps: readonly RunTimelineStep[],
  nowMs: number,
  titles: NodeTitles,
  /** The step whose outcome a person is asked for. */
  unknownNodeId: string | undefined,
): readonly TimelineRow[] {
  return steps.map((step) => {
    const startMs = Date.parse(step.startedAt);
    const endMs = Math.max(startMs, step.completedAt === undefined ? nowMs : Date.parse(step.completedAt));
    const isUnknown = step.status === "awaiting_review" && step.nodeId === unknownNodeId;
    const status: ShownStatus = isUnknown ? "outcome_unknown" : step.status;
    const title = titleOf(step, titles);
    const bar =
      step.status === "awaiting_review" || step.kind === "human_review"
        ? "review"
        : step.retryAt !== undefined
          ? "wait"
          : "work";
    const name = `${title}, ${statusWord(status)}, ${formatDuration(endMs - startMs)}`;
    return { key: stepKey(step), step, title, status, bar, name, startMs, endMs };
  });
}

/** From the start of the run to its end, or until now. */
export function rangeOf(run: Run, nowMs: number): Interval {
  const startMs = Date.parse(run.createdAt);
  const endMs = "completedAt" in run ? Date.parse(run.completedAt) : nowMs;
  return { startMs, endMs: Math.max(startMs, endMs) };
}
