import type { Run, SyncRunReply } from "@procedo/contract";
import type { TracedRun } from "../crash/evidence.ts";

/** The end of a run as an application was told it, by a synchronous reply or a poll. */
export interface ToldEnding {
  readonly runId: string;
  readonly status: "completed" | "failed";
  /** Its output or its error, as JSON. */
  readonly result: string;
}

/** `undefined`: the run had not ended. */
export function endingOf(told: Run | SyncRunReply): ToldEnding | undefined {
  const { runId, status } = told;
  if (status === "completed") return { runId, status, result: JSON.stringify(told.output) };
  return status === "failed" ? { runId, status, result: JSON.stringify(told.error) } : undefined;
}

/** What was told of a run's end is how it ended. */
export function judgeEndings(told: readonly ToldEnding[], runs: readonly TracedRun[]): readonly string[] {
  const journals = new Map(runs.map((run) => [run.stored.runId, run]));
  return told.flatMap(({ runId, status, result }) => {
    const cursor = journals.get(runId)?.state?.cursor;
    if (cursor?.at !== "ended") return [`Run ${runId} was told to have ${status}, and has not ended.`];
    const { result: ended } = cursor;
    const kept = ended.status === "completed" ? ended.output : ended.error;
    if (ended.status === status && JSON.stringify(kept) === result) return [];
    return [`Run ${runId} was told to have ${status} with ${result}, and has ${ended.status} with something else.`];
  });
}
