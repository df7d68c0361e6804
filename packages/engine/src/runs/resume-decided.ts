import { outcomeOf, type DecideResult, type NewDecision, type RunCommit } from "@procedo/storage";
import type { Release } from "./execute-run.ts";
import { runIdOf, type HotRun } from "./hot-run.ts";

/** The hands of the worker in which a run goes on. */
export interface ResumingWorker {
  /** `durable` is called when the decision is stored together with the run's next row. */
  execute(run: HotRun, durable: () => void): Promise<Release>;
  /** Looks what became of a row without a known outcome, and goes on with its run if it is there. */
  goOnIfHeld(run: HotRun, row: RunCommit): Promise<void>;
  setAside(runId: string, error: unknown): void;
}

/**
 * Goes on with a run that rests at a review when the one decision that it waits for is stored. The run is taken for claimed,
 * and its inbox for holding this decision and nothing else; storage takes the row that follows from that only where it is so.
 *
 * @returns `recorded` when the run went on, what storage answered when it did not, `undefined` when it was not asked
 * @throws ProcedoError `storage_unavailable`, after which nothing is known of the decision
 */
export function resumeDecided(
  worker: ResumingWorker,
  run: HotRun,
  decision: NewDecision,
): Promise<DecideResult | undefined> {
  const { cursor } = run.state;
  if (cursor.at !== "review") return Promise.resolve(undefined);
  run.writer.toNextEpoch();
  run.decision = decision;
  run.inbox = [{ effectKey: cursor.review.effectKey, body: outcomeOf([decision.body]) }];
  run.inboxStale = false;
  return new Promise((resolve, reject) => {
    const recorded = (): void => resolve({ status: "recorded", closed: true, claimed: undefined });
    const released = (release: Release): void => {
      switch (release.kind) {
        case "undecided":
          return resolve(release.result);
        case "abandoned":
          if (run.decision !== undefined && release.row !== undefined) void worker.goOnIfHeld(run, release.row);
          return reject(release.error instanceof Error ? release.error : new Error(String(release.error)));
        case "refused":
          return worker.setAside(runIdOf(run), release.error);
        case "rested":
        case "fenced":
        case "exists":
          // Storage has answered before, where it was asked at all.
          return resolve(undefined);
      }
    };
    const broken = (error: unknown): void => {
      // What breaks before the decision is stored breaks again when the run is claimed.
      if (run.decision !== undefined) resolve(undefined);
      else worker.setAside(runIdOf(run), error);
    };
    worker.execute(run, recorded).then(released, broken);
  });
}
