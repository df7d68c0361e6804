import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { committedTransactions } from "./database.ts";
import { idealSqlite } from "./ideal-sqlite.ts";
import { instantTools, paymentInput } from "./payment.ts";
import type { Session, System } from "./system.ts";
import { idealWith } from "./writer-thread/writers.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), "procedo-ideal-"));
});
const ideal = (): string => path.join(directory, "ideal.sqlite");
afterEach(() => rm(directory, { recursive: true, force: true }));

interface StoredRow {
  readonly run_id: number;
  readonly seq: number;
  readonly node: string;
  readonly input: string;
  readonly output: string;
}

async function rowsAfter(system: System, use: (session: Session) => Promise<unknown>): Promise<StoredRow[]> {
  const session = await system.open({ directory, tools: instantTools });
  await use(session);
  await session.close();
  const db = new DatabaseSync(ideal());
  const rows = db.prepare("SELECT * FROM journal ORDER BY run_id, seq").all() as unknown as StoredRow[];
  db.close();
  return rows;
}

test("W1 leaves six rows with the exact input and output of each step", async () => {
  const request = paymentInput(3);
  const rows = await rowsAfter(idealSqlite, (session) => session.run(request));
  expect(rows.map((row) => row.node)).toEqual(["start", "a", "size", "b", "c", "end"]);
  const a = await instantTools.a({ request });
  expect(JSON.parse(rows[1]?.input ?? "")).toEqual({ request });
  expect(JSON.parse(rows[1]?.output ?? "")).toEqual(a);
  expect(JSON.parse(rows[2]?.output ?? "")).toEqual({ branch: "large" });
});

test("W1 makes one commit per step alone, and one per step of a hundred runs together", async () => {
  const session = await idealSqlite.open({ directory, tools: instantTools });
  const before = await committedTransactions(ideal());
  await session.run(paymentInput(0));
  expect((await committedTransactions(ideal())) - before).toBe(6);
  await Promise.all(Array.from({ length: 100 }, (_, n) => session.run(paymentInput(n))));
  expect((await committedTransactions(ideal())) - before).toBe(12);
  await session.close();
});

test("W2 resumes from stored rows, also in another session", async () => {
  const request = paymentInput(9);
  const first = await idealSqlite.open({ directory, tools: instantTools });
  const paused = await first.pause(request);
  await first.close();
  const rows = await rowsAfter(idealSqlite, async (session) => {
    expect(await session.resume(paused)).toEqual(await instantTools.b({ request }));
  });
  expect(rows.map((row) => row.node)).toEqual(["start", "a", "review", "review", "b", "end"]);
});

test.each(["in-thread", "port", "ring"] as const)("the %s writer keeps every row of many runs", async (writer) => {
  const rows = await rowsAfter(idealWith(writer), (session) =>
    Promise.all(Array.from({ length: 300 }, (_, n) => session.run(paymentInput(n)))),
  );
  expect(rows).toHaveLength(1800);
  for (const row of rows.filter(({ node }) => node === "start")) {
    expect(JSON.parse(row.input)).toEqual(paymentInput(row.run_id - 1));
  }
});
