import { openTestDatabase } from "@procedo-testing/postgres";
import type { TestDatabase } from "@procedo-testing/postgres";
import type { Storage } from "@procedo/storage";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { PostgresStorage } from "../src/index.ts";

export const startMs = 1_790_000_000_000;

export interface ThreeNodes {
  readonly storages: readonly [Storage, Storage, Storage];
  /** The node that takes the call of this number. */
  node(number: number): Storage;
  /** Moves the clock of all nodes. */
  advance(byMs: number): void;
}

/** Three storages with pools of their own, on one empty database for each test. */
export function useThreeNodes(): () => ThreeNodes {
  let database: TestDatabase | undefined;
  let nodes: ThreeNodes | undefined;
  let schemas = 0;

  beforeAll(async () => {
    database = await openTestDatabase();
  });
  beforeEach(async () => {
    schemas += 1;
    nodes = await openNodes(database?.url ?? "", `nodes_${schemas}`);
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

async function openNodes(url: string, schema: string): Promise<ThreeNodes> {
  let nowMs = startMs;
  const open = (): Promise<Storage> => PostgresStorage.connect(url, { schema, now: () => nowMs, poolSize: 5 });
  const storages = await Promise.all([open(), open(), open()] as const);
  return {
    storages,
    node: (number) => storages[number % storages.length] ?? storages[0],
    advance(byMs) {
      nowMs += byMs;
    },
  };
}

/** What many calls at the same time, on all nodes in turn, answered. */
export function together<T>(count: number, call: (number: number) => Promise<T>): Promise<readonly T[]> {
  return Promise.all(Array.from({ length: count }, (_, number) => call(number)));
}
