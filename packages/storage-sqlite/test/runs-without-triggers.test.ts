import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it, onTestFinished } from "vitest";
import { SqliteStorage } from "../src/index.ts";
import { committed, firstRow, row, scope } from "./rows.ts";
import { temporaryDirectory } from "./temporary-files.ts";

/** A storage, and the statements that it has executed. */
function observed(): { readonly storage: SqliteStorage; readonly executed: string[] } {
  const database = new DatabaseSync(join(temporaryDirectory(), "procedo.sqlite"), { timeout: 0 });
  onTestFinished(() => database.close());
  const executed: string[] = [];
  const prepare = database.prepare.bind(database);
  database.prepare = (sql) => {
    const statement = prepare(sql);
    for (const method of ["run", "get", "all", "iterate"] as const) {
      const execute = statement[method].bind(statement) as (...values: readonly never[]) => never;
      statement[method] = (...values: readonly never[]) => {
        executed.push(sql);
        return execute(...values);
      };
    }
    return statement;
  };
  const storage = new SqliteStorage({ database, pollMs: 0 });
  onTestFinished(() => storage.close());
  return { storage, executed };
}

it("a run without a trigger executes no statement of triggers", async () => {
  const { storage, executed } = observed();
  const key = { scope, kind: "trigger", environment: scope.environment, workspace: scope.workspace };
  const gate = { overlap: "skip", maxOpenRuns: undefined, isHeld: false, schedule: undefined } as const;
  const record = { ...key, id: "trg-1", body: "{}", uniqueKeys: [], keys: ["key"], trigger: gate };
  expect(await storage.records.put({ record, ifRevision: 0 })).toMatchObject({ status: "stored" });
  executed.length = 0;
  const then = { kind: "ended", status: "completed", endedAtMs: 1_790_000_000_000 } as const;
  expect(await storage.runs.commit(firstRow("run-1"))).toEqual(committed);
  expect(await storage.runs.commit(row("run-1", 2))).toEqual(committed);
  expect(await storage.runs.commit(row("run-1", 3, { then }))).toEqual(committed);
  expect(await storage.runs.commit(firstRow("run-2", { then }))).toEqual(committed);
  expect(executed.filter((sql) => sql.includes("INSERT INTO journal"))).toHaveLength(4);
  expect(executed.filter((sql) => /trigger|firing|\bevents\b|event_contents/.test(sql))).toEqual([]);
});
