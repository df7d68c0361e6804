import type { RunCreation } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import { prepare } from "./statement.ts";

/** What started the runs that a trigger or a person of the workspace started. */
export interface SqliteRunTriggers {
  /** Stores it with a new run, within the write that creates the run. */
  add(run: number, scope: number, creation: RunCreation): void;
  /** As JSON text. */
  bodyOf(run: number): string | undefined;
}

export function sqliteRunTriggers({ db }: SqliteContext): SqliteRunTriggers {
  const insert = prepare(
    db,
    "INSERT INTO run_triggers (run, run_scope, trigger_id, started_at_ms, body) VALUES (?, ?, ?, ?, ?)",
  );
  const selectBody = prepare<{ body: string }>(db, "SELECT body FROM run_triggers WHERE run = ?");

  return {
    add(run, scope, { trigger, createdAtMs }) {
      if (trigger !== undefined) insert.run(run, scope, trigger.triggerId ?? null, createdAtMs, trigger.body);
    },
    bodyOf: (run) => selectBody.get(run)?.body,
  };
}
