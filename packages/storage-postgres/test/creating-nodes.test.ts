import type { CommitResult, RunCommit, RunStore } from "@procedo/storage";
import pg from "pg";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { idempotencyKeyOf } from "../src/idempotency-key.ts";
import { commitAll, firstRow, scope } from "./run-rows.ts";
import { startMs, useThreeNodes } from "./three-nodes.ts";

const nodes = useThreeNodes({ circlesHang: true });
const procedureId = "pay";
const hourMs = 3_600_000;

/** A session that holds a key in an open transaction, and one that counts the sessions that wait. */
let rival: pg.Client;
let watcher: pg.Client;

beforeEach(async () => {
  const { url, schema } = nodes();
  [rival, watcher] = [new pg.Client(url), new pg.Client(url)];
  await Promise.all([rival.connect(), watcher.connect()]);
  await rival.query(`SET search_path = ${schema}`);
  onTestFinished(async () => {
    await Promise.all([rival.end(), watcher.end()]);
  });
});

function creation(key: string, node: number, expiresAtMs: number): RunCommit {
  const create = { procedureId, procedureVersion: "v1", createdAtMs: startMs, startedBy: "key-1" };
  return firstRow(`run-of-${key}-by-${node}`, {
    create: { ...create, idempotency: { key, digest: `digest-by-${node}`, expiresAtMs } },
  });
}

/** Neighbouring items are far apart, and each node starts elsewhere. */
function inOrderOf<T>(node: number, items: readonly T[]): readonly T[] {
  const stride = [1, 7, 11][node] ?? 1;
  return items.map((_item, index) => items[(index * stride + 5 * node) % items.length] as T);
}

async function inTwoFlushes(runs: RunStore, items: readonly RunCommit[]): Promise<readonly CommitResult[]> {
  const first = commitAll(runs, items.slice(0, items.length / 2));
  await new Promise(setImmediate);
  return (await Promise.all([first, commitAll(runs, items.slice(items.length / 2))])).flat();
}

/** Runs the call while the rival holds the key, and releases the key when this many statements wait for it. */
async function whileHeld<T>(key: string, waiting: number, call: () => Promise<T>): Promise<T> {
  await rival.query(`BEGIN; INSERT INTO idempotency (key, run_id, digest, expires_at_ms)
                     VALUES ('${idempotencyKeyOf(scope, procedureId, key)}', 'nobody', 'nobody', ${Number.MAX_SAFE_INTEGER})`);
  const answer = call();
  const waits = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  while (((await watcher.query(waits)).rowCount ?? 0) < waiting);
  await rival.query("ROLLBACK");
  return await answer;
}

it.each([1, 2, 3, 4, 5, 6])(
  "each key that three nodes request in two batches each, in different orders, is taken once (%i)",
  async (round) => {
    const { storages, advance } = nodes();
    const keys = Array.from({ length: 36 }, (_, number) => `key-${round}-${number}`);
    const expired = keys.filter((_key, number) => number % 9 === 4);
    const before = await commitAll(
      storages[0].runs,
      expired.map((key) => creation(key, 9, startMs + hourMs)),
    );
    expect(before).toEqual(expired.map(() => ({ status: "committed" })));
    advance(hourMs);

    const fresh = keys.find((key) => !expired.includes(key)) ?? "";
    const batches = storages.map((_storage, node) =>
      inOrderOf(node, keys).map((key) => ({ key, item: creation(key, node, startMs + 2 * hourMs) })),
    );
    const answers = await whileHeld(fresh, storages.length, () =>
      Promise.all(
        storages.map(({ runs }, node) =>
          inTwoFlushes(
            runs,
            (batches[node] ?? []).map(({ item }) => item),
          ),
        ),
      ),
    );

    const ofKey = new Map(keys.map((key): [string, [number, CommitResult][]] => [key, []]));
    for (const [node, batch] of batches.entries()) {
      for (const [place, { key }] of batch.entries()) {
        const result = answers[node]?.[place];
        if (result !== undefined) ofKey.get(key)?.push([node, result]);
      }
    }
    const winners = new Set<string>();
    for (const [key, results] of ofKey) {
      expect(results).toHaveLength(storages.length);
      const taken = results.filter(([, { status }]) => status === "committed");
      expect([key, taken]).toEqual([key, [expect.anything()]]);
      const winner = taken[0]?.[0] ?? -1;
      const exists = { status: "exists", runId: `run-of-${key}-by-${winner}`, digest: `digest-by-${winner}` };
      for (const [node, result] of results) if (node !== winner) expect(result).toEqual(exists);
      expect(await storages[1].runs.findByKey({ scope, procedureId, idempotencyKey: key })).toMatchObject({
        runId: exists.runId,
      });
      winners.add(exists.runId);
    }
    const { items } = await storages[2].runs.list({ scope, limit: 200 });
    const made = new Set([...winners, ...expired.map((key) => `run-of-${key}-by-9`)]);
    expect(new Set(items.map(({ runId }) => runId))).toEqual(made);
  },
);
