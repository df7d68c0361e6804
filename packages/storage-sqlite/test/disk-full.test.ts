import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { cases } from "@procedo-testing/tiers";
import { expect, it, onTestFinished } from "vitest";
import { SqliteStorage } from "../src/index.ts";
import { commitAll, committed, firstRow, row, scope } from "./rows.ts";
import { temporaryDirectory } from "./temporary-files.ts";

it("a full disk fails writes as storage_unavailable, reads continue, and writes resume when there is space", async () => {
  const database = new DatabaseSync(join(temporaryDirectory(), "procedo.sqlite"));
  onTestFinished(() => database.close());
  const storage = new SqliteStorage({ database, pollMs: 0 });
  onTestFinished(() => storage.close());
  await commitAll(storage.runs, [firstRow("run-1"), firstRow("run-2")]);
  const before = await storage.runs.list({ scope, limit: 10 });
  const pages = Number(database.prepare("PRAGMA page_count").get()?.["page_count"]);

  const rounds = cases({ commit: 20, nightly: 200, release: 200 });
  for (let round = 0; round < rounds; round++) {
    database.exec(`PRAGMA max_page_count = ${pages + round}`);
    const large = row("run-1", 2, { body: JSON.stringify("x".repeat(500_000)) });
    await expect(commitAll(storage.runs, [firstRow("run-3"), large])).rejects.toMatchObject({
      code: "storage_unavailable",
      retryable: true,
    });
    expect(database.isTransaction).toBe(false);
    expect(await storage.runs.list({ scope, limit: 10 })).toEqual(before);
    expect(await storage.runs.journal({ scope, runId: "run-1" })).toHaveLength(1);

    database.exec("PRAGMA max_page_count = 1000000");
    expect(await storage.runs.commit(row("run-2", round + 2))).toEqual(committed);
  }
  expect(database.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
});
