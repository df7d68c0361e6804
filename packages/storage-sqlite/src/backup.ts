import { access, link, open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { ProcedoError } from "@procedo/contract";
import { migrate } from "./migrate.ts";
import { migrations } from "./migrations/migrations.ts";
import { procedoErrorOf } from "./sqlite-error.ts";

/** All pages in one step: a copy in several steps begins anew with each commit of another process. */
const everyPage = 2 ** 31 - 1;

/** Where from and where to; `to` must not exist. */
export interface CopyRequest {
  readonly from: string;
  readonly to: string;
}

/** What was made, with its size. */
export interface CopyResult {
  readonly bytes: number;
}

/**
 * Copies a database, also while others write to it: the copy is the state of one moment, with every commit that was
 * acknowledged before the call. It is checked and appears whole or not at all; an existing file is never replaced.
 *
 * @throws ProcedoError `invalid_input` when `from` is not there or `to` is; `storage_unavailable` when there is no space
 */
export async function backupDatabase(request: CopyRequest): Promise<CopyResult> {
  return await copyDatabase(request, () => {});
}

/**
 * Puts a backup in place, for storage to be opened on it. Runs go on from the moment of the backup.
 *
 * Webhook deliveries that were pending then may have been made since by the database that the backup replaces. They end
 * as failed, each to be sent again by hand.
 *
 * @param request.resendDeliveries leaves them pending instead, under the ids that they had. @defaultValue false
 * @throws ProcedoError as {@link backupDatabase} does; `invalid_configuration` when it is no backup of ours, or one of a
 *   newer version
 */
export async function restoreDatabase(
  request: CopyRequest & { readonly resendDeliveries?: boolean },
): Promise<CopyResult & { readonly deliveriesEnded: number }> {
  let deliveriesEnded = 0;
  const result = await copyDatabase(request, (database) => {
    migrate(database, migrations, true);
    if (request.resendDeliveries !== true) deliveriesEnded = endDeliveries(database);
  });
  return { ...result, deliveriesEnded };
}

async function copyDatabase({ from, to }: CopyRequest, change: (copy: DatabaseSync) => void): Promise<CopyResult> {
  if (!(await exists(from))) throw invalid(`There is no database "${from}".`);
  if (await exists(to)) throw invalid(`"${to}" exists. Name a file that does not.`);
  const draft = `${to}.tmp`;
  try {
    await copy(from, draft);
    settle(draft, change);
    const file = await open(draft, "r+");
    // It holds what the database holds, of which the owner alone is to read.
    await file.chmod(0o600);
    const { size } = await file.stat();
    await file.sync().finally(() => file.close());
    await link(draft, to);
    const folder = await open(dirname(to), "r");
    await folder.sync().finally(() => folder.close());
    return { bytes: size };
  } catch (error) {
    throw procedoErrorOf(error);
  } finally {
    await rm(draft, { force: true });
  }
}

function endDeliveries(database: DatabaseSync): number {
  const update = `UPDATE deliveries SET status = 'failed', due_at_ms = NULL, sender_id = NULL, manual = 0,
                                        error = 'It was pending in a backup that was restored, and is not sent again.'
                   WHERE status = 'pending'`;
  return Number(database.prepare(update).run().changes);
}

async function copy(from: string, to: string): Promise<void> {
  const source = new DatabaseSync(from, { readOnly: true });
  try {
    await backup(source, to, { rate: everyPage });
  } finally {
    source.close();
  }
}

/** Makes it one file that needs no log beside it; whoever opens it as storage switches the log on again. */
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

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}

function invalid(message: string): ProcedoError {
  return new ProcedoError("invalid_input", message);
}
