import type { InboxStore, Notification, Post, PostResult, RunCommit } from "@procedo/storage";
import { assertStorable } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import type { WakeOrGoOn, Woken } from "./going-on.ts";
import type { SqliteQueue } from "./sqlite-queue.ts";
import { prepare } from "./statement.ts";
import type { WriteTurn } from "./transaction.ts";

/** Tells one run of something, within a write; with the row that follows from it, as far as that may be committed. */
export type PostOne = (
  turn: WriteTurn,
  post: Post & { readonly next?: RunCommit },
) => (Woken & { readonly status: "accepted" }) | Exclude<PostResult, { readonly status: "accepted" }>;

export function sqlitePost({ db, now, scopes }: SqliteContext, queue: SqliteQueue, wakeOrGoOn: WakeOrGoOn): PostOne {
  const selectRun = prepare<{ run: number }>(db, "SELECT run FROM runs WHERE run_id = ? AND scope = ?");
  const selectWinner = prepare<Notification>(
    db,
    `SELECT effect_key AS "effectKey", body FROM inbox WHERE run = ? AND effect_key = ?`,
  );
  const closeReview = prepare(
    db,
    "UPDATE reviews SET status = ?, closed_at_ms = ? WHERE run = ? AND effect_key = ? AND status = 'open'",
  );

  return (turn, { scope, runId, effectKey, body, ...post }) => {
    const number = scopes.find(scope);
    const found = number === undefined ? undefined : selectRun.get(runId, number);
    if (found === undefined) return { status: "unknown_run" };
    const winner = selectWinner.get(found.run, effectKey);
    if (winner !== undefined) return { status: "superseded", winner: { ...winner } };
    const run = queue.find(found.run);
    if (run === undefined) return { status: "ended" };

    if (post.closeReview !== undefined) closeReview.run(post.closeReview, now(), found.run, effectKey);
    return { status: "accepted", ...wakeOrGoOn(turn, run, { effectKey, body }, post.claimFor, post.next) };
  };
}

export function sqliteInbox(
  { db, reader, writer, scopes }: SqliteContext,
  queue: SqliteQueue,
  postOne: PostOne,
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
