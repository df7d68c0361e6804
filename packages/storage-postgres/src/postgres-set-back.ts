import { clockToleranceMs } from "@procedo/storage";
import type { Transaction } from "./database.ts";
import type { Statement } from "./statement.ts";

/** The row in `workers` that stores the latest time of any heartbeat. It does not belong to a worker. */
export const latestBeat = "";

/**
 * Moves waiting times to earlier times if the clock was set back since the last heartbeat. The first transaction that notices
 * does it for all nodes. The others wait for the row of {@link latestBeat}, and find the work done.
 */
export function postgresSetBack(schema: string): (tx: Transaction) => Promise<void> {
  const lockLatest: Statement = {
    name: "set-back-latest",
    text: `SELECT lease_ends_at_ms AS at_ms FROM ${schema}.workers WHERE worker_id = '${latestBeat}' FOR UPDATE`,
  };
  // $1: now, $2: the time difference, $3: earlier times do not change. Locks rows in the usual order.
  const move = (name: string, table: string, key: string, column: string, which: string): Statement => ({
    name: `set-back-${name}`,
    text: `UPDATE ${schema}.${table} SET ${column} = greatest($1::bigint, ${column} - $2::bigint)
            WHERE ${key} = ANY (ARRAY(
              SELECT ${key} FROM ${schema}.${table} WHERE ${column} > $3::bigint AND ${which} ORDER BY ${key} FOR UPDATE))
              AND ${column} > $3::bigint AND ${which}`,
  });
  const isParked = "worker_id IS NULL AND ended_at_ms IS NULL AND status = 'running'";
  const moves = [
    move("workers", "workers", "worker_id", "lease_ends_at_ms", `worker_id <> '${latestBeat}'`),
    move("runs", "runs", "run_id", "wake_at_ms", isParked),
    move("deliveries", "delivery_queue", "delivery_id", "due_at_ms", "true"),
    // The nominal times of schedules are dates, and stay.
    move("firings", "firing_queue", "firing", "due_at_ms", "true"),
    move("invocations", "invocations", "invocation_id", "lease_ends_at_ms", "next IS NOT NULL"),
  ];
  const putLatest: Statement = {
    name: "set-back-done",
    text: `UPDATE ${schema}.workers SET lease_ends_at_ms = $1 WHERE worker_id = '${latestBeat}'`,
  };

  return async (tx) => {
    const [latest] = await tx.query<{ at_ms: number }>(lockLatest, []);
    const byMs = (latest?.at_ms ?? tx.nowMs) - tx.nowMs;
    if (byMs <= clockToleranceMs) return;
    for (const statement of moves) await tx.query(statement, [tx.nowMs, byMs, tx.nowMs + clockToleranceMs]);
    await tx.query(putLatest, [tx.nowMs]);
    tx.announce({ type: "claimable" });
    tx.announce({ type: "deliverable" });
    tx.announce({ type: "fireable" });
  };
}
