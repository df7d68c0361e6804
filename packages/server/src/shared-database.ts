import { ProcedoError } from "@procedo/contract";
import { masterKeyFile } from "@procedo/engine";
import type { Storage } from "@procedo/storage";
import { knownMasterKey, makeDataFolder, masterKeyPath } from "./data-folder.ts";
import type { OpenData } from "./opened-data.ts";
import type { Settings } from "./settings/settings.ts";

/** A Postgres database, which several nodes share. */
export type Place = Pick<Settings, "dataDir" | "masterKey" | "databaseNotify" | "databasePool"> & {
  readonly databaseUrl: string;
};

/**
 * Opens a Postgres database to serve it; one of an earlier version is brought up to date. The first node of all may keep
 * the master key that it makes in its data folder; others are given it.
 *
 * @throws ProcedoError `invalid_configuration`, `storage_unavailable`
 */
export async function openSharedDatabase(place: Place, warn: (message: string) => void): Promise<OpenData> {
  const storage = await connect(place, { warn });
  try {
    return { storage, masterKey: await masterKeyOf(storage, place) };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

/**
 * Opens a Postgres database beside the servers that run on it. Nothing is made, and nothing is migrated unless it is asked for.
 *
 * @throws ProcedoError `invalid_configuration`, `storage_unavailable`
 */
export async function openBesideNodes(place: Place, { migrates = false } = {}): Promise<OpenData> {
  const masterKey = await knownMasterKey(place);
  if (masterKey === undefined) throw missingKey(place);
  return { storage: await connect(place, migrates ? {} : { migrate: false }), masterKey };
}

async function connect(
  place: Place,
  options: { readonly migrate?: false; readonly warn?: (message: string) => void },
): Promise<Storage> {
  // Whoever keeps everything in one file has no use for the driver.
  const { PostgresStorage } = await import("@procedo/storage-postgres");
  const { databaseUrl, databaseNotify, databasePool } = place;
  const pool = databasePool === undefined ? {} : { poolSize: databasePool };
  return await PostgresStorage.connect(databaseUrl, { notify: databaseNotify, ...pool, ...options });
}

/** A second key for one database would open nothing of it. Whoever has written there has left an entry in its audit. */
async function masterKeyOf(storage: Storage, place: Place): Promise<Uint8Array> {
  const known = await knownMasterKey(place);
  if (known !== undefined) return known;
  if ((await storage.audit.head({ workspace: "default" })) !== undefined) throw missingKey(place);
  await makeDataFolder(place);
  return await masterKeyFile(masterKeyPath(place));
}

function missingKey(place: Place): ProcedoError {
  return new ProcedoError(
    "invalid_configuration",
    `There is no master key, and the database was written with one. Set PROCEDO_MASTER_KEY, the same on every node, or put ` +
      `a copy of the first node's key file at "${masterKeyPath(place)}".`,
  );
}
