import type { Transaction } from "./database.ts";
import type { Statement } from "./statement.ts";

// Locked in the order of their numbers, whoever asks for whichever: two that want the same ones never wait for each other.
const lock: Statement = {
  name: "advisory-lock",
  text: `SELECT pg_advisory_xact_lock(number)
           FROM (SELECT DISTINCT hashtextextended(name, 0) AS number FROM unnest($1::text[]) AS name ORDER BY 1) AS numbers`,
};

/**
 * Waits until nobody else holds one of the names, then holds them all until the transaction ends. To be called once in a
 * transaction, before its first read: what is read afterwards shows what the holder before has committed.
 *
 * For what is rare and must see everything of its kind, where no row stands for what is not there yet. The schema is part
 * of each name, because Postgres keeps these locks for the whole database. Two names that hash alike only wait for each
 * other.
 */
export async function holdNames(tx: Transaction, schema: string, names: readonly string[]): Promise<void> {
  await tx.query(lock, [names.map((name) => `procedo/${schema}/${name}`)]);
}
