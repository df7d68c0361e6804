import type { NewStub } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import { sqliteUnused } from "./sqlite-budgets.ts";
import { prepare } from "./statement.ts";

interface DeliveryNumbers {
  readonly delivery: number;
  readonly payload: number;
}

/** Moves one run into the archive, within a write. */
export interface SqliteArchive {
  /** The run's number if the run still matches the stub, and can therefore be archived. */
  find(scope: number, stub: NewStub): number | undefined;

  /** Deletes all data of the run except its row, and stores the stub. */
  move(run: number, stub: NewStub, auditSeq: number): void;

  /** Deletes an ended delivery with its attempts, and its payload unless another delivery shares it. */
  removeDelivery(delivery: DeliveryNumbers): void;
}

export function sqliteArchive(context: SqliteContext): SqliteArchive {
  const { db, now } = context;
  const unused = sqliteUnused(context);
  const selectRun = prepare<{ run: number; busy: 0 | 1 }>(
    db,
    `SELECT run, EXISTS (SELECT 1 FROM inbox WHERE inbox.run = runs.run AND consumed = 0)
              OR EXISTS (SELECT 1 FROM deliveries INDEXED BY deliveries_of_run
                          WHERE deliveries.run = runs.run AND deliveries.status = 'pending') AS busy
       FROM runs JOIN journal AS head USING (run)
      WHERE run_id = ? AND scope = ? AND ended_at_ms IS NOT NULL AND archived_at_ms IS NULL AND seq = ? AND hash = ?
        AND NOT EXISTS (SELECT 1 FROM journal AS later WHERE later.run = runs.run AND later.seq > head.seq)`,
  );
  const insertStub = prepare(
    db,
    "INSERT INTO archived_runs (run, seq, hash, audit_seq, output) VALUES (?, ?, ?, ?, ?)",
  );
  const markArchived = prepare(db, "UPDATE runs SET archived_at_ms = ?, output = NULL WHERE run = ?");
  const deletions = [
    "DELETE FROM decisions WHERE review IN (SELECT review FROM reviews WHERE reviews.run = ?)",
    "DELETE FROM reviews WHERE run = ?",
    "DELETE FROM inbox WHERE run = ?",
    "DELETE FROM invocations WHERE run = ?",
    "DELETE FROM connection_waits WHERE run = ?",
    "DELETE FROM journal WHERE run = ?",
  ].map((sql) => prepare(db, sql));

  const selectDeliveries = prepare<DeliveryNumbers>(
    db,
    "SELECT delivery, payload FROM deliveries INDEXED BY deliveries_of_run WHERE run = ?",
  );
  const deleteAttempts = prepare(db, "DELETE FROM delivery_attempts WHERE delivery = ?");
  const deleteDelivery = prepare(db, "DELETE FROM deliveries WHERE delivery = ?");
  const deletePayload = prepare(
    db,
    `DELETE FROM payloads WHERE payload = ?1
        AND NOT EXISTS (SELECT 1 FROM deliveries INDEXED BY deliveries_of_payload WHERE payload = ?1)`,
  );

  function removeDelivery({ delivery, payload }: DeliveryNumbers): void {
    deleteAttempts.run(delivery);
    deleteDelivery.run(delivery);
    deletePayload.run(payload);
  }

  return {
    find(scope, { runId, seq, hash }) {
      const found = selectRun.get(runId, scope, seq, hash);
      return found?.busy === 0 ? found.run : undefined;
    },

    move(run, { seq, hash, output }, auditSeq) {
      for (const deletion of deletions) deletion.run(run);
      unused.removeReservations(run);
      selectDeliveries.all(run).forEach(removeDelivery);
      insertStub.run(run, seq, hash, auditSeq, output ?? null);
      markArchived.run(now(), run);
    },

    removeDelivery,
  };
}
