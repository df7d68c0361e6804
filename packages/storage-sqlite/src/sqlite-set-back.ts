import { clockToleranceMs } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import { prepare } from "./statement.ts";
import type { WriteTurn } from "./transaction.ts";

/** The row in `workers` that stores the latest time of any heartbeat. It does not belong to a worker. */
export const latestBeat = "";

/** Moves waiting times to earlier times if the clock was set back since the last heartbeat, also across restarts. */
export function sqliteSetBack({ db, now }: Pick<SqliteContext, "db" | "now">): (turn: WriteTurn) => void {
  const selectLatest = prepare<{ atMs: number }>(
    db,
    `SELECT lease_ends_at_ms AS "atMs" FROM workers WHERE worker_id = ?`,
  );
  const putLatest = prepare(
    db,
    `INSERT INTO workers (worker_id, lease_ends_at_ms) VALUES (?, ?)
     ON CONFLICT (worker_id) DO UPDATE SET lease_ends_at_ms = excluded.lease_ends_at_ms`,
  );
  // ?1: now, ?2: the time difference, ?3: earlier times do not change. One statement per index of waiting rows.
  const moved = (column: string): string => `${column} = max(?1, ${column} - ?2)`;
  const moves = [
    `UPDATE workers SET ${moved("lease_ends_at_ms")} WHERE lease_ends_at_ms > ?3`,
    `UPDATE runs SET ${moved("wake_at_ms")}
      WHERE scope IN (SELECT scope FROM scopes) AND ended_at_ms IS NULL AND worker_id IS NULL AND wake_at_ms > ?3
        AND status = 'running'`,
    `UPDATE delivery_queue SET ${moved("due_at_ms")} WHERE due_at_ms > ?3`,
    // A nominal time of a schedule is a date, and does not move.
    `UPDATE firing_queue SET ${moved("due_at_ms")} WHERE due_at_ms > ?3`,
    ...["lease", "lapse"].map(
      (next) =>
        `UPDATE invocations SET ${moved("lease_ends_at_ms")}
          WHERE scope IN (SELECT scope FROM scopes) AND next = '${next}' AND lease_ends_at_ms > ?3`,
    ),
  ].map((sql) => prepare(db, sql));

  return (turn) => {
    const nowMs = now();
    const latestMs = selectLatest.get(latestBeat)?.atMs ?? nowMs;
    const byMs = latestMs - nowMs;
    const isSetBack = byMs > clockToleranceMs;
    if (isSetBack) {
      for (const move of moves) move.run(nowMs, byMs, nowMs + clockToleranceMs);
      turn.announce({ type: "claimable" });
      turn.announce({ type: "deliverable" });
      turn.announce({ type: "fireable" });
    }
    putLatest.run(latestBeat, isSetBack ? nowMs : Math.max(nowMs, latestMs));
  };
}
