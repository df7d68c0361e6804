import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { executeSql, openTestDatabase } from "@procedo-testing/postgres";
import type { ProcedureDocument } from "@procedo/contract";
import { createEngine, defineIntegration, type Engine } from "@procedo/engine";
import type { Storage } from "@procedo/storage";
import { PostgresStorage } from "@procedo/storage-postgres";
import { SqliteStorage } from "@procedo/storage-sqlite";
import { expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod";

/** A database in which an administrator can forbid and allow rows that contain a text. */
interface Guarded {
  open(): Promise<Storage>;
  forbid(text: string): Promise<void>;
  allow(): Promise<void>;
  /** The log message for a forbidden row. */
  readonly reason: string;
}

async function onSqlite(): Promise<Guarded> {
  const folder = mkdtempSync(join(tmpdir(), "procedo-refused-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "procedo.sqlite");
  const change = async (sql: string): Promise<void> => {
    const database = new DatabaseSync(path, { timeout: 4_000 });
    database.exec(sql);
    database.close();
  };
  return {
    open: () => SqliteStorage.open({ path }),
    forbid: (text) =>
      change(`CREATE TRIGGER forbid BEFORE INSERT ON journal WHEN NEW.body LIKE '%${text}%'
              BEGIN SELECT RAISE(ABORT, 'forbidden row'); END`),
    allow: () => change("DROP TRIGGER forbid"),
    reason: "The database rejected a statement: forbidden row.",
  };
}

async function onPostgres(): Promise<Guarded> {
  const { url, close } = await openTestDatabase();
  onTestFinished(close);
  const change = (sql: string): Promise<void> => executeSql(url, sql);
  return {
    open: () => PostgresStorage.connect(url, { poolSize: 4 }),
    forbid: (text) =>
      change(`ALTER TABLE procedo.journal ADD CONSTRAINT forbidden CHECK (body NOT LIKE '%${text}%') NOT VALID`),
    allow: () => change("ALTER TABLE procedo.journal DROP CONSTRAINT forbidden"),
    reason: "The database rejected a statement (SQLSTATE 23514, forbidden).",
  };
}

const payment: ProcedureDocument = {
  schemaVersion: 1,
  procedureId: "payment",
  name: "Payment",
  input: { type: "object" },
  nodes: [
    { id: "start", kind: "start" },
    { id: "pay", kind: "tool_call", connection: "bank", action: "pay" },
    { id: "done", kind: "end", output: { receipt: "{{ nodes.pay.output.receipt }}" } },
  ],
  edges: [
    { from: "start", to: "pay" },
    { from: "pay", to: "done" },
  ],
};
const sandbox = { environment: "sandbox" } as const;
const by = { person: "ann" };

test.each([
  ["SQLite", onSqlite],
  ["Postgres", onPostgres],
] as const)(
  "a payment whose answer %s refuses to store is not made again once the cause is removed",
  async (_name, make) => {
    const guarded = await make();
    let payments = 0;
    const bank = defineIntegration({
      name: "bank",
      actions: ({ defineAction }) => ({
        pay: defineAction({
          description: "Pays.",
          input: z.object({}),
          effect: "once",
          run: async () => ({ receipt: `FORBIDDEN-${++payments}` }),
        }),
      }),
    });
    const log: string[] = [];
    const say = (message: string, fields: object = {}): void => void log.push(`${message} ${JSON.stringify(fields)}`);
    const started = async (): Promise<{ readonly engine: Engine; stop(): Promise<void> }> => {
      const storage = await guarded.open();
      const engine = createEngine({
        storage,
        masterKey: new Uint8Array(32).fill(7),
        integrations: [bank],
        log: { info: () => {}, warn: say, error: say },
      });
      await engine.start();
      return { engine, stop: () => engine.stop().then(() => storage.close()) };
    };

    const first = await started();
    await first.engine.procedures.publish({ document: payment, version: "v1", by });
    await guarded.forbid("FORBIDDEN");
    const start = { procedureId: "payment", version: "v1", ...sandbox, data: {}, by };
    const { runId } = await first.engine.runs.start(start);
    await vi.waitFor(() => expect(first.engine.runs.quarantinedRuns()).toHaveLength(1), 10_000);
    expect(first.engine.runs.quarantinedRuns()).toMatchObject([
      { runId, error: `Storage refused row 2 of the run: ${guarded.reason}` },
    ]);
    expect(log.join("\n")).toContain(guarded.reason);
    expect(log.join("\n")).not.toContain("FORBIDDEN-1");
    await first.stop();

    await guarded.allow();
    const second = await started();
    expect(await second.engine.runs.wait({ ...sandbox, runId })).toMatchObject({
      status: "completed",
      output: { receipt: "FORBIDDEN-1" },
    });
    expect(payments).toBe(1);
    await second.stop();
  },
);
