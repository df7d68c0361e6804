import type { InboxStore, Notification, Post, PostResult } from "@procedo/storage";
import { assertStorable } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import type { SqliteQueue } from "./sqlite-queue.ts";
import { prepare } from "./statement.ts";
import type { WriteTurn } from "./transaction.ts";

export function sqliteInbox({ db, now, reader, writer, scopes }: SqliteContext, queue: SqliteQueue): InboxStore {
  const selectRun = prepare<{ run: number }>(db, "SELECT run FROM runs WHERE run_id = ? AND scope = ?");
  const selectWinner = prepare<Notification>(
    db,
    `SELECT effect_key AS "effectKey", body FROM inbox WHERE run = ? AND effect_key = ?`,
  );
  const insert = prepare(db, "INSERT INTO inbox (run, effect_key, body) VALUES (?, ?, ?)");
  const closeReview = prepare(
    db,
    "UPDATE reviews SET status = ?, closed_at_ms = ? WHERE run = ? AND effect_key = ? AND status = 'open'",
  );

  function postOne(turn: WriteTurn, { scope, runId, effectKey, body, ...post }: Post): PostResult {
    const number = scopes.find(scope);
    const found = number === undefined ? undefined : selectRun.get(runId, number);
    if (found === undefined) return { status: "unknown_run" };
    const winner = selectWinner.get(found.run, effectKey);
    if (winner !== undefined) return { status: "superseded", winner: { ...winner } };
    const run = queue.find(found.run);
    if (run === undefined) return { status: "ended" };

    insert.run(found.run, effectKey, body);
    if (post.closeReview !== undefined) closeReview.run(post.closeReview, now(), found.run, effectKey);
    return { status: "accepted", claimed: queue.wake(turn, run, post.claimFor) };
  }

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
