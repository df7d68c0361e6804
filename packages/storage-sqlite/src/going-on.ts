import type { ClaimedRun, Notification, RunCommit } from "@procedo/storage";
import { isStorableCommit } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import type { Commits } from "./sqlite-commit.ts";
import type { QueuedRow, SqliteQueue } from "./sqlite-queue.ts";
import { prepare, prepareTuple } from "./statement.ts";
import type { WriteTurn } from "./transaction.ts";

/** What becomes of a run that was told of something. */
export interface Woken {
  readonly claimed: ClaimedRun | undefined;
  /** The row that follows is committed. */
  readonly wentOn?: true;
}

/** A run that has not ended, and the number of its last row. */
export type ToldRun = QueuedRow & { readonly last_seq: number };

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

export function sqliteGoingOn({ db }: SqliteContext, queue: SqliteQueue, { goOn }: Commits): WakeOrGoOn {
  const selectUnread = prepareTuple<[1]>(db, "SELECT 1 FROM inbox WHERE run = ? AND consumed = 0");
  const insert = prepare(db, "INSERT INTO inbox (run, effect_key, body, consumed) VALUES (?, ?, ?, ?)");

  return (turn, run, { effectKey, body }, claimFor, next) => {
    const follows = next?.consume?.includes(effectKey) === true && isStorableCommit(next);
    const mayGoOn = run.worker_id === null && follows && claimFor !== undefined;
    if (!mayGoOn || selectUnread.get(run.run) !== undefined) {
      insert.run(run.run, effectKey, body, 0);
      return { claimed: queue.wake(turn, run, claimFor) };
    }
    // The row has read the news, which is written as read.
    const others = next.consume.filter((key) => key !== effectKey);
    const result = turn.part(() => goOn(turn, run, { ...next, consume: others }));
    const wentOn = result.done && result.value.status === "committed";
    insert.run(run.run, effectKey, body, wentOn ? 1 : 0);
    return wentOn ? { claimed: undefined, wentOn } : { claimed: queue.wake(turn, run, claimFor) };
  };
}
