import { openBesideServer, openDataFolder } from "./data-folder.ts";
import { openBesideNodes, openSharedDatabase } from "./shared-database.ts";
import type { ServerLog } from "./observe/log.ts";
import type { Settings } from "./settings/settings.ts";
import type { OpenData } from "./opened-data.ts";

type Place = Pick<Settings, "dataDir" | "masterKey" | "databaseUrl" | "databaseNotify" | "databasePool">;

/**
 * Opens the data for a server: the Postgres database if one is set, otherwise the data folder.
 *
 * @param log receives warnings about the database, now and later
 * @throws ProcedoError `invalid_configuration`, `storage_unavailable`
 */
export async function openToServe(place: Place, log: Pick<ServerLog, "warn" | "error">): Promise<OpenData> {
  const { databaseUrl } = place;
  return await (databaseUrl === undefined
    ? openDataFolder(place, (message) => log.error(message))
    : openSharedDatabase({ ...place, databaseUrl }, (message) => log.warn(message)));
}

/**
 * Opens the data beside a server that may be running on it.
 *
 * @throws ProcedoError `invalid_configuration`, `storage_unavailable`
 */
export async function openBeside(place: Place, options: { readonly migrates?: boolean } = {}): Promise<OpenData> {
  const { databaseUrl } = place;
  return await (databaseUrl === undefined
    ? openBesideServer(place, options)
    : openBesideNodes({ ...place, databaseUrl }, options));
}
