import type { ClaimedRun, Notification, RunCommit } from "@procedo/storage";
import { isStorableCommit } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import type { Commits } from "./sqlite-commit.ts";
import type { QueuedRow, SqliteQueue } from "./sqlite-queue.ts";
import { prepare, prepareTuple } from "./statement.ts";
import type { WriteTurn } from "./transaction.ts";

/** The effect of a notification on its run. */
export interface WakeResult {
  readonly claimed: ClaimedRun | undefined;
  /** Set when the run's next row was committed. */
  readonly continued?: true;
}

/** An open run, with the number of its last row. */
export type NotifiedRun = QueuedRow & { readonly last_seq: number };

/**
 * Puts a notification into a run's inbox. If the run is parked and its inbox holds nothing else, the run resumes with
 * its `next` row. Otherwise a parked run is handed to `claimFor`, or becomes claimable.
 */
export type WakeOrResume = (
  turn: WriteTurn,
  run: NotifiedRun,
  notification: Notification,
  claimFor: string | undefined,
  next: RunCommit | undefined,
) => WakeResult;

export function sqliteResume({ db }: SqliteContext, queue: SqliteQueue, { resume }: Commits): WakeOrResume {
  const selectUnread = prepareTuple<[1]>(db, "SELECT 1 FROM inbox WHERE run = ? AND consumed = 0");
  const insert = prepare(db, "INSERT INTO inbox (run, effect_key, body, consumed) VALUES (?, ?, ?, ?)");

  return (turn, run, { effectKey, body }, claimFor, next) => {
    const follows = next?.consume?.includes(effectKey) === true && isStorableCommit(next);
    const mayResume = run.worker_id === null && follows && claimFor !== undefined;
    if (!mayResume || selectUnread.get(run.run) !== undefined) {
      insert.run(run.run, effectKey, body, 0);
      return { claimed: queue.wake(turn, run, claimFor) };
    }
    // The next row consumes the notification, which is therefore stored as consumed.
    const others = next.consume.filter((key) => key !== effectKey);
    const result = turn.part(() => resume(turn, run, { ...next, consume: others }));
    const continued = result.done && result.value.status === "committed";
    insert.run(run.run, effectKey, body, continued ? 1 : 0);
    return continued ? { claimed: undefined, continued } : { claimed: queue.wake(turn, run, claimFor) };
  };
}
