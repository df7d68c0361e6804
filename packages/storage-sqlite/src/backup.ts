import { randomUUID } from "node:crypto";
import { access, link, open, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { ProcedoError } from "@procedo/contract";
import { migrate } from "./migrate.ts";
import { migrations } from "./migrations/migrations.ts";
import { procedoErrorOf } from "./sqlite-error.ts";

/** All pages in one step. A copy in several steps restarts with each commit of another process. */
const everyPage = 2 ** 31 - 1;

/** The name suffixes of the files that SQLite keeps beside a database. */
const besides = ["-wal", "-shm", "-journal"] as const;

/** The source and the target. Neither `to` nor a log of a database of this name may exist. */
export interface CopyRequest {
  /** Path of the database to copy. It may be in use. */
  readonly from: string;
  /** Path of the copy. The file must not exist. */
  readonly to: string;
}

/** The size of the copy. */
export interface CopyResult {
  /** Size of the copy, in bytes. */
  readonly bytes: number;
}

/** What a restore has ended. */
export interface RestoreResult extends CopyResult {
  /** Webhook deliveries that were pending, ended as failed. */
  readonly deliveriesEnded: number;
  /** Firings of triggers that were pending or waiting, ended as skipped. */
  readonly firingsEnded: number;
  /** Sessions of people, who sign in again. */
  readonly sessionsEnded: number;
  /** Invitations that were open. The people are invited again. */
  readonly invitationsWithdrawn: number;
}

/**
 * Copies a database, also while others write to it. The copy is the state of one moment and has every commit that was
 * acknowledged before the call. It is checked, and appears whole or not at all. An existing file is never replaced.
 *
 * @throws ProcedoError `invalid_input` when `from` is missing, or when `to` or a log beside it exists;
 *   `storage_unavailable` when there is no space, or when `to` is not writable
 * @example
 * ```ts
 * import { backupDatabase } from "@procedo/storage-sqlite";
 *
 * const { bytes } = await backupDatabase({ from: "procedo.sqlite", to: "backup.sqlite" });
 * ```
 */
export async function backupDatabase(request: CopyRequest): Promise<CopyResult> {
  return await copyDatabase(request, () => {});
}

/**
 * Puts a backup in place, so that storage can be opened on it. Runs resume from the moment of the backup.
 *
 * The database that the backup replaces may have made webhook deliveries that are pending in the backup. These
 * deliveries end as failed; each can be resent by hand.
 *
 * Clients may have executed calls of non-idempotent functions since the backup. Such calls lapse if they were queued or
 * leased, so that people decide about them.
 *
 * Firings of triggers that are pending or waiting in the backup may have started their runs since, and schedules may have
 * fired. These firings end as skipped. The times of schedules up to now are skipped when the engine starts, which counts
 * them.
 *
 * All sessions of people end, and open invitations expire: those that were ended or withdrawn since the backup would be
 * valid again.
 *
 * @param request.resendDeliveries leaves the deliveries pending under their ids. @defaultValue false
 * @throws ProcedoError as {@link backupDatabase} does; `invalid_configuration` when the file is not a backup of Procedo,
 *   or has a newer schema version
 * @example
 * ```ts
 * import { restoreDatabase } from "@procedo/storage-sqlite";
 *
 * const { deliveriesEnded } = await restoreDatabase({ from: "backup.sqlite", to: "procedo.sqlite" });
 * ```
 */
export async function restoreDatabase(
  request: CopyRequest & { readonly resendDeliveries?: boolean },
): Promise<RestoreResult> {
  const ended = { deliveriesEnded: 0, firingsEnded: 0, sessionsEnded: 0, invitationsWithdrawn: 0 };
  const result = await copyDatabase(request, (database) => {
    migrate(database, migrations, true);
    loseInvocations(database);
    ended.firingsEnded = endFirings(database);
    markSchedules(database);
    ended.sessionsEnded = endSessions(database);
    ended.invitationsWithdrawn = expireInvitations(database);
    if (request.resendDeliveries !== true) ended.deliveriesEnded = endDeliveries(database);
  });
  return { ...result, ...ended };
}

async function copyDatabase({ from, to }: CopyRequest, change: (copy: DatabaseSync) => void): Promise<CopyResult> {
  if (!(await exists(from))) throw invalid(`There is no database "${from}".`);
  await checkFree(to);
  const draft = `${to}.${randomUUID()}.tmp`;
  try {
    // The copy has the same content as the database: only its owner may read it.
    await (await open(draft, "wx", 0o600)).close();
    await copy(from, draft);
    settle(draft, change);
    const { size } = await stat(draft);
    await syncToDisk(draft, "r+");
    await checkFree(to);
    await link(draft, to);
    await syncToDisk(dirname(to), "r");
    return { bytes: size };
  } catch (error) {
    throw copyError(error, to);
  } finally {
    for (const end of ["", ...besides]) await rm(`${draft}${end}`, { force: true });
  }
}

/** SQLite would apply a leftover log to the new file, and write pages of the other database into it. */
/** The content of a file, and its name in its folder, survive a loss of power only when they are synced. */
async function syncToDisk(path: string, flags: "r" | "r+"): Promise<void> {
  const handle = await open(path, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function checkFree(to: string): Promise<void> {
  if (await exists(to)) throw occupied(to);
  for (const end of besides) {
    const path = `${to}${end}`;
    if (!(await exists(path))) continue;
    throw invalid(
      `"${path}" is left over from a database that is no longer there, and may hold its last commits. ` +
        "Move it to where that database is now, or name another file.",
    );
  }
}

function endDeliveries(database: DatabaseSync): number {
  const error = "It was pending in a backup that was restored, and is not sent again.";
  const update = `UPDATE deliveries SET status = 'failed', manual = 0, error = ?, epoch = epoch + claims,
                                        attempt_count = attempt_count + claims
                    FROM delivery_queue WHERE delivery_queue.delivery = deliveries.delivery`;
  const { changes } = database.prepare(update).run(error);
  database.exec("DELETE FROM delivery_queue");
  return Number(changes);
}

/** Marks calls as if a client had begun them and died. The replaced database may have dispatched them. */
function loseInvocations(database: DatabaseSync): void {
  database.exec(`UPDATE invocations SET status = 'acknowledged', lease_ends_at_ms = 0, next = 'lapse'
                  WHERE next IS NOT NULL AND NOT idempotent`);
}

function endFirings(database: DatabaseSync): number {
  const update = `UPDATE firings SET status = 'skipped', reason = 'restored'
                   WHERE firing IN (SELECT firing FROM firing_queue)`;
  const { changes } = database.prepare(update).run();
  database.exec("DELETE FROM firing_queue");
  return Number(changes);
}

/** Writes the moment of the restore into the engine's records of triggers with a schedule. */
function markSchedules(database: DatabaseSync): void {
  const update = `UPDATE records SET body = json_set(body, '$.restoredAtMs', ?), revision = revision + 1
                   WHERE kind = 'trigger' AND body ->> '$.source.kind' = 'schedule'`;
  database.prepare(update).run(Date.now());
}

/** Ends sessions, expired ones too, in case the clock is wrong. @returns the number of those that were live */
function endSessions(database: DatabaseSync): number {
  const live = countOf(database, "sessions WHERE min(idle_ends_at_ms, ends_at_ms) > ?");
  database.exec("DELETE FROM sessions");
  return live;
}

/**
 * Lets the engine's invitations expire, which are part of its records of people. The records stay, as those of other
 * expired invitations do.
 *
 * @returns the number of those that were open, without that of the first owner
 */
function expireInvitations(database: DatabaseSync): number {
  const end = "json_extract(body, '$.invitation.expiresAtMs')";
  const open = countOf(database, `records WHERE kind = 'person' AND body ->> '$.email' IS NOT NULL AND ${end} > ?`);
  database.exec(`UPDATE records SET body = json_set(body, '$.invitation.expiresAtMs', 0), revision = revision + 1
                  WHERE kind = 'person' AND ${end} IS NOT NULL`);
  return open;
}

/** Counts rows by a condition on the present time. */
function countOf(database: DatabaseSync, rows: string): number {
  return Number(database.prepare(`SELECT count(*) AS number FROM ${rows}`).get(Date.now())?.["number"]);
}

async function copy(from: string, to: string): Promise<void> {
  const source = new DatabaseSync(from, { readOnly: true });
  try {
    await backup(source, to, { rate: everyPage });
  } finally {
    source.close();
  }
}

/** Turns the copy into one file without a log. Opening it as storage enables the log again. */
function settle(path: string, change: (copy: DatabaseSync) => void): void {
  const database = new DatabaseSync(path);
  try {
    change(database);
    database.exec("PRAGMA journal_mode = delete");
    const verdict = Object.values(database.prepare("PRAGMA quick_check(1)").get() ?? {})[0];
    if (verdict !== "ok") throw new ProcedoError("storage_unavailable", `The copy is damaged: ${String(verdict)}.`);
  } finally {
    database.close();
  }
}

/** File operations fail with system error codes. */
function copyError(error: unknown, to: string): ProcedoError {
  const code = error instanceof Error && "syscall" in error && "code" in error ? String(error.code) : undefined;
  if (code === undefined) return procedoErrorOf(error);
  if (code === "EEXIST") return occupied(to);
  return new ProcedoError("storage_unavailable", `"${to}" cannot be written now (${code}).`, { cause: error });
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}

function occupied(path: string): ProcedoError {
  return invalid(`"${path}" exists. Name a file that does not.`);
}

function invalid(message: string): ProcedoError {
  return new ProcedoError("invalid_input", message);
}
