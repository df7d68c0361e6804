import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it, onTestFinished } from "vitest";
import { SqliteStorage } from "../src/index.ts";
import { firstRow, scope } from "./rows.ts";
import { temporaryDirectory } from "./temporary-files.ts";

const days = [0, 1, 2].map((day) => 1_790_000_000_000 + day * 86_400_000);

/** A storage with one run, from which SQL makes others. */
async function open(): Promise<{
  readonly storage: SqliteStorage;
  readonly copy: (count: number, columns: string) => void;
}> {
  const database = new DatabaseSync(join(temporaryDirectory(), "procedo.sqlite"), { timeout: 0 });
  onTestFinished(() => database.close());
  const storage = new SqliteStorage({ database, pollMs: 0 });
  onTestFinished(() => storage.close());
  await storage.runs.commit(
    firstRow("first", { then: { kind: "ended", status: "completed", endedAtMs: days[0] ?? 0 } }),
  );
  let copies = 0;
  const copy = (count: number, columns: string): void => {
    copies += 1;
    database.exec(
      `WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < ${count})
       INSERT INTO runs (run_id, scope, procedure_id, procedure_version, started_by, epoch, created_at_ms, status,
                         worker_id, wake_at_ms, ended_at_ms, error)
       SELECT 'run-${copies}-' || number, scope, procedure_id, procedure_version, started_by, epoch, ${columns}
         FROM numbers, runs WHERE run_id = 'first'`,
    );
  };
  return { storage, copy };
}

it("a tally counts each run once, also where it takes several pieces", async () => {
  const { storage, copy } = await open();
  const [first = 0, second = 0] = days;
  // Many runs share one millisecond, so that pieces end within it.
  copy(45_000, `${first} + number % 3, 'completed', NULL, NULL, ${first}, NULL`);
  copy(20_000, `${second}, 'completed', NULL, NULL, ${second}, NULL`);
  copy(2_000, `${second}, 'awaiting_review', NULL, NULL, NULL, NULL`);
  copy(4_001, `${second}, 'awaiting_review', NULL, 9, NULL, NULL`);
  copy(3, `${second}, 'running', 'worker-1', NULL, NULL, NULL`);
  copy(2_500, `${second}, 'running', NULL, number, NULL, NULL`);
  copy(2_000, `${first}, 'failed', NULL, NULL, ${first}, NULL`);
  copy(2_001, `${second} + number, 'failed', NULL, NULL, ${second}, 'Cancelled by ada'`);
  expect(await storage.runs.tally({ scope, sinceMs: first, dayStartsMs: days })).toMatchObject({
    running: 2_503,
    awaitingReview: 6_001,
    failedSince: 2_000,
    days: [
      { completed: 45_001, failed: 2_000, cancelled: 0 },
      { completed: 20_000, failed: 0, cancelled: 2_001 },
      { completed: 0, failed: 0, cancelled: 0 },
    ],
  });
});

it("other calls are answered while runs are counted", async () => {
  const { storage, copy } = await open();
  copy(60_000, `${days[0] ?? 0}, 'completed', NULL, NULL, 1, NULL`);
  let isCounted = false;
  const tally = storage.runs.tally({ scope, sinceMs: 0, dayStartsMs: days }).then(() => (isCounted = true));
  let answers = 0;
  while (!isCounted) {
    await new Promise((resolve) => setImmediate(resolve));
    await storage.runs.get({ scope, runId: "first" });
    answers += 1;
  }
  await tally;
  expect(answers).toBeGreaterThanOrEqual(3);
});
