import { openTestDatabase } from "@procedo-testing/postgres";
import type { TestDatabase } from "@procedo-testing/postgres";
import { maxExamined, type Page } from "@procedo/storage";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PostgresStorage } from "../src/index.ts";
import { firstRow, scope } from "./run-rows.ts";

/** The oldest run, review and delivery match; more newer ones than a page examines do not. */
let database: TestDatabase;
let pool: pg.Pool;
let storage: PostgresStorage;

beforeAll(async () => {
  database = await openTestDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 2 });
  storage = await PostgresStorage.open({ pool });
  const create = { procedureId: "pay", procedureVersion: "v1", createdAtMs: 1, startedBy: "bob", reference: "INV-0" };
  const then = { kind: "parked", status: "awaiting_review", wakeAtMs: undefined } as const;
  const openReview = {
    ...{ reviewId: "oldest", nodeId: "approve", kind: "question", title: "Pay?", body: "{}", digest: "digest-1" },
    ...{ effectKey: "approve-1", openedAtMs: 1 },
  };
  const record = { ...scope, kind: "webhook", id: "hook-1", body: "{}", uniqueKeys: [], keys: [] };
  await storage.records.put({ record, ifRevision: 0 });
  await storage.runs.commit(firstRow("oldest", { create, then, openReview }));
  const event = { eventId: "oldest", event: "run_failed", createdAtMs: 1, data: "{}" } as const;
  await storage.deliveries.post({ scope, webhookId: "hook-1", event });
  const newer = `generate_series(1, ${maxExamined + 1}) AS number`;
  await pool.query(`
    INSERT INTO procedo.runs (run_id, workspace, environment, procedure_id, procedure_version, started_by, created_at_ms,
                              status, epoch, reference)
    SELECT 'run-' || number, workspace, environment, procedure_id, procedure_version, 'ada', 2, status, epoch, 'INV-1'
      FROM procedo.runs, ${newer};
    INSERT INTO procedo.reviews (review_id, run_id, workspace, environment, procedure_id, node_id, kind, title, body,
                                 digest, effect_key, opened_at_ms, status, reference)
    SELECT 'review-' || number, 'run-' || number, workspace, environment, procedure_id, node_id, 'guard', title, body,
           digest, effect_key, 0, status, 'INV-1'
      FROM procedo.reviews, ${newer};
    INSERT INTO procedo.deliveries (delivery_id, workspace, environment, webhook_id, event_id, event, created_at_ms,
                                    payload, status)
    SELECT 'delivery-' || number, workspace, environment, webhook_id, 'event-' || number, 'run_completed', 2, payload,
           'delivered'
      FROM procedo.deliveries, ${newer}`);
});
afterAll(async () => {
  await storage.close();
  await pool.end();
  await database.close();
});

async function pagesOf<T>(
  read: (page: { readonly limit: number; readonly cursor?: string }) => Promise<Page<T>>,
  nameOf: (item: T) => string,
): Promise<readonly (readonly string[])[]> {
  const pages: (readonly string[])[] = [];
  let cursor: string | undefined;
  do {
    const page = await read(cursor === undefined ? { limit: 9 } : { limit: 9, cursor });
    pages.push(page.items.map(nameOf));
    cursor = page.nextCursor;
  } while (cursor !== undefined && pages.length < 9);
  return pages;
}

const twoPages = [[], ["oldest"]];
/** Rows that are merged from two indexes are examined up to half the bound in each. */
const threePages = [[], [], ["oldest"]];

it.each([
  [undefined, twoPages],
  [["awaiting_review"], twoPages],
  [["awaiting_review", "failed"], threePages],
  [["awaiting_review", "completed"], twoPages],
] as const)("a page of runs of %j ends after the rows that it may examine", async (statuses, expected) => {
  const query = { scope, startedBy: "bob", ...(statuses === undefined ? {} : { statuses }) };
  const pages = await pagesOf(
    (page) => storage.runs.list({ ...query, ...page }),
    ({ runId }) => runId,
  );
  expect(pages).toEqual(expected);
});

it.each([
  ["INV", twoPages],
  ["INV-0", [["oldest"]]],
  ["oldest", [["oldest"]]],
] as const)("a page of a search for %j ends after the rows that it may examine", async (search, expected) => {
  const runs = await pagesOf(
    (page) => storage.runs.list({ scope, search, startedBy: "bob", ...page }),
    ({ runId }) => runId,
  );
  const reviews = await pagesOf(
    (page) => storage.reviews.list({ scope, search, kind: "question", ...page }),
    ({ reviewId }) => reviewId,
  );
  expect([runs, reviews]).toEqual([expected, expected]);
});

it.each([{ status: "open" }, { order: "expires" }, {}] as const)(
  "a page of reviews with %j ends after the rows that it may examine",
  async (query) => {
    const list = { scope, kind: "question", ...query };
    const pages = await pagesOf(
      (page) => storage.reviews.list({ ...list, ...page }),
      ({ reviewId }) => reviewId,
    );
    expect(pages).toEqual("order" in query ? threePages : twoPages);
  },
);

it.each([{ event: "run_failed" }, { status: "pending" }] as const)(
  "a page of deliveries with %j ends after the rows that it may examine",
  async (query) => {
    const list = { scope, webhookId: "hook-1", ...query };
    const pages = await pagesOf(
      (page) => storage.deliveries.list({ ...list, ...page }),
      ({ eventId }) => eventId,
    );
    expect(pages).toEqual(twoPages);
  },
);
