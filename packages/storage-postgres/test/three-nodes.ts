import { openTestDatabase } from "@procedo-testing/postgres";
import type { TestDatabase } from "@procedo-testing/postgres";
import type { Storage } from "@procedo/storage";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { PostgresStorage } from "../src/index.ts";

export const startMs = 1_790_000_000_000;

export interface ThreeNodes {
  readonly storages: readonly [Storage, Storage, Storage];
  readonly url: string;
  readonly schema: string;
  /** The node for the call with this number. */
  node(number: number): Storage;
  /** Advances the clock of all nodes. */
  advance(byMs: number): void;
}

export interface ThreeNodesOptions {
  /**
   * Whether deadlocks stay undetected: Postgres searches for them only after a minute, when the calls have failed.
   * Otherwise one of the transactions is rolled back after a second and retried, without a visible effect.
   *
   * @defaultValue false
   */
  readonly circlesHang?: boolean;
}

/** Three storages with separate pools, on one empty database per test. */
export function useThreeNodes({ circlesHang = false }: ThreeNodesOptions = {}): () => ThreeNodes {
  let database: TestDatabase | undefined;
  let nodes: ThreeNodes | undefined;
  let schemas = 0;

  beforeAll(async () => {
    database = await openTestDatabase();
  });
  beforeEach(async () => {
    schemas += 1;
    const schema = `nodes_${schemas}`;
    const url = database?.url ?? "";
    nodes = await (circlesHang ? openNodes(withoutRescue(url), schema, 40_000) : openNodes(url, schema, 4_000));
  });
  afterEach(async () => {
    await Promise.all((nodes?.storages ?? []).map((storage) => storage.close()));
  });
  afterAll(async () => {
    await database?.close();
  });

  return () => {
    if (nodes === undefined) throw new Error("The nodes exist only within a test.");
    return nodes;
  };
}

function withoutRescue(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set("options", "-c deadlock_timeout=60s");
  return url.href;
}

async function openNodes(url: string, schema: string, timeoutMs: number): Promise<ThreeNodes> {
  let nowMs = startMs;
  const options = { schema, now: () => nowMs, poolSize: 5, timeoutMs };
  const open = (): Promise<Storage> => PostgresStorage.connect(url, options);
  const storages = await Promise.all([open(), open(), open()] as const);
  return {
    storages,
    url,
    schema,
    node: (number) => storages[number % storages.length] ?? storages[0],
    advance(byMs) {
      nowMs += byMs;
    },
  };
}

/** The results of many concurrent calls, on all nodes in turn. */
export function together<T>(count: number, call: (number: number) => Promise<T>): Promise<readonly T[]> {
  return Promise.all(Array.from({ length: count }, (_, number) => call(number)));
}
