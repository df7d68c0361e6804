import { access, mkdir, open, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { ProcedoError } from "@procedo/contract";
import { masterKeyFile } from "@procedo/engine";
import { SqliteStorage } from "@procedo/storage-sqlite";
import type { OpenData } from "./opened-data.ts";
import type { Settings } from "./settings/settings.ts";

type Place = Pick<Settings, "dataDir" | "masterKey">;

/** Poll interval for changes that another process made, such as the deletion of a key by a command. */
const changesSeenMs = 50;

/** Location of the database. */
export function databasePath({ dataDir }: Pick<Settings, "dataDir">): string {
  return join(dataDir, "procedo.sqlite");
}

/** Location of the master key, unless the environment provides the key. */
export function masterKeyPath({ dataDir }: Pick<Settings, "dataDir">): string {
  return join(dataDir, "master.key");
}

/**
 * Opens the data folder for a server. The first start creates the folder and its key, readable by the owner only, and
 * later starts migrate an older database. A folder that once had a database never receives an empty one.
 *
 * @param onFileLost called with a remedy when the database file is later removed or replaced
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
    return { masterKey, storage, schemaVersion: storage.schemaVersion };
  } catch (error) {
    // An empty database file could be mistaken for data.
    if (isNew) await rm(path, { force: true });
    throw error;
  }
}

/**
 * Marks the folder as one with a database. The name differs from the database's files, so that it survives their
 * removal.
 */
function markerPath({ dataDir }: Pick<Settings, "dataDir">): string {
  return join(dataDir, "has-database");
}

/** Durable before the first acknowledgement, so that no later start treats the folder as new. */
async function writeMarker(place: Pick<Settings, "dataDir">): Promise<void> {
  const path = markerPath(place);
  if (await exists(path)) return;
  const file = await open(path, "a", 0o600);
  try {
    await file.writeFile(
      "This folder has a database. While this file exists, the server does not start without that database.\n",
    );
    await file.sync();
  } finally {
    await file.close();
  }
  const folder = await open(place.dataDir, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/**
 * With an empty database in place of a lost one, idempotency keys would be forgotten and payments could be made twice.
 */
async function refuseLostDatabase(place: Pick<Settings, "dataDir">): Promise<void> {
  const path = databasePath(place);
  if (await hasData(path)) return;
  const marker = markerPath(place);
  const leftOver = [`${path}-wal`, marker];
  for (const trace of leftOver) {
    if (!(await exists(trace))) continue;
    const state = (await exists(path)) ? "is empty" : "is missing";
    throw invalid(
      `The database "${path}" ${state}, although "${trace}" records that there was one. Put it back, or restore a ` +
        `backup with procedo restore. Remove "${trace}" only to start empty, without that data.`,
    );
  }
}

/**
 * Creates the folder, readable by its owner only, unless it exists.
 *
 * @throws ProcedoError `invalid_configuration`
 */
export async function makeDataFolder({ dataDir }: Pick<Settings, "dataDir">): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw invalid(`The data folder "${dataDir}" (PROCEDO_DATA_DIR) cannot be created: ${reason}`, error);
  });
}

/**
 * Creates the database file, readable by its owner only. SQLite gives its companion files the same mode.
 *
 * @returns whether the file was missing
 */
async function makePrivate(path: string): Promise<boolean> {
  if (await exists(path)) return false;
  const file = await open(path, "a", 0o600);
  await file.close();
  return true;
}

/**
 * Opens the data folder beside a server that may be running on it. Nothing is created, and migration happens only on
 * request.
 *
 * @throws ProcedoError `invalid_configuration` when there is no data or its version differs from this program's
 */
export async function openBesideServer(place: Place, { migrates = false } = {}): Promise<OpenData> {
  await requireDatabase(place);
  const masterKey = await masterKeyOf(place);
  const storage = await SqliteStorage.open({ path: databasePath(place), migrate: migrates });
  return { masterKey, storage, schemaVersion: storage.schemaVersion };
}

/** @throws ProcedoError `invalid_configuration` */
export async function requireDatabase(place: Pick<Settings, "dataDir">): Promise<void> {
  if (await hasData(databasePath(place))) return;
  await refuseLostDatabase(place);
  throw invalid(`There is no data in "${place.dataDir}". Start the server once, or set PROCEDO_DATA_DIR.`);
}

/** The master key from the environment or the folder; `undefined` when both lack one. */
export async function knownMasterKey(place: Place): Promise<Uint8Array | undefined> {
  if (place.masterKey !== undefined) return place.masterKey;
  const path = masterKeyPath(place);
  return (await exists(path)) ? await masterKeyFile(path) : undefined;
}

/** A new key could not decrypt existing data, and would take the place of the right key. */
async function masterKeyOf(place: Place): Promise<Uint8Array> {
  const known = await knownMasterKey(place);
  if (known !== undefined) return known;
  const path = masterKeyPath(place);
  if (await exists(databasePath(place))) {
    throw invalid(`The master key "${path}" is missing. Put its copy there, or set PROCEDO_MASTER_KEY.`);
  }
  return await masterKeyFile(path);
}

/** Whether the file exists and is not empty. SQLite treats an empty file as a database without tables. */
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
