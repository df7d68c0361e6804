/* Places that several server processes share. All of it ends with the test, the processes first. */
import { openTestDatabase } from "@procedo-testing/postgres";
import { onTestFinished } from "vitest";
import { makePlace, startProcess, type Place, type ServerProcess } from "./server-process.ts";

type Settings = Readonly<Record<string, string>>;

/** Opens a storage, and returns the settings of a server that uses it. */
export type OpenStorage = () => Promise<Settings>;

const masterKey = "ab".repeat(32);

const onPostgres =
  (settings: Settings): OpenStorage =>
  async () => {
    const { url, close } = await openTestDatabase();
    onTestFinished(close);
    return { DATABASE_URL: url, PROCEDO_MASTER_KEY: masterKey, ...settings };
  };

const sqlite = ["SQLite", async () => ({})] as const;
const postgres = ["Postgres", onPostgres({})] as const;

/** The storage of all processes: one data folder or one database. */
export const storages: readonly (readonly [name: string, OpenStorage])[] = [sqlite, postgres];

/** Also a database whose nodes are not notified of each other's writes. */
export const storagesAndPolling: readonly (readonly [name: string, OpenStorage])[] = [
  ...storages,
  ["Postgres without notifications", onPostgres({ PROCEDO_DATABASE_NOTIFY: "off" })],
];

export async function openPlace(open: OpenStorage, settings: Settings = {}): Promise<Place> {
  const place = makePlace({ ...(await open()), ...settings });
  onTestFinished(() => place.remove());
  return place;
}

export async function startNode(place: Place, settings: Settings = {}): Promise<ServerProcess> {
  const server = await startProcess({ ...place, env: { ...place.env, ...settings } });
  onTestFinished(async () => {
    server.kill("SIGKILL");
    await server.ended;
  });
  return server;
}
