import { access, mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { ProcedoError } from "@procedo/contract";
import { masterKeyFile } from "@procedo/engine";
import { SqliteStorage } from "@procedo/storage-sqlite";
import type { OpenData } from "./open-data.ts";
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
 * of an earlier version is brought up to date.
 *
 * @throws ProcedoError `invalid_configuration`, `storage_unavailable`
 */
export async function openDataFolder(place: Place): Promise<OpenData> {
  await makeDataFolder(place);
  const masterKey = await masterKeyOf(place);
  const path = databasePath(place);
  const isNew = await makePrivate(path);
  try {
    return { masterKey, storage: await SqliteStorage.open({ path, pollMs: changesSeenMs }) };
  } catch (error) {
    // An empty file would pass for data.
    if (isNew) await rm(path, { force: true });
    throw error;
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
  if (await exists(databasePath(place))) return;
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

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}

function invalid(message: string, cause?: unknown): ProcedoError {
  return new ProcedoError("invalid_configuration", message, cause === undefined ? {} : { cause });
}
