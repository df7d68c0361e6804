import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { maxExamined, type RunQuery } from "@procedo/storage";
import { expect, it, onTestFinished } from "vitest";
import { SqliteStorage } from "../src/index.ts";
import { firstRow, scope } from "./rows.ts";
import { temporaryDirectory } from "./temporary-files.ts";

/** The pages of a list over one run of `bob`, the oldest, and this many newer runs of `ada`. */
async function pagesOver(newer: number, query: Omit<RunQuery, "scope">): Promise<readonly (readonly string[])[]> {
  const database = new DatabaseSync(join(temporaryDirectory(), "procedo.sqlite"), { timeout: 0 });
  onTestFinished(() => database.close());
  const storage = new SqliteStorage({ database, pollMs: 0 });
  onTestFinished(() => storage.close());
  const create = { procedureId: "pay", procedureVersion: "v1", createdAtMs: 1, startedBy: "bob", reference: "INV-0" };
  const then = { kind: "parked", status: "awaiting_review", wakeAtMs: undefined } as const;
  await storage.runs.commit(firstRow("oldest", { create, then }));
  database
    .prepare(
      `WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < ?)
       INSERT INTO runs (run_id, scope, procedure_id, procedure_version, started_by, reference, created_at_ms, status, epoch)
       SELECT 'run-' || number, scope, procedure_id, procedure_version, 'ada', 'INV-1', 2, status, epoch FROM numbers, runs`,
    )
    .run(newer);
  const pages: (readonly string[])[] = [];
  let cursor: string | undefined;
  do {
    const page = await storage.runs.list({ scope, ...query, limit: 9, ...(cursor === undefined ? {} : { cursor }) });
    pages.push(page.items.map(({ runId }) => runId));
    cursor = page.nextCursor;
  } while (cursor !== undefined && pages.length < 9);
  return pages;
}

const oldest = ["oldest"];

it.each([
  [maxExamined - 1, [oldest, []]],
  [maxExamined, [[], oldest]],
  [2 * maxExamined + 1, [[], [], oldest]],
])("a page over %i rows that do not match ends after the rows that it may examine", async (newer, pages) => {
  expect(await pagesOver(newer, { startedBy: "bob" })).toEqual(pages);
});

it.each([
  [["awaiting_review"], [[], oldest]],
  [
    ["awaiting_review", "failed"],
    [[], [], oldest],
  ],
  [
    ["awaiting_review", "completed"],
    [[], oldest],
  ],
] as const)("the pages of a list of %j examine no more rows in all", async (statuses, pages) => {
  expect(await pagesOver(maxExamined + 1, { startedBy: "bob", statuses })).toEqual(pages);
});

it.each([
  [maxExamined - 1, [oldest, []]],
  [maxExamined, [[], oldest]],
  [2 * maxExamined + 1, [[], [], oldest]],
])(
  "a page of a search over %i references that do not match ends after the rows that it may examine",
  async (newer, pages) => {
    expect(await pagesOver(newer, { search: "INV", startedBy: "bob" })).toEqual(pages);
  },
);

it("a search examines only references that begin with its text, and the run with its id", async () => {
  expect(await pagesOver(maxExamined + 1, { search: "INV-0", startedBy: "bob" })).toEqual([oldest]);
  expect(await pagesOver(maxExamined + 1, { search: "oldest", startedBy: "bob" })).toEqual([oldest]);
});
