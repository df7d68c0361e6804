import type { Transaction } from "./database.ts";
import type { Statement } from "./statement.ts";

// Locks in the order of the numbers, so that two transactions that lock the same names cannot deadlock.
const lock: Statement = {
  name: "advisory-lock",
  text: `SELECT pg_advisory_xact_lock(number)
           FROM (SELECT DISTINCT hashtextextended(name, 0) AS number FROM unnest($1::text[]) AS name ORDER BY 1) AS numbers`,
};

/**
 * Waits until no other transaction holds any of the names, then holds all of them until the transaction ends. Call it
 * once per transaction, before the first read: later reads then show the commits of the previous holder.
 *
 * Meant for rare writes that must see every row of a kind and have no row to lock. Each name includes the schema,
 * because these locks are shared by the whole database. Names with the same hash only wait for each other.
 */
export async function holdNames(tx: Transaction, schema: string, names: readonly string[]): Promise<void> {
  await tx.query(lock, [names.map((name) => `procedo/${schema}/${name}`)]);
}
