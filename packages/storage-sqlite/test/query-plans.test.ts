import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it, onTestFinished } from "vitest";
import { SqliteStorage } from "../src/index.ts";
import { firstRow, scope } from "./rows.ts";
import { temporaryDirectory } from "./temporary-files.ts";

/** Tables that grow with every run. Tables that grow only with managed resources may be scanned. */
const growing = [
  "runs",
  "journal",
  "inbox",
  "reviews",
  "decisions",
  "deliveries",
  "delivery_attempts",
  "payloads",
  "invocations",
  "budgets",
  "reservations",
  "idempotency",
  "sessions",
  "sign_in_failures",
  "events",
  "event_contents",
  "firings",
  "run_triggers",
];

const open = ["running", "awaiting_review"] as const;
const ended = ["completed", "failed"] as const;

/** Every statement that a storage prepares, including those of its lists, in its database. */
async function preparedStatements(): Promise<{ readonly database: DatabaseSync; readonly texts: readonly string[] }> {
  const database = new DatabaseSync(join(temporaryDirectory(), "procedo.sqlite"), { timeout: 0 });
  onTestFinished(() => database.close());
  const texts: string[] = [];
  const prepare = database.prepare.bind(database);
  database.prepare = (sql) => {
    texts.push(sql);
    return prepare(sql);
  };
  const storage = new SqliteStorage({ database, pollMs: 0 });
  onTestFinished(() => storage.close());
  await storage.runs.commit(firstRow("run-1"));
  const each = { scope, limit: 10 };
  for (const procedureId of [{}, { procedureId: "vendor-payment" }]) {
    for (const statuses of [
      undefined,
      ["running"],
      ["awaiting_review"],
      ["completed"],
      ["failed"],
      open,
      ended,
    ] as const) {
      const query = { ...each, ...procedureId, ...(statuses === undefined ? {} : { statuses }) };
      const attention = { failedSinceMs: 1, startedSinceMs: 1 };
      for (const filter of [{}, { startedBy: "ada" }, { version: "v1" }, { attention }, { triggerId: "trg-1" }]) {
        await storage.runs.list({ ...query, ...filter });
      }
    }
    for (const status of [undefined, "open", "approved"] as const) {
      const query = { ...each, ...procedureId, ...(status === undefined ? {} : { status }) };
      for (const filter of [{}, { kind: "question" }, { closedFromMs: 1 }, { order: "expires" }] as const) {
        await storage.reviews.list({ ...query, ...filter });
      }
    }
  }
  for (const filter of [{}, { procedureId: "vendor-payment" }]) {
    await storage.runs.list({ ...each, ...filter, search: "INV" });
    await storage.runs.list({ ...each, search: "INV", attention: { failedSinceMs: 1, startedSinceMs: 1 } });
    await storage.reviews.list({ ...each, ...filter, search: "INV" });
    await storage.runs.list({ ...each, ...filter, search: "INV", triggerId: "trg-1" });
  }
  await storage.runs.tally({ scope, sinceMs: 1, dayStartsMs: [1] });
  await storage.reviews.tally({ scope, expiresBeforeMs: 1 });
  await storage.deliveries.failing({ scope, webhookIds: ["hook-1"] });
  const ofWebhook = { ...each, webhookId: "hook-1" };
  for (const filter of [{}, { status: "failed" }, { event: "run_failed" }, { fromMs: 1, toMs: 2 }] as const) {
    await storage.deliveries.list({ ...ofWebhook, ...filter });
  }
  for (const status of [undefined, "pending", "waiting", "failed"] as const) {
    await storage.triggers.list({ ...each, triggerId: "trg-1", ...(status === undefined ? {} : { status }) });
  }
  database.prepare = prepare;
  return { database, texts: [...new Set(texts)] };
}

function planOf(database: DatabaseSync, sql: string): readonly string[] {
  if (!/^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)/i.test(sql)) return [];
  return database
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .all()
    .map(({ detail }) => String(detail));
}

it("no statement scans a table that grows with every run, however many runs are archived", async () => {
  const { database, texts } = await preparedStatements();
  const bounded = (sql: string): boolean => sql.includes("FROM idempotency ORDER BY rowid LIMIT");
  const scans = texts.flatMap((sql) =>
    planOf(database, sql)
      .filter((line) => growing.some((table) => new RegExp(`^SCAN ${table}\\b`).test(line)) && !bounded(sql))
      .map((line) => `${line}: ${sql}`),
  );
  expect(texts.length).toBeGreaterThan(50);
  expect(scans).toEqual([]);
});

