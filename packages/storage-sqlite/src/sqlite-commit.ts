import type { CommitResult, RunCommit, RunCreation, RunPlace, RunStatus } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import { hasEffects, sqliteCommitEffects } from "./sqlite-commit-effects.ts";
import type { SqliteRunTriggers } from "./sqlite-run-triggers.ts";
import type { TriggerParts } from "./sqlite-triggers.ts";
import { prepare, prepareTuple } from "./statement.ts";
import type { WriteTurn } from "./transaction.ts";

/** Appends one row to one run, within a write. An error undoes the whole item. */
export interface Commits {
  readonly commitOne: (turn: WriteTurn, item: RunCommit) => CommitResult;

  /** Appends a row to a parked run with an empty inbox, and leaves the run in the state of `then`. */
  readonly resume: (turn: WriteTurn, run: ParkedRun, item: RunCommit) => CommitResult;
}

/** The state in which a run was parked. */
export interface ParkedRun {
  readonly run: number;
  readonly run_id: string;
  readonly scope: number;
  readonly epoch: number;
  readonly last_seq: number;
}

const committed: CommitResult = { status: "committed" };
const fenced: CommitResult = { status: "fenced" };
const inboxNotEmpty: CommitResult = { status: "inbox_not_empty" };

export function sqliteCommit(
  context: SqliteContext,
  { events, firings }: Pick<TriggerParts, "events" | "firings">,
  triggers: SqliteRunTriggers,
): Commits {
  const { db, now, scopes } = context;
  const bringAbout = sqliteCommitEffects(context, events);

  // The fence finds a run only if the run is open under the item's epoch; only the run's next row fits. No other writer
  // runs in between, and the journal's primary key is the second check.
  const selectOpen = prepareTuple<[run: number, lastSeq: number, workerId: string | null]>(
    db,
    `SELECT run, (SELECT max(seq) FROM journal WHERE journal.run = runs.run), worker_id
       FROM runs WHERE run_id = ?1 AND scope = ?2 AND epoch = ?3 AND ended_at_ms IS NULL`,
  );
  const insertRow = prepare(db, "INSERT INTO journal (run, seq, hash, body) VALUES (?, ?, ?, ?)");
  const selectHash = prepare<{ hash: string }>(
    db,
    "SELECT hash FROM runs JOIN journal USING (run) WHERE run_id = ? AND scope = ? AND seq = ? AND epoch = ?",
  );
  const selectRun = prepare<{ run: number }>(db, "SELECT run FROM runs WHERE run_id = ? AND scope = ?");
  const selectUnread = prepare<{ key: string }>(
    db,
    "SELECT effect_key AS key FROM inbox WHERE run = ? AND consumed = 0",
  );
  const updatePlace = prepare(
    db,
    `UPDATE runs SET status = ?, worker_id = ?, wake_at_ms = ?, ended_at_ms = ?, error = ?, output = ?, epoch = ?
      WHERE run = ?`,
  );

  const insertRun = prepare(
    db,
    `INSERT INTO runs (status, worker_id, wake_at_ms, ended_at_ms, error, output, run_id, scope, procedure_id,
                       procedure_version, started_by, reference, created_at_ms, epoch)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (run_id) DO NOTHING`,
  );
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

  /** The result of an item that cannot be appended: `committed` if it repeats a stored row, otherwise `fenced`. */
  function resultOfUnstored({ runId, epoch, seq, hash }: RunCommit, scope: number): CommitResult {
    return selectHash.get(runId, scope, seq, epoch)?.hash === hash ? committed : fenced;
  }

  /** The run of the item, if it is open under the item's epoch and its last row precedes the item's row. */
  function findOpen(
    { runId, epoch, seq }: RunCommit,
    scope: number,
  ): { readonly run: number; readonly workerId: string | null } | undefined {
    const found = selectOpen.get(runId, scope, epoch);
    if (found === undefined) return undefined;
    const [run, lastSeq, workerId] = found;
    return lastSeq === seq - 1 ? { run, workerId } : undefined;
  }

  function holderOfKey(scope: number, item: RunCommit, creation: RunCreation): CommitResult | undefined {
    if (creation.idempotency === undefined) return undefined;
    const holder = selectKey.get(scope, creation.procedureId, creation.idempotency.key);
    if (holder === undefined || holder.expiresAtMs <= now()) return undefined;
    if (holder.runId === item.runId || selectRun.get(item.runId, scope) !== undefined)
      return resultOfUnstored(item, scope);
    return { status: "exists", runId: holder.runId, digest: holder.digest };
  }

  function isClaimed(scope: number, { triggerId, firingId, epoch }: NonNullable<RunCreation["firing"]>): boolean {
    const firing = firings.findClaimed(scope, firingId, epoch);
    return firing !== undefined && firing === firings.find(scope, triggerId, firingId);
  }

  function leavesUnread(run: number, { consume = [] }: RunCommit): boolean {
    return selectUnread.all(run).some(({ key }) => !consume.includes(key));
  }

  function create(turn: WriteTurn, item: RunCommit, creation: RunCreation): CommitResult {
    const { runId, epoch, hash, body, then } = item;
    const { procedureId, procedureVersion, startedBy, reference = null, createdAtMs, idempotency } = creation;
    const { trigger, firing } = creation;
    const scope = scopes.intern(item.scope);
    const answer = holderOfKey(scope, item, creation);
    if (answer !== undefined) return answer;
    // A repeated creation finds its firing started.
    if (firing !== undefined && !isClaimed(scope, firing)) return resultOfUnstored(item, scope);

    const place = columnsOf(then);
    const identity = [runId, scope, procedureId, procedureVersion, startedBy, reference, createdAtMs, epoch];
    const inserted = insertRun.run(...place, ...identity);
    if (inserted.changes === 0) return resultOfUnstored(item, scope);
    const run = Number(inserted.lastInsertRowid);
    insertRow.run(run, 1, hash, body);
    if (idempotency !== undefined) {
      holdKey.run(scope, procedureId, idempotency.key, run, idempotency.digest, idempotency.expiresAtMs);
    }
    if (trigger !== undefined) triggers.add(run, scope, creation);
    if (firing !== undefined) firings.start(scope, firing, run);
    if (hasEffects(item)) bringAbout(turn, item, run, scope);
    announce(turn, item, then.kind === "parked" ? then.wakeAtMs : undefined);
    return committed;
  }

  function announce(turn: WriteTurn, { scope, runId, then }: RunCommit, wakeAtMs: number | undefined): void {
    if (then.kind === "hot") return;
    turn.announce({ type: "settled", runId, scope });
    if (wakeAtMs !== undefined && wakeAtMs <= now()) turn.announce({ type: "claimable" });
  }

  function append(turn: WriteTurn, item: RunCommit, scope: number, run: number, holder: string | null): void {
    const { epoch, seq, hash, body, then } = item;
    insertRow.run(run, seq, hash, body);
    if (hasEffects(item)) bringAbout(turn, item, run, scope);
    // Most rows do not change the state of their run, so its row in `runs` is not written.
    if (then.kind === "hot" && then.workerId === holder) return;
    const [status, workerId, wakeAtMs, endedAtMs, error, output] = columnsOf(then);
    // A parked run wakes if it has a notification that this row did not consume.
    const hasUnread = then.kind === "parked" && selectUnread.get(run) !== undefined;
    const wakesAtMs = hasUnread ? Math.min(wakeAtMs ?? Infinity, now()) : wakeAtMs;
    updatePlace.run(hasUnread ? "running" : status, workerId, wakesAtMs, endedAtMs, error, output, epoch, run);
    announce(turn, item, wakesAtMs ?? undefined);
  }

  return {
    commitOne: (turn, item) => {
      if (item.create !== undefined) return create(turn, item, item.create);
      const scope = scopes.find(item.scope);
      if (scope === undefined) return fenced;
      const open = findOpen(item, scope);
      if (open === undefined) return resultOfUnstored(item, scope);
      if (item.then.kind === "ended" && leavesUnread(open.run, item)) return inboxNotEmpty;
      append(turn, item, scope, open.run, open.workerId);
      return committed;
    },

    resume: (turn, { run, run_id, scope, epoch, last_seq }, item) => {
      const follows = item.runId === run_id && item.epoch === epoch + 1 && item.seq === last_seq + 1;
      if (!follows || item.create !== undefined || scopes.find(item.scope) !== scope) return fenced;
      append(turn, item, scope, run, null);
      return committed;
    },
  };
}

type PlaceColumns = readonly [
  status: RunStatus,
  workerId: string | null,
  wakeAtMs: number | null,
  endedAtMs: number | null,
  error: string | null,
  output: string | null,
];

function columnsOf(then: RunPlace): PlaceColumns {
  switch (then.kind) {
    case "hot":
      return ["running", then.workerId, null, null, null, null];
    case "parked":
      return [then.status, null, then.wakeAtMs ?? null, null, null, null];
    case "ended":
      return [then.status, null, null, then.endedAtMs, then.error ?? null, then.output ?? null];
  }
}
