import { access, mkdir, open, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { ProcedoError } from "@procedo/contract";
import { masterKeyFile } from "@procedo/engine";
import { SqliteStorage } from "@procedo/storage-sqlite";
import type { OpenData } from "./opened-data.ts";
import type { Settings } from "./settings/settings.ts";

type Place = Pick<Settings, "dataDir" | "masterKey">;

/** How soon a server sees what a command beside it did: a key that was deleted, for one. */
const changesSeenMs = 50;

/** Where the database lies. */
export function databasePath({ dataDir }: Pick<Settings, "dataDir">): string {
  return join(dataDir, "procedo.sqlite");
}

/** Where the master key lies, unless the environment holds it. */
export function masterKeyPath({ dataDir }: Pick<Settings, "dataDir">): string {
  return join(dataDir, "master.key");
}

/**
 * Opens the data folder to serve it: on the first start it is made, with its key, readable by its owner only; a database
 * of an earlier version is brought up to date. A folder that had a database never gets an empty one in its place.
 *
 * @param onFileLost told when the database's file is removed or replaced later, with what to do
 * @throws ProcedoError `invalid_configuration`, `storage_unavailable`
 */
export async function openDataFolder(place: Place, onFileLost: (message: string) => void): Promise<OpenData> {
  await makeDataFolder(place);
  await refuseLostDatabase(place);
  const masterKey = await masterKeyOf(place);
  const path = databasePath(place);
  const isNew = await makePrivate(path);
  try {
    const storage = await SqliteStorage.open({ path, pollMs: changesSeenMs, onFileLost });
    await writeMarker(place);
    return { masterKey, storage };
  } catch (error) {
    // An empty file would pass for data.
    if (isNew) await rm(path, { force: true });
    throw error;
  }
}

/** Says that the folder has a database. Its name is not of those that are removed together with the database's files. */
function markerPath({ dataDir }: Pick<Settings, "dataDir">): string {
  return join(dataDir, "has-database");
}

/** Durable before anything is acknowledged, so that no later start takes the folder for a new one. */
async function writeMarker(place: Pick<Settings, "dataDir">): Promise<void> {
  const path = markerPath(place);
  if (await exists(path)) return;
  const file = await open(path, "a", 0o600);
  try {
    await file.writeFile("This folder has a database. Without it the server does not start while this file is here.\n");
    await file.sync();
  } finally {
    await file.close();
  }
  const folder = await open(place.dataDir, "r");
  await folder.sync().finally(() => folder.close());
}

/** An empty database in place of one that is lost would take every start anew: payments would be made twice. */
async function refuseLostDatabase(place: Pick<Settings, "dataDir">): Promise<void> {
  const path = databasePath(place);
  if (await hasData(path)) return;
  const marker = markerPath(place);
  const leftOver = [`${path}-wal`, marker];
  for (const trace of leftOver) {
    if (!(await exists(trace))) continue;
    const state = (await exists(path)) ? "is empty" : "is missing";
    throw invalid(
      `The database "${path}" ${state}, although "${trace}" says that there was one. Put it back where it was, or restore a ` +
        `backup with procedo restore. Only to begin anew without the data that was there, remove "${trace}".`,
    );
  }
}

/**
 * Makes the folder, for its owner alone, unless there is one.
 *
 * @throws ProcedoError `invalid_configuration`
 */
export async function makeDataFolder({ dataDir }: Pick<Settings, "dataDir">): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw invalid(`The data folder "${dataDir}" (PROCEDO_DATA_DIR) cannot be made: ${reason}`, error);
  });
}

/**
 * Makes the database's file for its owner alone; SQLite gives the files beside it the same mode.
 *
 * @returns whether there was none
 */
async function makePrivate(path: string): Promise<boolean> {
  if (await exists(path)) return false;
  const file = await open(path, "a", 0o600);
  await file.close();
  return true;
}

/**
 * Opens the data folder beside a server that may be running on it. Nothing is made, and nothing is migrated unless it is asked for.
 *
 * @throws ProcedoError `invalid_configuration` when there is no data or it has another version than this program
 */
export async function openBesideServer(place: Place, { migrates = false } = {}): Promise<OpenData> {
  await requireDatabase(place);
  const masterKey = await masterKeyOf(place);
  return { masterKey, storage: await SqliteStorage.open({ path: databasePath(place), migrate: migrates }) };
}

/** @throws ProcedoError `invalid_configuration` */
export async function requireDatabase(place: Pick<Settings, "dataDir">): Promise<void> {
  if (await hasData(databasePath(place))) return;
  await refuseLostDatabase(place);
  throw invalid(`There is no data in "${place.dataDir}". Start the server once, or set PROCEDO_DATA_DIR.`);
}

/** The master key that the environment or the folder holds; `undefined` when neither does. */
export async function knownMasterKey(place: Place): Promise<Uint8Array | undefined> {
  if (place.masterKey !== undefined) return place.masterKey;
  const path = masterKeyPath(place);
  return (await exists(path)) ? await masterKeyFile(path) : undefined;
}

/** A new key for old data would open nothing of it, and stand in the way of the right one. */
async function masterKeyOf(place: Place): Promise<Uint8Array> {
  const known = await knownMasterKey(place);
  if (known !== undefined) return known;
  const path = masterKeyPath(place);
  if (await exists(databasePath(place))) {
    throw invalid(`The master key "${path}" is missing. Put its copy there, or set PROCEDO_MASTER_KEY.`);
  }
  return await masterKeyFile(path);
}

/** Whether there is a file with anything in it: SQLite takes an empty one for a database without tables. */
async function hasData(path: string): Promise<boolean> {
  return await stat(path).then(
    ({ size }) => size > 0,
    () => false,
  );
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}

function invalid(message: string, cause?: unknown): ProcedoError {
  return new ProcedoError("invalid_configuration", message, cause === undefined ? {} : { cause });
}
