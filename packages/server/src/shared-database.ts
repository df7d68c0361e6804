import { ProcedoError } from "@procedo/contract";
import { masterKeyFile } from "@procedo/engine";
import type { Storage } from "@procedo/storage";
import { knownMasterKey, makeDataFolder, masterKeyPath } from "./data-folder.ts";
import type { OpenData } from "./opened-data.ts";
import type { Settings } from "./settings/settings.ts";

/** A Postgres database shared by several nodes. */
export type Place = Pick<Settings, "dataDir" | "masterKey" | "databaseNotify" | "databasePool"> & {
  readonly databaseUrl: string;
};

/**
 * Opens a Postgres database for a server and migrates an older one. The first node may store its generated master key
 * in its data folder; other nodes must receive a copy.
 *
 * @throws ProcedoError `invalid_configuration`, `storage_unavailable`
 */
export async function openSharedDatabase(place: Place, warn: (message: string) => void): Promise<OpenData> {
  const storage = await connect(place, { warn });
  try {
    return { storage, masterKey: await masterKeyOf(storage, place), schemaVersion: storage.schemaVersion };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

/**
 * Opens a Postgres database beside the servers that run on it. Nothing is created, and migration happens only on
 * request.
 *
 * @throws ProcedoError `invalid_configuration`, `storage_unavailable`
 */
export async function openBesideNodes(place: Place, { migrates = false } = {}): Promise<OpenData> {
  const masterKey = await knownMasterKey(place);
  if (masterKey === undefined) throw missingKey(place);
  const storage = await connect(place, migrates ? {} : { migrate: false });
  return { storage, masterKey, schemaVersion: storage.schemaVersion };
}

async function connect(
  place: Place,
  options: { readonly migrate?: false; readonly warn?: (message: string) => void },
): Promise<Storage & { readonly schemaVersion: number }> {
  // Loaded on demand: the driver is unnecessary with SQLite.
  const { PostgresStorage } = await import("@procedo/storage-postgres");
  const { databaseUrl, databaseNotify, databasePool } = place;
  const pool = databasePool === undefined ? {} : { poolSize: databasePool };
  return await PostgresStorage.connect(databaseUrl, { notify: databaseNotify, ...pool, ...options });
}

/**
 * A second key could not decrypt the database's data. An audit entry is evidence that another node has already written
 * with a key.
 */
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
    `The master key is missing, and the database was written with one. Set PROCEDO_MASTER_KEY to the same key on every node, or put ` +
      `a copy of the first node's key file at "${masterKeyPath(place)}".`,
  );
}
