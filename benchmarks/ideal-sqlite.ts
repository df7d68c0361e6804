import path from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { inThreadWriter, openJournal } from "./ideal-journal.ts";
import { idealSession } from "./ideal-session.ts";
import type { PaymentInput } from "./payment.ts";
import type { System } from "./system.ts";

/** The ceiling on one SQLite file. */
export const idealSqlite: System = {
  name: "ideal-sqlite",
  async open({ directory, tools }) {
    const file = path.join(directory, "ideal.sqlite");
    const db = openJournal(file);
    return idealSession({
      database: { kind: "sqlite", file },
      tools,
      writer: inThreadWriter(db),
      request: requestIn(db),
    });
  },
};

/** Reads the data with which a run was started. */
export function requestIn(db: DatabaseSync): (runId: number) => Promise<PaymentInput> {
  const firstInput = db.prepare("SELECT input FROM journal WHERE run_id = ? AND seq = 0");
  return async (runId) => JSON.parse(String(firstInput.get(runId)?.["input"])) as PaymentInput;
}
