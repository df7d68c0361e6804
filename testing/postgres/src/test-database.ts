import { randomUUID } from "node:crypto";
import pg from "pg";
import { startPostgres } from "./server.ts";

/** An empty database for one test file. */
export interface TestDatabase {
  readonly url: string;
  close(): Promise<void>;
}

/** Creates a database on the server at `DATABASE_URL`, dropped at the end; without the variable, on a new server. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const given = process.env["DATABASE_URL"];
  if (given === undefined || given === "") {
    const server = await startPostgres();
    return { url: await server.createDatabase(), close: () => server.close() };
  }
  const name = `procedo_test_${randomUUID().replaceAll("-", "")}`;
  await asAdministrator(given, `CREATE DATABASE ${name}`);
  const url = new URL(given);
  url.pathname = `/${name}`;
  return { url: url.href, close: () => asAdministrator(given, `DROP DATABASE ${name} WITH (FORCE)`) };
}

async function asAdministrator(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
