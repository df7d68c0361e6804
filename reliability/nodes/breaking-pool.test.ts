import { EventEmitter } from "node:events";
import type { Pool } from "pg";
import { expect, test } from "vitest";
import { seededRandom } from "@procedo-testing/faults";
import { breakTransactions } from "./breaking-pool.ts";

/** A connection like Postgres's: a statement with RAISE fails, and all others succeed. */
function connection(share: () => number) {
  const pool = new EventEmitter();
  const done: string[] = [];
  const client = {
    query: (text: string): Promise<void> => {
      if (text.startsWith("DO")) return Promise.reject(new Error("broken off"));
      done.push(text);
      return Promise.resolve();
    },
  };
  const counts = breakTransactions(pool as unknown as Pool, share, seededRandom(7));
  pool.emit("connect", client);
  return { client, done, counts };
}

test("with a share of zero all statements pass", async () => {
  const { client, done, counts } = connection(() => 0);
  for (const text of ["BEGIN", "UPDATE a", "COMMIT", "SELECT 1"]) await client.query(text);
  expect(done).toEqual(["BEGIN", "UPDATE a", "COMMIT", "SELECT 1"]);
  expect(counts).toEqual({ transactions: 2, broken: 0 });
});

test("each chosen transaction is aborted once, before its commit", async () => {
  const { client, done, counts } = connection(() => 1);
  for (let transaction = 0; transaction < 30; transaction++) {
    let broke = false;
    await client.query("BEGIN");
    for (const text of ["UPDATE a", "COMMIT"]) {
      if (!broke) await client.query(text).catch(() => (broke = true));
    }
    expect(broke).toBe(true);
    if (done.at(-1) !== "ROLLBACK") await client.query("ROLLBACK");
  }
  expect(done).not.toContain("COMMIT");
  expect(counts).toEqual({ transactions: 30, broken: 30 });
});

test("a chosen single statement is aborted instead of being executed", async () => {
  const { client, done, counts } = connection(() => 1);
  await expect(client.query("INSERT b")).rejects.toThrow("broken off");
  expect(done).toEqual([]);
  expect(counts).toEqual({ transactions: 1, broken: 1 });
});
