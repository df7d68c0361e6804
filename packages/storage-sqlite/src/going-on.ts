import type { ClaimedRun, Notification, RunCommit } from "@procedo/storage";
import { isStorableCommit } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import type { CommitOne } from "./sqlite-commit.ts";
import type { QueuedRow, SqliteQueue } from "./sqlite-queue.ts";
import { prepare } from "./statement.ts";
import type { WriteTurn } from "./transaction.ts";

/** What becomes of a run that was told of something. */
export interface Woken {
  readonly claimed: ClaimedRun | undefined;
  /** The row that follows is committed. */
  readonly wentOn?: true;
}

/** A run, and the number of its last row where it was read with it. */
export type ToldRun = QueuedRow & { readonly last_seq?: number };

/**
 * Puts news into a run's inbox and tells it: hands it to `claimFor` or makes it claimable when it is parked. With the row
 * that follows it goes on by that row at once, where it has nothing else to read.
 */
export type WakeOrGoOn = (
  turn: WriteTurn,
  run: ToldRun,
  news: Notification,
  claimFor: string | undefined,
  next: RunCommit | undefined,
) => Woken;

export function sqliteGoingOn({ db, hotRuns }: SqliteContext, queue: SqliteQueue, commitOne: CommitOne): WakeOrGoOn {
  const countNews = prepare<{ count: number }>(
    db,
    "SELECT count(*) AS count FROM inbox WHERE run = ? AND consumed = 0",
  );

  const insert = prepare(db, "INSERT INTO inbox (run, effect_key, body, consumed) VALUES (?, ?, ?, ?)");

  return (turn, run, { effectKey, body }, claimFor, next) => {
    const follows = next?.runId === run.run_id && next.consume?.includes(effectKey) === true && isStorableCommit(next);
    const mayGoOn = run.worker_id === null && follows && claimFor !== undefined;
    if (!mayGoOn || countNews.get(run.run)?.count !== 0) {
      insert.run(run.run, effectKey, body, 0);
      return { claimed: queue.wake(turn, run, claimFor) };
    }
    queue.handOver(run, claimFor);
    if (run.last_seq !== undefined) {
      const { run_id: runId, scope, epoch, last_seq: seq } = run;
      hotRuns.put(runId, { run: run.run, scope, epoch: epoch + 1, workerId: claimFor, seq });
    }
    // The row has read the news, which is written as read.
    const others = next.consume.filter((key) => key !== effectKey);
    const result = turn.part(() => commitOne(turn, { ...next, consume: others }));
    const wentOn = result.done && result.value.status === "committed";
    insert.run(run.run, effectKey, body, wentOn ? 1 : 0);
    return wentOn ? { claimed: undefined, wentOn } : { claimed: queue.claimed(run) };
  };
}
