import type { RunCommit } from "@procedo/storage";
import { bareEntries, type BareEntry } from "../bare-entries.ts";
import type { FailpointName } from "./failpoints.ts";

/** The points of this row's commit, derived from its entries and its consequences. Pure. */
export function pointsOf(commit: RunCommit): ReadonlySet<FailpointName> {
  const points = new Set<FailpointName>();
  const entries = bareEntries(commit.body);
  const types = new Set(entries.map(({ type }) => type));
  if (commit.create !== undefined) points.add("run.create");
  if (commit.create?.idempotency !== undefined) points.add("idem.save");
  if (commit.create?.firing !== undefined) points.add("trigger.fire");
  if (types.has("intent")) points.add("step.intent");
  if (types.has("outcome")) points.add("step.result");
  if (types.has("branch_taken")) points.add("condition.eval");
  if (types.has("review_closed")) points.add("review.resume");
  if (nodesOf(entries) > 1) points.add("edge.transition");
  if (commit.openReview !== undefined) points.add("review.create");
  if (commit.events !== undefined) points.add("webhook.enqueue");
  if (commit.events?.some(({ fires }) => fires !== undefined)) points.add("trigger.dedupe");
  if (commit.then.kind === "parked" && commit.then.wakeAtMs !== undefined) points.add("timer.arm");
  return points;
}

/**
 * An outcome without a node belongs to the call before the row. Another attempt or call of that node names it again.
 */
function nodesOf(entries: readonly BareEntry[]): number {
  const nodes = new Set(entries.flatMap(({ nodeId }) => nodeId ?? []));
  const isOfLast = entries.some(({ type, nodeId }) => type === "outcome" && nodeId === undefined);
  const isRepeated = entries.some(({ type, call = 1, attempt = 1 }) => type === "intent" && call + attempt > 2);
  return nodes.size + (isOfLast && !isRepeated ? 1 : 0);
}
