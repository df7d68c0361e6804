import type { DatabaseContent } from "../crash/read-database.ts";
import type { Watched } from "./clients.ts";

/** The set of decisions: exactly the acknowledged decision of each run is recorded, and no run is missing. Pure. */
export function judgeDecisions(
  { runs, reviews, decisions }: Pick<DatabaseContent, "runs" | "reviews" | "decisions">,
  watched: readonly Watched[],
): string[] {
  const known = new Set(runs.map(({ runId }) => runId));
  const runOf = new Map(reviews.map(({ reviewId, runId }) => [reviewId, runId]));
  const decided = Map.groupBy(decisions, ({ reviewId }) => runOf.get(reviewId));
  return watched.flatMap(({ runId, seen }) => {
    const faults: string[] = [];
    if (!known.has(runId)) faults.push(`run ${runId} was acknowledged and is not there`);
    const stored = decided.get(runId) ?? [];
    if (stored.length > 1) faults.push(`run ${runId} has ${stored.length} decisions`);
    const won = seen.flatMap(({ what }) => (what.kind === "vote" && what.outcome === "won" ? [what.approved] : []));
    if (won.some((approved) => approved !== stored[0]?.approved)) faults.push(`run ${runId} is decided otherwise`);
    return faults;
  });
}
