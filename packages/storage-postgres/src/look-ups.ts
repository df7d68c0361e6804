import { createFlushes, type TimeLimit } from "./flushes.ts";
import { failureOf } from "./postgres-error.ts";

export interface LookUpOptions<Row> {
  /** In the order in which the rows of a key are answered. */
  readonly find: (keys: readonly string[]) => Promise<readonly Row[]>;
  readonly keysOf: (row: Row) => readonly string[];
  readonly timeLimit: TimeLimit;
}

/** Each takes a connection. */
const atOnce = 4;

/**
 * Finds rows by a key. What is asked for in one turn of the event loop goes as one statement: when something may have
 * changed, every run that is under way asks for its own.
 */
export function createLookUp<Row>(options: LookUpOptions<Row>): (key: string) => Promise<readonly Row[]> {
  const { find, keysOf, timeLimit } = options;

  async function findAll(keys: readonly string[]): Promise<readonly (readonly Row[])[]> {
    const rowsOf = new Map<string, Row[]>(keys.map((key) => [key, []]));
    for (const row of await find([...rowsOf.keys()])) for (const key of keysOf(row)) rowsOf.get(key)?.push(row);
    return keys.map((key) => rowsOf.get(key) ?? []);
  }

  const flushes = createFlushes<string, { readonly rows: readonly Row[] } | { readonly error: unknown }>({
    async flush(keys) {
      try {
        return (await findAll(keys)).map((rows) => ({ rows }));
      } catch (error) {
        if (keys.length === 1 || failureOf(error) !== "statement") throw error;
        // One that the database refuses hinders no other.
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
    namesOf: () => [],
    sizeOf: (key) => key.length,
    atOnce,
    timeLimit,
  });

  return async (key) => {
    const [found] = await flushes.add([key]);
    if (found !== undefined && "rows" in found) return found.rows;
    throw found?.error;
  };
}
