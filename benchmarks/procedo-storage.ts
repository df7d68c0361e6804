import path from "node:path";
import type { Storage } from "@procedo/storage";
import type { Database } from "./database.ts";
import type { SystemOptions } from "./system.ts";

export interface OpenStorage {
  readonly storage: Storage;
  readonly database: Database;
}

/**
 * Procedo's storage: on Postgres if a database is given, else one SQLite file. The other adapter's code is not loaded.
 */
export async function openStorage(place: Pick<SystemOptions, "directory" | "databaseUrl">): Promise<OpenStorage> {
  const { directory, databaseUrl: url } = place;
  if (url !== undefined) {
    const { PostgresStorage } = await import("@procedo/storage-postgres");
    return { storage: await PostgresStorage.connect(url), database: { kind: "postgres", url } };
  }
  const { SqliteStorage } = await import("@procedo/storage-sqlite");
  const file = path.join(directory, "procedo.sqlite");
  return { storage: await SqliteStorage.open({ path: file }), database: { kind: "sqlite", file } };
}
