import type { RunCommit } from "@procedo/storage";
import type { FailpointName } from "./failpoints.ts";

/** What a row's entries say of themselves, whatever values stand beside it. */
interface BareEntry {
  readonly type: string;
  readonly nodeId?: string;
}

/** The points that the commit of this row is: what its entries tell, and what it brings about. Pure. */
export function pointsOf(commit: RunCommit): ReadonlySet<FailpointName> {
  const points = new Set<FailpointName>();
  const entries = JSON.parse(commit.body) as readonly BareEntry[];
  const types = new Set(entries.map(({ type }) => type));
  const nodes = new Set(entries.flatMap(({ nodeId }) => nodeId ?? []));
  if (commit.create !== undefined) points.add("run.create");
  if (commit.create?.idempotency !== undefined) points.add("idem.save");
  if (types.has("intent")) points.add("step.intent");
  if (types.has("outcome")) points.add("step.result");
  if (types.has("chose")) points.add("condition.eval");
  if (types.has("answered")) points.add("review.resume");
  if (nodes.size > 1) points.add("edge.transition");
  if (commit.openReview !== undefined) points.add("review.create");
  if (commit.events !== undefined) points.add("webhook.enqueue");
  if (commit.then.kind === "parked" && commit.then.wakeAtMs !== undefined) points.add("timer.arm");
  return points;
}
