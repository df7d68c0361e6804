import { openTestDatabase } from "@procedo-testing/postgres";
import pg from "pg";
import { onTestFinished } from "vitest";
import { PostgresStorage } from "../src/index.ts";

/** A storage for one test, and the names of the statements that its connections have executed since the last query. */
export async function openRecordedStorage() {
  const database = await openTestDatabase();
  const pool = new pg.Pool({ connectionString: database.url, max: 4 });
  let statements: string[] = [];
  pool.on("connect", (client) => {
    const query = client.query.bind(client) as (...given: readonly unknown[]) => unknown;
    client.query = ((...given: readonly unknown[]) => {
      const [asked] = given;
      const named = typeof asked === "object" && asked !== null && "name" in asked ? String(asked.name) : String(asked);
      statements.push(named.split(" ")[named.startsWith("procedo ") ? 1 : 0] ?? named);
      return query(...given);
    }) as typeof client.query;
  });
  const storage = await PostgresStorage.open({ pool });
  onTestFinished(async () => {
    await storage.close();
    await pool.end();
    await database.close();
  });
  const asked = (): readonly string[] => {
    const before = statements;
    statements = [];
    return before;
  };
  return { storage, pool, asked, url: database.url };
}
