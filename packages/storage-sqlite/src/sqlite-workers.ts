import type { WorkerStore } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import { latestBeat, sqliteSetBack } from "./sqlite-set-back.ts";
import { prepare } from "./statement.ts";

/** The absence after which a worker is deleted. To the queue, a missing worker is the same as an ended lease. */
const forgottenAfterMs = 24 * 60 * 60 * 1000;

/** Selects by scope, because the index of open runs begins with the scope. */
const heldByWorker = "ended_at_ms IS NULL AND scope IN (SELECT scope FROM scopes) AND worker_id = ?";

export function sqliteWorkers({ db, now, reader, writer }: SqliteContext): WorkerStore {
  const noticeSetBack = sqliteSetBack({ db, now });
  const forget = prepare(db, "DELETE FROM workers WHERE lease_ends_at_ms < ? AND worker_id <> ?");
  const upsertWorker = prepare(
    db,
    `INSERT INTO workers (worker_id, lease_ends_at_ms) VALUES (?, ?)
     ON CONFLICT (worker_id) DO UPDATE SET lease_ends_at_ms = excluded.lease_ends_at_ms`,
  );
  const endLease = prepare(db, "DELETE FROM workers WHERE worker_id = ?");
  const parkAll = prepare(db, `UPDATE runs SET worker_id = NULL, wake_at_ms = ? WHERE ${heldByWorker}`);
  const parkOne = prepare(db, "UPDATE runs SET worker_id = NULL, wake_at_ms = ? WHERE run_id = ? AND worker_id = ?");
  const selectHeld = prepare<{ runId: string }>(
    db,
    `SELECT run_id AS "runId" FROM runs WHERE ${heldByWorker} ORDER BY run`,
  );

  const selectWorking = prepare<{ found: number }>(
    db,
    `SELECT EXISTS (SELECT 1 FROM workers WHERE lease_ends_at_ms > ? AND worker_id <> ?) AS "found"`,
  );

  return {
    heartbeat: ({ workerId, leaseMs }) =>
      writer.write((turn) => {
        noticeSetBack(turn);
        forget.run(now() - forgottenAfterMs, latestBeat);
        upsertWorker.run(workerId, now() + leaseMs);
      }),

    release: ({ workerId }) =>
      writer.write((turn) => {
        endLease.run(workerId);
        if (Number(parkAll.run(now(), workerId).changes) > 0) turn.announce({ type: "claimable" });
      }),

    listRuns: ({ workerId }) => reader.read(() => selectHeld.all(workerId).map(({ runId }) => runId)),

    areWorking: () => reader.read(() => selectWorking.get(now(), latestBeat)?.found === 1),

    releaseRuns: ({ workerId, runIds }) =>
      writer.write((turn) => {
        let parked = 0;
        for (const runId of runIds) parked += Number(parkOne.run(now(), runId, workerId).changes);
        if (parked > 0) turn.announce({ type: "claimable" });
      }),
  };
}
