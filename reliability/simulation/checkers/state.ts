import type { Checker } from "./checker.ts";

export const stateIsFold: Checker = {
  invariant: "state",
  promise: "the state that follows from the journal is the stored state",
  always: false,
  check: async ({ runs, storage }) => {
    const faults: string[] = [];
    for (const { run, state } of runs) {
      const { scope, runId } = run;
      const row = await storage.runs.get({ scope, runId });
      const cursor = state?.cursor;
      if (row === undefined || cursor === undefined) {
        faults.push(`Run ${runId} has a journal and no row.`);
        continue;
      }
      const reviews = await storage.reviews.ofRun({ scope, runId });
      const open = reviews.filter(({ status }) => status === "open");
      if (open.length > 1) faults.push(`Run ${runId} has ${open.length} open reviews.`);
      if (cursor.at === "ended") {
        if (row.status !== cursor.result.status)
          faults.push(`Run ${runId} ended ${cursor.result.status}, stored as ${row.status}.`);
        if (cursor.result.status === "failed" && row.error !== cursor.result.error) {
          faults.push(`Run ${runId} failed with another message than its row says.`);
        }
        if (open.length > 0) faults.push(`Run ${runId} has ended and still has an open review.`);
      } else if (row.status === "completed" || row.status === "failed") {
        faults.push(`Run ${runId} is ${row.status}, its journal says "${cursor.at}".`);
      } else if (row.status === "awaiting_review" && cursor.at !== "review") {
        faults.push(`Run ${runId} awaits a review, its journal says "${cursor.at}".`);
      }
      for (const review of open) {
        if (cursor.at !== "review" || cursor.review.reviewId !== review.reviewId) {
          faults.push(`Review ${review.reviewId} is open; run ${runId} is at "${cursor.at}".`);
        }
      }
    }
    return faults;
  },
};
