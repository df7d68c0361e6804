import type { Run, SyncRunReply } from "@procedo/contract";
import type { TracedRun } from "../crash/evidence.ts";

/** The end of a run as an application received it, by a synchronous reply or a poll. */
export interface AnnouncedEnd {
  readonly runId: string;
  readonly status: "completed" | "failed";
  /** Its output or its error, as JSON. */
  readonly result: string;
}

/** `undefined` if the run had not ended. */
export function announcedEnd(told: Run | SyncRunReply): AnnouncedEnd | undefined {
  const { runId, status } = told;
  if (status === "completed") return { runId, status, result: JSON.stringify(told.output) };
  return status === "failed" ? { runId, status, result: JSON.stringify(told.error) } : undefined;
}

/** Checks that the reported ends of runs are their recorded ends. */
export function judgeAnnouncedEnds(told: readonly AnnouncedEnd[], runs: readonly TracedRun[]): readonly string[] {
  const journals = new Map(runs.map((run) => [run.stored.runId, run]));
  return told.flatMap(({ runId, status, result }) => {
    const cursor = journals.get(runId)?.state?.cursor;
    if (cursor?.at !== "ended") return [`Run ${runId} was reported as ${status}, and has not ended.`];
    const { result: ended } = cursor;
    const kept = ended.status === "completed" ? ended.output : ended.error;
    if (ended.status === status && JSON.stringify(kept) === result) return [];
    return [`Run ${runId} was reported as ${status} with ${result}, and has ${ended.status} with another result.`];
  });
}
