import { groupCommit, type GroupCommitTimeLimit } from "@procedo/storage";
import { groupClock } from "./group-clock.ts";
import { failureOf } from "./postgres-error.ts";

export interface BatchedLookupOptions<Row> {
  /** Returns the rows of each key in order. */
  readonly find: (keys: readonly string[]) => Promise<readonly Row[]>;
  readonly keysOf: (row: Row) => readonly string[];
  readonly timeLimit: GroupCommitTimeLimit;
}

/** Each statement occupies a connection, and writes also need connections. */
const statementsAtOnce = 4;

/**
 * Finds rows by key, with one statement for all keys of one event-loop turn. After a change that may concern any run,
 * every active run looks up its own key.
 */
export function batchedLookup<Row>(options: BatchedLookupOptions<Row>): (key: string) => Promise<readonly Row[]> {
  const { find, keysOf, timeLimit } = options;

  async function findAll(keys: readonly string[]): Promise<readonly (readonly Row[])[]> {
    const rowsOf = new Map<string, Row[]>(keys.map((key) => [key, []]));
    for (const row of await find([...rowsOf.keys()])) for (const key of keysOf(row)) rowsOf.get(key)?.push(row);
    return keys.map((key) => rowsOf.get(key) ?? []);
  }

  const group = groupCommit<string, { readonly rows: readonly Row[] } | { readonly error: unknown }>({
    async flush(keys) {
      try {
        return (await findAll(keys)).map((rows) => ({ rows }));
      } catch (error) {
        if (keys.length === 1 || failureOf(error) !== "statement") throw error;
        // The database rejected one of the keys. The others are looked up one by one.
        return await Promise.all(
          keys.map((key) =>
            findAll([key]).then(
              ([rows = []]) => ({ rows }),
              (refusal: unknown) => ({ error: refusal }),
            ),
          ),
        );
      }
    },
    sizeOf: (key) => key.length,
    concurrency: statementsAtOnce,
    timeLimit,
    clock: groupClock,
  });

  return async (key) => {
    const found = await group.add(key);
    if ("error" in found) throw found.error;
    return found.rows;
  };
}
