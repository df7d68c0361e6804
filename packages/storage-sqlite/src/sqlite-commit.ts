import type { CommitResult, RunCommit, RunCreation, RunPlace, RunStatus } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import { hasEffects, sqliteCommitEffects } from "./sqlite-commit-effects.ts";
import { prepare } from "./statement.ts";
import type { WriteTurn } from "./transaction.ts";

/** Appends one row to one run, within a write. What it throws undoes the whole item. */
export type CommitOne = (turn: WriteTurn, item: RunCommit) => CommitResult;

const committed: CommitResult = { status: "committed" };
const fenced: CommitResult = { status: "fenced" };

export function sqliteCommit(context: SqliteContext): CommitOne {
  const { db, now, scopes } = context;
  const bringAbout = sqliteCommitEffects(context);

  // The fence is in the statement: the run is open under this epoch, the row before is there, and this one is not.
  const append = (held: string): string => `
    INSERT INTO journal (run, seq, hash, body)
    SELECT run, ?4, ?5, ?6 FROM runs
     WHERE run_id = ?1 AND scope = ?2 AND epoch = ?3 AND ended_at_ms IS NULL ${held}
       AND EXISTS (SELECT 1 FROM journal AS before WHERE before.run = runs.run AND before.seq = ?4 - 1)
    ON CONFLICT (run, seq) DO NOTHING`;
  const appendRow = prepare(db, append(""));
  // Most commits: the run stays where it is, and its row in `runs` is not touched.
  const appendToHeld = prepare(db, append("AND worker_id = ?7 AND status = 'running'"));

  const selectHash = prepare<{ hash: string }>(
    db,
    "SELECT hash FROM runs JOIN journal USING (run) WHERE run_id = ? AND scope = ? AND seq = ?",
  );
  const selectRun = prepare<{ run: number; procedureId: string }>(
    db,
    `SELECT run, procedure_id AS "procedureId" FROM runs WHERE run_id = ? AND scope = ?`,
  );
  const selectNews = prepare<{ found: 1 }>(db, "SELECT 1 AS found FROM inbox WHERE run = ? AND consumed = 0 LIMIT 1");
  const updatePlace = prepare(
    db,
    "UPDATE runs SET status = ?, worker_id = ?, wake_at_ms = ?, ended_at_ms = ?, error = ? WHERE run = ?",
  );

  const insertRun = prepare(
    db,
    `INSERT INTO runs (status, worker_id, wake_at_ms, ended_at_ms, error, run_id, scope, procedure_id,
                       procedure_version, started_by, created_at_ms, epoch)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (run_id) DO NOTHING`,
  );
  const insertFirstRow = prepare(db, "INSERT INTO journal (run, seq, hash, body) VALUES (?, 1, ?, ?)");
  const selectKey = prepare<{ runId: string; digest: string; expiresAtMs: number }>(
    db,
    `SELECT run_id AS "runId", digest, expires_at_ms AS "expiresAtMs" FROM idempotency JOIN runs USING (run)
      WHERE idempotency.scope = ? AND idempotency.procedure_id = ? AND idempotency_key = ?`,
  );
  const holdKey = prepare(
    db,
    `INSERT OR REPLACE INTO idempotency (scope, procedure_id, idempotency_key, run, digest, expires_at_ms)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );

  /** What an item that cannot be appended is: the repetition of one that was, or too late. */
  function settle({ runId, seq, hash }: RunCommit, scope: number): CommitResult {
    return selectHash.get(runId, scope, seq)?.hash === hash ? committed : fenced;
  }

  function holderOfKey(scope: number, item: RunCommit, creation: RunCreation): CommitResult | undefined {
    if (creation.idempotency === undefined) return undefined;
    const holder = selectKey.get(scope, creation.procedureId, creation.idempotency.key);
    if (holder === undefined || holder.expiresAtMs <= now()) return undefined;
    if (holder.runId === item.runId || selectRun.get(item.runId, scope) !== undefined) return settle(item, scope);
    return { status: "exists", runId: holder.runId, digest: holder.digest };
  }

  function create(turn: WriteTurn, item: RunCommit, creation: RunCreation): CommitResult {
    const { runId, epoch, hash, body, then } = item;
    const { procedureId, procedureVersion, startedBy, createdAtMs, idempotency } = creation;
    const scope = scopes.intern(item.scope);
    const answer = holderOfKey(scope, item, creation);
    if (answer !== undefined) return answer;

    const place = columnsOf(then);
    const inserted = insertRun.run(
      ...place, runId, scope, procedureId, procedureVersion, startedBy, createdAtMs, epoch,
    ); // prettier-ignore
    if (inserted.changes === 0) return settle(item, scope);
    const run = Number(inserted.lastInsertRowid);
    insertFirstRow.run(run, hash, body);
    if (idempotency !== undefined) {
      holdKey.run(scope, procedureId, idempotency.key, run, idempotency.digest, idempotency.expiresAtMs);
    }
    if (hasEffects(item)) bringAbout(item, { run, scope, procedureId });
    announce(turn, runId, then, then.kind === "parked" ? then.wakeAtMs : undefined);
    return committed;
  }

  function announce(turn: WriteTurn, runId: string, then: RunPlace, wakeAtMs: number | undefined): void {
    if (then.kind === "hot") return;
    turn.announce({ type: "settled", runId });
    if (wakeAtMs !== undefined && wakeAtMs <= now()) turn.announce({ type: "claimable" });
  }

  return (turn, item) => {
    if (item.create !== undefined) return create(turn, item, item.create);
    const { runId, epoch, seq, hash, body, then } = item;
    const scope = scopes.find(item.scope);
    if (scope === undefined) return fenced;
    const plain = !hasEffects(item);
    if (then.kind === "hot" && plain) {
      if (appendToHeld.run(runId, scope, epoch, seq, hash, body, then.workerId).changes === 1) return committed;
    }
    if (appendRow.run(runId, scope, epoch, seq, hash, body).changes === 0) return settle(item, scope);

    const found = selectRun.get(runId, scope);
    if (found === undefined) return fenced;
    if (!plain) bringAbout(item, { ...found, scope });
    const [status, workerId, wakeAtMs, endedAtMs, error] = columnsOf(then);
    // News that this row has not folded in wakes a run that is parked.
    const news = then.kind === "parked" && selectNews.get(found.run) !== undefined;
    const wakesAtMs = news ? Math.min(wakeAtMs ?? Infinity, now()) : wakeAtMs;
    updatePlace.run(news ? "running" : status, workerId, wakesAtMs, endedAtMs, error, found.run);
    announce(turn, runId, then, wakesAtMs ?? undefined);
    return committed;
  };
}

type PlaceColumns = readonly [
  status: RunStatus,
  workerId: string | null,
  wakeAtMs: number | null,
  endedAtMs: number | null,
  error: string | null,
];

function columnsOf(then: RunPlace): PlaceColumns {
  switch (then.kind) {
    case "hot":
      return ["running", then.workerId, null, null, null];
    case "parked":
      return [then.status, null, then.wakeAtMs ?? null, null, null];
    case "ended":
      return [then.status, null, null, then.endedAtMs, then.error ?? null];
  }
}
