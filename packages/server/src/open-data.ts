import { openBesideServer, openDataFolder } from "./data-folder.ts";
import { openBesideNodes, openSharedDatabase } from "./shared-database.ts";
import type { ServerLog } from "./observe/log.ts";
import type { Settings } from "./settings/settings.ts";
import type { OpenData } from "./opened-data.ts";

type Place = Pick<Settings, "dataDir" | "masterKey" | "databaseUrl" | "databaseNotify" | "databasePool">;

/**
 * Opens what the settings name to serve it: a Postgres database, or else the data folder.
 *
 * @param log told what an operator should know of the database, now and later
 * @throws ProcedoError `invalid_configuration`, `storage_unavailable`
 */
export async function openToServe(place: Place, log: Pick<ServerLog, "warn" | "error">): Promise<OpenData> {
  const { databaseUrl } = place;
  return await (databaseUrl === undefined
    ? openDataFolder(place, (message) => log.error(message))
    : openSharedDatabase({ ...place, databaseUrl }, (message) => log.warn(message)));
}

/**
 * The same beside a server that may be running on it.
 *
 * @throws ProcedoError `invalid_configuration`, `storage_unavailable`
 */
export async function openBeside(place: Place, options: { readonly migrates?: boolean } = {}): Promise<OpenData> {
  const { databaseUrl } = place;
  return await (databaseUrl === undefined
    ? openBesideServer(place, options)
    : openBesideNodes({ ...place, databaseUrl }, options));
}
