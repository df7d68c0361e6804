import { openTestDatabase } from "@procedo-testing/postgres";
import type { TestDatabase } from "@procedo-testing/postgres";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PostgresStorage } from "../src/index.ts";
import { codeOf, firstRow } from "./run-rows.ts";

describe("the schema", () => {
  let database: TestDatabase;
  let admin: pg.Client;

  beforeAll(async () => {
    database = await openTestDatabase();
    admin = new pg.Client(database.url);
    await admin.connect();
  });
  afterAll(async () => {
    await admin.end();
    await database.close();
  });

  const opened = async (schema: string, migrate = true): Promise<unknown> => {
    const storage = await PostgresStorage.connect(database.url, { schema, migrate, poolSize: 1 });
    const result = await storage.runs.commit([firstRow("run-1")]);
    await storage.close();
    return result;
  };

  it("is made once by nodes that start together", async () => {
    const results = await Promise.all(Array.from({ length: 4 }, () => opened("together")));
    expect(results).toEqual(results.map(() => [{ status: "committed" }]));
    const { rows } = await admin.query("SELECT version FROM together.procedo_migrations ORDER BY version");
    expect(rows[0]).toEqual({ version: 1 });
  });

  it("may have any name", async () => {
    expect(await opened('Odd "name"; --')).toEqual([{ status: "committed" }]);
  });

  it("may have been made by somebody who lets the program make no others", async () => {
    await admin.query(`
      CREATE ROLE modest LOGIN PASSWORD 'modest'; GRANT modest TO CURRENT_USER; CREATE SCHEMA made AUTHORIZATION modest`);
    const url = new URL(database.url);
    url.username = url.password = "modest";
    try {
      const storage = await PostgresStorage.connect(url.href, { schema: "made", notify: false });
      expect(await storage.runs.commit([firstRow("run-1")])).toEqual([{ status: "committed" }]);
      await storage.close();
    } finally {
      // A server that was given keeps its roles.
      await admin.query("DROP OWNED BY modest CASCADE; DROP ROLE modest");
    }
  });

  it("is left alone when nobody is to migrate it", async () => {
    expect(await codeOf(opened("missing", false))).toBe("invalid_configuration");
    const { rowCount } = await admin.query("SELECT FROM pg_namespace WHERE nspname = 'missing'");
    expect(rowCount).toBe(0);
    await opened("present");
    expect(await opened("present", false)).toEqual([{ status: "committed" }]);
  });

  it("is refused when a newer program has migrated it", async () => {
    await opened("newer");
    await admin.query("INSERT INTO newer.procedo_migrations (version, name) VALUES (1000, 'of tomorrow')");
    expect(await codeOf(opened("newer"))).toBe("invalid_configuration");
  });

  it("is refused when it belongs to another application", async () => {
    await admin.query("CREATE SCHEMA others; CREATE TABLE others.runs (id integer)");
    expect(await codeOf(opened("others"))).toBe("invalid_configuration");
  });
});