it("archived runs are in none of the indexes that claims and archiving search", async () => {
  const { database, texts } = await preparedStatements();
  const plans = texts.filter((sql) => sql.includes("runs_ended") || sql.includes("runs_open"));
  expect(plans.length).toBeGreaterThanOrEqual(4);
  const indexes = database
    .prepare("SELECT name, sql FROM sqlite_schema WHERE name IN ('runs_open', 'runs_ended', 'runs_archived')")
    .all()
    .map(({ name, sql }) => [name, String(sql).replace(/^.* WHERE /s, "")]);
  expect(Object.fromEntries(indexes)).toEqual({
    runs_open: "ended_at_ms IS NULL",
    runs_ended: "ended_at_ms IS NOT NULL AND archived_at_ms IS NULL",
    runs_archived: "archived_at_ms IS NOT NULL",
  });
});

it("polls and lapses find invocations by indexes without settled ones", async () => {
  const { database, texts } = await preparedStatements();
  const plans = texts
    .filter((sql) => /INDEXED BY invocations_to_(lease|lapse)/.test(sql) && !sql.includes("WITH open"))
    .map((sql) => planOf(database, sql));
  expect(plans).toHaveLength(4);
  for (const plan of plans) {
    expect(plan[0]).toMatch(/^SEARCH invocations USING (COVERING )?INDEX invocations_to_(lease|lapse) \(scope=\?/);
    expect(plan.filter((line) => line.startsWith("USE TEMP B-TREE"))).toEqual([]);
  }
  const indexes = database
    .prepare("SELECT name, sql FROM sqlite_schema WHERE name LIKE 'invocations_to_%'")
    .all()
    .map(({ name, sql }) => [name, String(sql).replace(/^.* WHERE /s, "")]);
  expect(Object.fromEntries(indexes)).toEqual({
    invocations_to_lease: "next = 'lease'",
    invocations_to_lapse: "next = 'lapse'",
  });
});

it("records are found by their keys without reading the keys of others", async () => {
  const { database, texts } = await preparedStatements();
  const searches = texts
    .flatMap((sql) => planOf(database, sql))
    .filter((line) => /^(SCAN|SEARCH) record_keys\b/.test(line))
    .map((line) => /(\(.*\))?$/.exec(line)?.[0]);
  expect(searches.length).toBeGreaterThan(1);
  expect(new Set(searches)).toEqual(new Set(["(kind=? AND record_key=?)", "(record=?)"]));
});

it("a page of one environment's records is found without reading those of the other", async () => {
  const { database, texts } = await preparedStatements();
  const plans = texts.filter((sql) => sql.includes("records_of_environment")).map((sql) => planOf(database, sql));
  expect(plans).toEqual([
    ["SEARCH records USING INDEX records_of_environment (workspace=? AND kind=? AND environment=? AND id>?)"],
  ]);
});

it("pages of heads are merged from the two indexes in their order, without sorting all ended runs", async () => {
  const { database, texts } = await preparedStatements();
  const [sql = ""] = texts.filter((text) => text.includes("runs_ended") && text.includes("runs_archived"));
  const plan = planOf(database, sql);
  expect(plan).toContain("MERGE (UNION ALL)");
  expect(plan.filter((line) => line.startsWith("USE TEMP B-TREE"))).toEqual([]);
  // Only the last row of a journal, however long it is.
  expect(plan.find((line) => line.startsWith("SEARCH head"))).toContain("(run=? AND seq=?)");
});

it("filters of lists are checked while rows are read in the order of an index, without sorting them", async () => {
  const { database, texts } = await preparedStatements();
  const filtered = texts.filter((sql) => /^SELECT \* FROM \(.* LIMIT 5000\) AS listed WHERE /s.test(sql));
  const ordered = filtered.filter((sql) => !/UNION|runs_open|reviews_expiring/.test(sql));
  expect(ordered.length).toBeGreaterThan(20);
  for (const sql of ordered) {
    const plan = planOf(database, sql);
    expect(plan.filter((line) => line.startsWith("USE TEMP B-TREE"))).toEqual([]);
    expect(plan.join("\n")).toMatch(/SEARCH (runs|reviews|deliveries|firings|run_triggers) USING (COVERING )?INDEX/);
  }
});

it("open reviews that expire are found by an index that holds no others", async () => {
  const { database, texts } = await preparedStatements();
  const [sql = ""] = texts.filter((text) => text.includes("reviews_expiring"));
  expect(planOf(database, sql).join("\n")).toContain("SEARCH reviews USING INDEX reviews_expiring (scope=? AND");
});

it("runs of a day are counted in an index alone, and rows of open and failed runs are read in order", async () => {
  const { database, texts } = await preparedStatements();
  const counts = texts.filter((sql) => sql.includes("created_at_ms < ?3") && sql.includes("runs_by_procedure"));
  expect(counts).toHaveLength(2);
  for (const sql of counts) {
    expect(planOf(database, sql)).toEqual([expect.stringContaining("USING COVERING INDEX runs_by_procedure (scope=?")]);
  }
  const pieces = texts.filter((sql) => / AND run <= \?2 /.test(sql) && sql.includes("LIMIT"));
  expect(pieces).toHaveLength(3);
  for (const sql of pieces) {
    expect(planOf(database, sql)).toEqual([expect.stringMatching(/USING INDEX runs_(open|failed) \(scope=\?/)]);
  }
});

it("searches read the rows of an id, and references in the order of an index that holds no runs without one", async () => {
  const { database, texts } = await preparedStatements();
  const plansOf = (part: string): readonly string[] =>
    texts.filter((sql) => sql.includes(part)).map((sql) => planOf(database, sql).join("\n"));
  const byReference = [...plansOf("runs_by_reference"), ...plansOf("reviews_by_reference")];
  expect(byReference).toHaveLength(9);
  for (const plan of byReference) {
    expect(plan).toMatch(
      /SEARCH (runs|reviews) USING INDEX (runs|reviews)_by_reference \(scope=\? AND reference>\? AND \(reference,(created|opened)_at_ms\)</,
    );
    expect(plan).not.toContain("TEMP B-TREE");
  }
  const ofReviews = plansOf("UNION SELECT review FROM runs");
  expect(ofReviews).toHaveLength(3);
  for (const plan of ofReviews) {
    expect(plan).toContain("SEARCH runs USING COVERING INDEX sqlite_autoindex_runs_1 (run_id=?)");
    expect(plan).toContain("SEARCH reviews USING COVERING INDEX reviews_of_run (run=?)");
    expect(plan).toContain("SEARCH reviews USING COVERING INDEX sqlite_autoindex_reviews_1 (review_id=?)");
  }
  const indexes = database
    .prepare("SELECT sql FROM sqlite_schema WHERE name IN ('runs_by_reference', 'reviews_by_reference')")
    .all()
    .map(({ sql }) => String(sql).replace(/^.* WHERE /s, ""));
  expect(indexes).toEqual(["reference IS NOT NULL", "reference IS NOT NULL"]);
});

it("claims of firings read the queue of a trigger in the order of an index", async () => {
  const { database, texts } = await preparedStatements();
  const plans = texts.filter((sql) => sql.includes("INDEXED BY firing_queue_")).map((sql) => planOf(database, sql));
  expect(plans.length).toBeGreaterThanOrEqual(10);
  for (const plan of plans) {
    expect(plan.find((line) => line.includes("firing_queue"))).toMatch(
      /^SEARCH firing_queue USING (COVERING )?INDEX firing_queue_\w+ \(scope=\?/,
    );
    expect(plan.filter((line) => line.startsWith("USE TEMP B-TREE"))).toEqual([]);
  }
});

it("the runs of a trigger are found by its index, newest first", async () => {
  const { database, texts } = await preparedStatements();
  const plans = texts.filter((sql) => sql.includes("run_triggers_by_time")).map((sql) => planOf(database, sql));
  expect(plans.length).toBeGreaterThanOrEqual(5);
  for (const plan of plans) {
    expect(plan.join("\n")).toMatch(
      /SEARCH run_triggers USING COVERING INDEX run_triggers_by_time \(run_scope=\? AND trigger_id=\?/,
    );
    expect(plan.filter((line) => line.startsWith("USE TEMP B-TREE"))).toEqual([]);
  }
});
