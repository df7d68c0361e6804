import { openTestDatabase, type TestDatabase } from "@procedo-testing/postgres";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startMeter } from "./database.ts";
import { idealPostgres } from "./ideal-postgres.ts";
import { instantTools, paymentInput } from "./payment.ts";
import type { Session } from "./system.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const open = (): Promise<Session> =>
  idealPostgres.open({ directory: "", databaseUrl: database.url, tools: instantTools });

async function afterwards(use: (session: Session) => Promise<unknown>) {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query("DROP TABLE IF EXISTS journal");
  const session = await open();
  const meter = await startMeter(session.database);
  const used = await meter.usedBy(async () => {
    await use(session);
    await session.close();
    // The meter waits until no session is connected.
    await client.end();
  });
  const reader = new pg.Client({ connectionString: database.url });
  await reader.connect();
  const { rows } = await reader.query<{ node: string; input: string; output: string }>(
    "SELECT node, input, output FROM journal ORDER BY run_id, seq",
  );
  await reader.end();
  return { used, rows };
}

test("W1 leaves six rows with the exact input and output of each step, each a commit of its own", async () => {
  const request = paymentInput(3);
  const { rows, used } = await afterwards((session) => session.run(request));
  expect(rows.map(({ node }) => node)).toEqual(["start", "a", "size", "b", "c", "end"]);
  expect(JSON.parse(rows[1]?.input ?? "")).toEqual({ request });
  expect(JSON.parse(rows[1]?.output ?? "")).toEqual(await instantTools.a({ request }));
  expect(used.commits).toBeGreaterThanOrEqual(6);
  expect(used.walBytes).toBeGreaterThan(0);
});

test("entries that a hundred runs append at once are committed together", async () => {
  const { rows, used } = await afterwards((session) =>
    Promise.all(Array.from({ length: 100 }, (_, n) => session.run(paymentInput(n)))),
  );
  expect(rows).toHaveLength(600);
  expect(used.commits).toBeLessThan(60);
});

test("W2 resumes from stored rows, also in another session", async () => {
  const request = paymentInput(9);
  const { rows } = await afterwards(async (session) => {
    const paused = await session.pause(request);
    const other = await open();
    expect(await other.resume(paused)).toEqual(await instantTools.b({ request }));
    await other.close();
  });
  expect(rows.map(({ node }) => node)).toEqual(["start", "a", "review", "review", "b", "end"]);
});
