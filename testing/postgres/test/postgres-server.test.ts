import pg from "pg";
import { afterEach, expect, test } from "vitest";
import { openTestDatabase, startPostgres } from "../src/index.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function ask(url: string, text: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on("error", () => {});
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(text);
    return rows[0] === undefined ? undefined : Object.values(rows[0])[0];
  } finally {
    await client.end().catch(() => {});
  }
}

test("keeps committed data after a simulated power failure and a restart", async () => {
  const server = await startPostgres();
  closing.push(() => server.close());
  const url = await server.createDatabase();
  await ask(url, "CREATE TABLE kept AS SELECT 7 AS value");
  await server.stop("immediate");
  await expect(ask(url, "SELECT 1")).rejects.toThrow();
  await server.start();
  expect(await ask(url, "SELECT value FROM kept")).toBe(7);
});

test("has a standby that replicates, and accepts writes after its promotion", async () => {
  const primary = await startPostgres();
  closing.push(() => primary.close());
  const standby = await primary.standby();
  closing.push(() => standby.close());
  await ask(primary.url, "CREATE TABLE kept AS SELECT 7 AS value");
  await expect.poll(() => ask(standby.url, "SELECT value FROM kept").catch(String)).toBe(7);
  await expect(ask(standby.url, "INSERT INTO kept VALUES (8)")).rejects.toMatchObject({ code: "25006" });
  await standby.promote();
  await ask(standby.url, "INSERT INTO kept VALUES (8)");
  expect(await ask(standby.url, "SELECT sum(value)::int FROM kept")).toBe(15);
});

test("does not answer while paused, and continues after resuming", async () => {
  const server = await startPostgres();
  closing.push(() => server.close());
  const client = new pg.Client({ connectionString: server.url });
  closing.push(() => client.end());
  await client.connect();
  server.pause();
  let answered = false;
  const answer = client.query("SELECT 1").then(() => (answered = true));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(answered).toBe(false);
  server.resume();
  expect(await answer).toBe(true);
});

test("sorts text by a linguistic collation unless byte order is requested, like many servers of customers", async () => {
  const database = await openTestDatabase();
  closing.push(() => database.close());
  expect(await ask(database.url, `SELECT 'a' < 'B' COLLATE "C"`)).toBe(false);
  expect(await ask(database.url, "SELECT current_database()")).not.toBe("postgres");
});
