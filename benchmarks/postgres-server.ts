/** One server for a complete benchmark, with a new database for each measurement. */
import os from "node:os";
import { startPostgres } from "@procedo-testing/postgres";
import { withAdministrator } from "./database.ts";
import { measureFsyncMs } from "./machine.ts";

export interface BenchPostgres {
  readonly facts: PostgresFacts;
  /** Calls `use` with a new, empty database and drops it afterwards. */
  withDatabase<T>(use: (url: string) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface PostgresFacts {
  /** The relevant settings that differ from Postgres' own. */
  readonly version: string;
  /** In the folder of its data, which may be on another disk. */
  readonly fsyncMs: number;
}

export async function startBenchPostgres(): Promise<BenchPostgres> {
  const server = await startPostgres();
  const version = await withAdministrator(server.url, async (client) => {
    const { rows } = await client.query<{ server_version: string; fsync: string; synchronous_commit: string }>(
      "SELECT current_setting('server_version') AS server_version, current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS synchronous_commit",
    );
    const [row] = rows;
    if (row?.fsync !== "on" || row.synchronous_commit !== "on") {
      throw new Error(`Postgres does not sync what it commits: ${JSON.stringify(row)}.`);
    }
    return row.server_version;
  });
  return {
    facts: { version, fsyncMs: await measureFsyncMs(os.tmpdir()) },
    async withDatabase(use) {
      const url = await server.createDatabase();
      // Unwritten pages of the previous measurement would be written during this one.
      await withAdministrator(server.url, (client) => client.query("CHECKPOINT"));
      try {
        return await use(url);
      } finally {
        const name = new URL(url).pathname.slice(1);
        await withAdministrator(server.url, (client) => client.query(`DROP DATABASE "${name}" WITH (FORCE)`));
      }
    },
    close: () => server.close(),
  };
}
