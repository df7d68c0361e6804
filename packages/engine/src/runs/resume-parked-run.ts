import type { Notification, RunCommit } from "@procedo/storage";
import type { Release } from "./execute-run.ts";
import type { ActiveRun } from "./active-run.ts";

/** The hands of the worker in which a run goes on. */
export interface ResumingWorker {
  /** `durable` is called when the news is stored together with the run's next row. */
  execute(run: ActiveRun, durable: () => void): Promise<Release>;
  /** Looks what became of a row without a known outcome, and goes on with its run if it is there. */
  goOnIfHeld(run: ActiveRun, row: RunCommit): Promise<void>;
}

/** What a run that rests in this process is told: a decision, or the result of a call that was handed out. */
export interface ResumeTrigger<Answer> {
  /** What it becomes in the run's inbox. */
  readonly notification: Notification;
  /** Stores it, with the row that follows from it where nothing else was said to the run. */
  store(next: RunCommit): Promise<Answer>;
  /** Whether the row was stored. */
  wentOn(answer: Answer): boolean;
  /** Whether storage took this, and nothing else in its place; asked when its answer was lost. */
  isStored(next: RunCommit): Promise<boolean>;
}

/**
 * Goes on with a run that rests when what it waits for is stored. The run is taken for claimed, and its inbox for holding
 * this and nothing else; storage takes the row that follows from that only where it is so.
 *
 * @returns what storage answered, `undefined` when it was not asked
 * @throws ProcedoError `storage_unavailable`, after which nothing is known of it
 */
export function resumeParkedRun<Answer>(
  worker: ResumingWorker,
  run: ActiveRun,
  told: ResumeTrigger<Answer>,
): Promise<Answer | undefined> {
  let answer: Answer | undefined;
  run.writer.toNextEpoch();
  run.news = {
    store: async (next) => {
      answer = await told.store(next);
      return told.wentOn(answer);
    },
    isStored: (next) => told.isStored(next),
  };
  run.inbox = [told.notification];
  run.inboxStale = false;
  return new Promise((resolve, reject) => {
    const stored = (): void => resolve(answer);
    const released = (release: Release): void => {
      switch (release.kind) {
        case "abandoned":
          if (run.news !== undefined && release.row !== undefined) void worker.goOnIfHeld(run, release.row);
          return reject(release.error instanceof Error ? release.error : new Error(String(release.error)));
        case "refused":
        case "unresumed":
        case "rested":
        case "fenced":
        case "exists":
          // Storage has answered before, where it was asked at all.
          return resolve(answer);
      }
    };
    // What breaks before the news is stored breaks again when the run is claimed; afterwards this was resolved already.
    worker.execute(run, stored).then(released, () => resolve(undefined));
  });
}
