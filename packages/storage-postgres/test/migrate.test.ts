import { openTestDatabase } from "@procedo-testing/postgres";
import type { TestDatabase } from "@procedo-testing/postgres";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClientSupply } from "../src/client-supply.ts";
import { createConnections } from "../src/connections.ts";
import { PostgresStorage } from "../src/index.ts";
import { migrate } from "../src/migrate.ts";
import { migrations } from "../src/migrations/migrations.ts";
import { commitAll, codeOf, firstRow } from "./run-rows.ts";

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
    const result = await commitAll(storage.runs, [firstRow("run-1")]);
    await storage.close();
    return result;
  };

  /** Migrates the schema to the version after this one. */
  async function bringFurther(schema: string, step: string, apply = true): Promise<void> {
    const pool = new pg.Pool({ connectionString: database.url, max: 1 });
    const supply = createClientSupply({ pool, timeoutMs: 5_000, onLimit: () => undefined });
    const connections = createConnections({ supply, sessions: true, timeoutMs: 5_000 });
    try {
      await migrate(connections, schema, [...migrations, { name: "next step", sql: step }], apply);
    } finally {
      await pool.end();
    }
  }

  it("is created once by nodes that start together", async () => {
    const results = await Promise.all(Array.from({ length: 4 }, () => opened("together")));
    expect(results).toEqual(results.map(() => [{ status: "committed" }]));
    const { rows } = await admin.query("SELECT version FROM together.procedo_migrations ORDER BY version");
    expect(rows[0]).toEqual({ version: 1 });
  });

  it("may have any name", async () => {
    expect(await opened('Odd "name"; --')).toEqual([{ status: "committed" }]);
  });

  it("may have been created by an administrator for a role that cannot create schemas", async () => {
    await admin.query(`
      CREATE ROLE modest LOGIN PASSWORD 'modest'; GRANT modest TO CURRENT_USER; CREATE SCHEMA made AUTHORIZATION modest`);
    const url = new URL(database.url);
    url.username = url.password = "modest";
    try {
      const storage = await PostgresStorage.connect(url.href, { schema: "made", notify: false });
      expect(await storage.runs.commit(firstRow("run-1"))).toEqual({ status: "committed" });
      await storage.close();
    } finally {
      // A database server from outside keeps its roles.
      await admin.query("DROP OWNED BY modest CASCADE; DROP ROLE modest");
    }
  });

  it("is left unchanged if migration is not allowed", async () => {
    expect(await codeOf(opened("missing", false))).toBe("invalid_configuration");
    const { rowCount } = await admin.query("SELECT FROM pg_namespace WHERE nspname = 'missing'");
    expect(rowCount).toBe(0);
    await opened("present");
    expect(await opened("present", false)).toEqual([{ status: "committed" }]);
  });

  it("is brought one version further with its rows, while a node of the previous version works", async () => {
    const storage = await PostgresStorage.connect(database.url, { schema: "further", poolSize: 1 });
    try {
      await storage.runs.commit(firstRow("run-1"));
      expect(await codeOf(bringFurther("further", "SELECT 1", false))).toBe("invalid_configuration");
      await bringFurther("further", "ALTER TABLE runs ADD COLUMN note text NOT NULL DEFAULT 'none'");
      expect(await storage.runs.commit(firstRow("run-2"))).toEqual({ status: "committed" });
    } finally {
      await storage.close();
    }
    const { rows } = await admin.query("SELECT run_id, note FROM further.runs ORDER BY run");
    expect(rows).toEqual(["run-1", "run-2"].map((run_id) => ({ run_id, note: "none" })));
    const versions = await admin.query("SELECT version, name FROM further.procedo_migrations ORDER BY version");
    expect(versions.rows.at(-1)).toEqual({ version: migrations.length + 1, name: "next step" });
  });

  it("stays at its version when a step fails", async () => {
    await opened("failing");
    const step = "CREATE TABLE half (x integer); SELECT 1 / 0";
    expect(await codeOf(bringFurther("failing", step))).toBe("internal");
    const { rows } = await admin.query("SELECT to_regclass('failing.half') AS half");
    expect(rows).toEqual([{ half: null }]);
    expect(await opened("failing", false)).toEqual([{ status: "committed" }]);
  });

  it("is refused by a program of the previous version", async () => {
    await opened("newer");
    await bringFurther("newer", "CREATE TABLE notes (run_id text)");
    await expect(opened("newer")).rejects.toMatchObject({
      code: "invalid_configuration",
      message: expect.stringMatching(/version (\d+), but this program knows only \d+.*Use the newer program/),
    });
  });

  it("is refused when it belongs to another application", async () => {
    await admin.query("CREATE SCHEMA others; CREATE TABLE others.runs (id integer)");
    expect(await codeOf(opened("others"))).toBe("invalid_configuration");
  });
});
