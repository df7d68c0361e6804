import type { DueSchedule, NewRecord, ScheduleAdvance, Scope, TriggerGate, TriggerStore } from "@procedo/storage";
import { firingIdOf, scheduledDedupeKey } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import type { SqliteFirings } from "./sqlite-firings.ts";
import { prepare } from "./statement.ts";
import type { WriteTurn } from "./transaction.ts";

/** The gates of triggers, and their schedules. */
export interface SqliteGates {
  /** Stores the gate of a record, within the write that stores the record. */
  put(record: number, written: NewRecord, before: string | null): void;
  /** Ends the firings of a trigger whose record is removed by the same write. Its gate is removed with the record. */
  remove(scope: Scope, triggerId: string): void;
  /** The schedules that are due. Must be called within a snapshot. */
  due(request: Parameters<TriggerStore["due"]>[0]): Awaited<ReturnType<TriggerStore["due"]>>;
  advance(turn: WriteTurn, item: ScheduleAdvance): "advanced" | "stale";
}

interface DueRow {
  readonly scope: number;
  readonly triggerId: string;
  readonly revision: number;
  readonly accountedAtMs: number;
  readonly dueAtMs: number;
}

export function sqliteGates({ db, now, scopes }: SqliteContext, firings: SqliteFirings): SqliteGates {
  // ?7: whether the schedule stays as it is stored.
  const upsert = prepare(
    db,
    `INSERT INTO trigger_gates (record, scope, trigger_id, overlap, max_open_runs, is_held, accounted_at_ms, due_at_ms)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?8, ?9)
     ON CONFLICT (record) DO UPDATE SET
       scope = excluded.scope, overlap = excluded.overlap, max_open_runs = excluded.max_open_runs,
       is_held = excluded.is_held,
       accounted_at_ms = CASE ?7 WHEN 1 THEN accounted_at_ms ELSE excluded.accounted_at_ms END,
       due_at_ms = CASE ?7 WHEN 1 THEN due_at_ms ELSE excluded.due_at_ms END`,
  );
  // A claimed firing was judged by the trigger as it was.
  const giveBack = prepare(
    db,
    `UPDATE firing_queue INDEXED BY firing_queue_claimed SET is_claimed = 0, due_at_ms = min(due_at_ms, ?3)
      WHERE scope = ?1 AND trigger_id = ?2 AND is_claimed = 1`,
  );
  const dropSchedule = prepare(
    db,
    "UPDATE trigger_gates SET accounted_at_ms = NULL, due_at_ms = NULL WHERE record = ?",
  );
  const selectDue = prepare<DueRow>(
    db,
    `SELECT scope, trigger_id AS "triggerId", revision, accounted_at_ms AS "accountedAtMs", due_at_ms AS "dueAtMs"
       FROM trigger_gates INDEXED BY trigger_gates_due JOIN records USING (record)
      WHERE scope = ? AND due_at_ms IS NOT NULL AND due_at_ms <= ? ORDER BY due_at_ms, trigger_id LIMIT +?`,
  );
  const selectNext = prepare<{ dueAtMs: number | null }>(
    db,
    `SELECT min(due_at_ms) AS "dueAtMs" FROM trigger_gates INDEXED BY trigger_gates_due
      WHERE scope = ? AND due_at_ms IS NOT NULL AND due_at_ms > ?`,
  );
  const moveOn = prepare(
    db,
    `UPDATE trigger_gates SET accounted_at_ms = ?1, due_at_ms = ?2
      WHERE scope = ?3 AND trigger_id = ?4 AND accounted_at_ms IS NOT NULL AND due_at_ms IS ?5
        AND (SELECT revision FROM records WHERE records.record = trigger_gates.record) = ?6`,
  );

  function store(record: number, scope: number, id: string, gate: TriggerGate): void {
    const { overlap, maxOpenRuns = null, isHeld, schedule } = gate;
    const { accountedAtMs = null, dueAtMs = null } = schedule === "kept" ? {} : (schedule ?? {});
    const rule = [overlap, maxOpenRuns, isHeld ? 1 : 0];
    giveBack.run(scope, id, now());
    upsert.run(record, scope, id, ...rule, schedule === "kept" ? 1 : 0, accountedAtMs, dueAtMs);
  }

  function remove(scope: Scope, triggerId: string): void {
    const number = scopes.find(scope);
    if (number !== undefined) firings.endAll(number, triggerId, "deleted");
  }

  return {
    put(record, { workspace, environment, id, trigger }, before) {
      if (trigger === undefined || environment === undefined) return;
      const isMoved = before !== null && before !== environment;
      if (isMoved) {
        remove({ workspace, environment: environment === "live" ? "sandbox" : "live" }, id);
        dropSchedule.run(record);
      }
      store(record, scopes.intern({ workspace, environment }), id, trigger);
    },

    remove,

    due({ workspace, limit, beforeMs }) {
      const nowMs = now();
      const untilMs = beforeMs ?? nowMs;
      const numbers = scopes.ofWorkspace(workspace);
      const rows = numbers.flatMap((scope) => selectDue.all(scope, untilMs, limit));
      const next = numbers.flatMap((scope) => selectNext.get(scope, untilMs)?.dueAtMs ?? []);
      const schedules = rows
        .map(({ scope, ...row }): DueSchedule => ({ ...row, scope: scopes.get(scope) }))
        .sort((a, b) => a.dueAtMs - b.dueAtMs || (a.triggerId < b.triggerId ? -1 : 1))
        .slice(0, limit);
      return { nowMs, schedules, nextDueAtMs: next.length === 0 ? undefined : Math.min(...next) };
    },

    advance(turn, { scope: of, triggerId, revision, dueAtMs, firings: times, next }) {
      const scope = scopes.find(of);
      if (scope === undefined) return "stale";
      const place = [next.accountedAtMs, next.dueAtMs ?? null, scope, triggerId, dueAtMs ?? null, revision];
      if (moveOn.run(...place).changes === 0) return "stale";
      for (const time of times) {
        firings.add({ scope, triggerId, firingId: firingIdOf(triggerId, scheduledDedupeKey(time)), ...time });
      }
      if (times.some(({ skipped }) => skipped === undefined)) turn.announce({ type: "fireable" });
      return "advanced";
    },
  };
}
