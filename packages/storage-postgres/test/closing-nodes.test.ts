import { randomUUID } from "node:crypto";
import { openTestDatabase } from "@procedo-testing/postgres";
import type { TestDatabase } from "@procedo-testing/postgres";
import type { Change } from "@procedo/storage";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { PostgresStorage } from "../src/index.ts";
import { commitAll, firstRow, post, row, scope } from "./run-rows.ts";

/** Too long for any change to be found by polling. */
const pollMs = 60_000;

describe("a node that closes", () => {
  let database: TestDatabase;
  let other: PostgresStorage;
  const received: Change[] = [];

  beforeAll(async () => {
    database = await openTestDatabase();
    other = await PostgresStorage.connect(database.url, { pollMs });
    other.watch((change) => void received.push(change));
  });
  afterAll(async () => {
    await other.close();
    await database.close();
  });

  /** A node that has just announced many changes, and a run of its own that it has not announced. */
  async function openBusy() {
    const node = await PostgresStorage.connect(database.url, { pollMs });
    const runId = randomUUID();
    await node.runs.commit(firstRow(runId));
    for (let turn = 0; turn < 3; turn++) {
      const parked = Array.from({ length: 20 }, () =>
        firstRow(randomUUID(), { then: { kind: "parked", status: "running", wakeAtMs: 0 } }),
      );
      const record = { ...scope, kind: "webhook", id: randomUUID(), body: "{}", uniqueKeys: [], keys: [] } as const;
      await Promise.all([commitAll(node.runs, parked), node.records.put({ record, ifRevision: 0 })]);
    }
    return { node, runId };
  }

  it.each([0, 1, 2, 4, 8, 16])(
    "notifies the others of its last changes, %i ms after other notices",
    async (pauseMs) => {
      const { node, runId } = await openBusy();
      await new Promise((resolve) => void setTimeout(resolve, pauseMs));
      await node.inbox.post([post(runId)]);
      await node.close();
      await vi.waitFor(() => {
        expect(received).toContainEqual({ type: "notified", runId });
      });
    },
  );

  it("notifies the others of deferred notices, too", async () => {
    const { node, runId } = await openBusy();
    await node.runs.commit(row(runId, 2, { then: { kind: "ended", status: "completed", endedAtMs: 5 } }));
    await node.close();
    await vi.waitFor(() => {
      expect(received).toContainEqual({ type: "settled", runId, scope });
    });
  });
});
