import type { InboxStore, Notification, Post, PostResult, RunCommit } from "@procedo/storage";
import { assertStorable } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import type { NotifiedRun, WakeOrResume, WakeResult } from "./resume-on-notification.ts";
import { notifiedColumns, type SqliteQueue } from "./sqlite-queue.ts";
import { prepare } from "./statement.ts";
import type { WriteTurn } from "./transaction.ts";

/** A notification for a run, with the row by which the run may resume. */
export type RunNotification = Omit<Post, "scope" | "runId"> & { readonly next?: RunCommit };

type NotifyResult =
  (WakeResult & { readonly status: "accepted" }) | Exclude<PostResult, { readonly status: "accepted" }>;

/** Notifies one run, within a write, and commits the run's next row if possible. */
export interface Posts {
  readonly postOne: (turn: WriteTurn, post: Post) => NotifyResult;

  /** Notifies a run that was read in this write. */
  readonly notify: (turn: WriteTurn, run: StoredRun, notification: RunNotification) => NotifyResult;
}

export type StoredRun = NotifiedRun & { readonly ended_at_ms: number | null };

export function sqlitePosts({ db, now, scopes }: SqliteContext, wakeOrResume: WakeOrResume): Posts {
  const selectRun = prepare<StoredRun>(db, `SELECT ${notifiedColumns} FROM runs WHERE run_id = ? AND scope = ?`);
  const selectWinner = prepare<Notification>(
    db,
    `SELECT effect_key AS "effectKey", body FROM inbox WHERE run = ? AND effect_key = ?`,
  );
  const closeReview = prepare(
    db,
    "UPDATE reviews SET status = ?, closed_at_ms = ? WHERE run = ? AND effect_key = ? AND status = 'open'",
  );

  const notify: Posts["notify"] = (turn, run, { effectKey, body, ...options }) => {
    const winner = selectWinner.get(run.run, effectKey);
    if (winner !== undefined) return { status: "superseded", winner: { ...winner } };
    if (run.ended_at_ms !== null) return { status: "ended" };

    if (options.closeReview !== undefined) closeReview.run(options.closeReview, now(), run.run, effectKey);
    return { status: "accepted", ...wakeOrResume(turn, run, { effectKey, body }, options.claimFor, options.next) };
  };

  return {
    notify,
    postOne: (turn, { scope, runId, ...options }) => {
      const number = scopes.find(scope);
      const found = number === undefined ? undefined : selectRun.get(runId, number);
      return found === undefined ? { status: "unknown_run" } : notify(turn, found, options);
    },
  };
}

export function sqliteInbox(
  { db, reader, writer, scopes }: SqliteContext,
  queue: SqliteQueue,
  { postOne }: Posts,
): InboxStore {
  const selectRun = prepare<{ run: number }>(db, "SELECT run FROM runs WHERE run_id = ? AND scope = ?");

  return {
    async post(items) {
      assertStorable(items);
      return writer.write((turn) => items.map((item) => postOne(turn, item)));
    },

    read: ({ scope, runId }) =>
      reader.read(() => {
        const number = scopes.find(scope);
        const found = number === undefined ? undefined : selectRun.get(runId, number);
        return found === undefined ? [] : queue.unread(found.run);
      }),
  };
}
