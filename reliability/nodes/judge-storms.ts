import type { Entry } from "@procedo/procedure";
import { createRowCodec } from "../../packages/engine/src/journal/row-codec.ts";
import type { DatabaseContent } from "../crash/read-database.ts";

/** The decision that was acknowledged as the one that counts. */
export interface StormDecision {
  readonly runId: string;
  readonly approved: boolean;
}

/**
 * Returns the differences between the record and the callers' answers: each run has one decision, one closed review in
 * its journal, one end and one delivery of the end, and there are no other runs. Pure.
 */
export function judgeStorms(
  { runs, reviews, decisions, deliveries }: DatabaseContent,
  decided: readonly StormDecision[],
): string[] {
  const faults =
    runs.length === decided.length ? [] : [`${decided.length} runs were started, and there are ${runs.length}`];
  for (const { runId, approved } of decided) {
    const run = runs.find((one) => one.runId === runId);
    const codec = createRowCodec(runId);
    const entries = (run?.journal ?? []).flatMap(({ seq, body }): readonly Entry[] => codec.decode(seq, body));
    const count = (type: Entry["type"]): number => entries.filter((entry) => entry.type === type).length;
    if (count("review_closed") !== 1) faults.push(`${runId} has ${count("review_closed")} answers on record`);
    if (count("ended") !== 1) faults.push(`${runId} has ended ${count("ended")} times`);
    const asked = reviews.filter((review) => review.runId === runId);
    const decided = decisions.filter(({ reviewId }) => asked.some((review) => review.reviewId === reviewId));
    if (decided.length !== 1) faults.push(`${runId} has ${decided.length} decisions`);
    else if (decided[0]?.approved !== approved) faults.push(`${runId} is decided otherwise on record`);
    const ends = deliveries.filter((delivery) => delivery.runId === runId && delivery.event.startsWith("run_"));
    if (ends.length !== 1) faults.push(`the end of ${runId} is delivered ${ends.length} times`);
  }
  return faults;
}
