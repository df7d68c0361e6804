import type { Pool, PoolClient } from "pg";
import type { SeededRandom } from "@procedo-testing/faults";
import type { BrokenTransactions } from "./member-protocol.ts";

/** A serialization failure and a deadlock: Postgres rolled back, and a repetition may succeed. */
const sqlStates = ["40001", "40P01"] as const;

/**
 * Makes Postgres abort a share of this pool's transactions: at the first statement, at a later one, or in place of the
 * commit. A single statement is a transaction as well.
 */
export function breakTransactions(pool: Pool, share: () => number, random: SeededRandom): BrokenTransactions {
  const counts = { transactions: 0, broken: 0 };
  pool.on("connect", (client) => breakClient(client, share, random, counts));
  return counts;
}

function breakClient(
  client: PoolClient,
  share: () => number,
  random: SeededRandom,
  counts: { transactions: number; broken: number },
): void {
  const query = client.query.bind(client) as (...args: readonly unknown[]) => unknown;
  /** Statements of the open transaction until it is aborted; `undefined` without one, or if it is not to be aborted. */
  let breaksIn: number | undefined;
  let open = false;

  const replaced = (...args: readonly unknown[]): unknown => {
    const text = textOf(args[0]);
    const begins = /^\s*(begin|start transaction)\b/i.test(text);
    const ends = /^\s*(commit|rollback)\b/i.test(text);
    if (begins || !open) {
      counts.transactions += 1;
      breaksIn = random.chance(share()) ? random.below(begins ? 4 : 1) : undefined;
      open = begins;
      if (begins) return query(...args);
    }
    if (ends) open = false;
    const breaks = breaksIn === 0 || (breaksIn !== undefined && /^\s*commit/i.test(text));
    if (breaksIn !== undefined) breaksIn -= 1;
    if (!breaks || /^\s*(rollback|listen|unlisten)/i.test(text)) return query(...args);
    breaksIn = undefined;
    counts.broken += 1;
    const raise = `DO $$ BEGIN RAISE EXCEPTION 'broken off by the proof' USING ERRCODE = '${random.pick(sqlStates)}'; END $$`;
    if (ends) return breakCommit(query, raise);
    const callback = args.at(-1);
    return typeof callback === "function" ? query(raise, callback) : query(raise);
  };
  Object.defineProperty(client, "query", { value: replaced, configurable: true });
}

/** A commit that fails has ended its transaction. */
async function breakCommit(query: (text: string) => unknown, raise: string): Promise<never> {
  try {
    await query(raise);
  } catch (error) {
    await query("ROLLBACK");
    throw error;
  }
  throw new Error("A commit was to break off, and did not.");
}

function textOf(statement: unknown): string {
  if (typeof statement === "string") return statement;
  const { text } = statement as { readonly text?: unknown };
  return typeof text === "string" ? text : "";
}
