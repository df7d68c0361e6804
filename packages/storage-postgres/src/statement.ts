import { createHash } from "node:crypto";

/** One SQL text with numbered parameters. Made once per storage, as the schema's name stands in the text. */
export interface Statement {
  /** What it does, for people who look at the server's list of prepared statements. */
  readonly name: string;
  readonly text: string;
}

type SqlScalar = string | number | boolean | null;

/** An array holds values of one type. */
export type SqlValue = SqlScalar | readonly SqlScalar[];

const preparedNames = new WeakMap<Statement, string>();

/**
 * The name under which a connection prepares the statement. It follows from the text, as several storages with schemas of
 * their own may share a pool; at most 63 characters count.
 */
export function preparedNameOf(statement: Statement): string {
  const known = preparedNames.get(statement);
  if (known !== undefined) return known;
  const digest = createHash("sha256").update(statement.text).digest("base64url").slice(0, 16);
  const name = `procedo ${statement.name.slice(0, 36)} ${digest}`;
  preparedNames.set(statement, name);
  return name;
}

/** Milliseconds since the epoch: the parameter, which is the injected clock's, or the database's own clock when it is null. */
export function sqlNow(parameter: string): string {
  return `coalesce(${parameter}::bigint, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint)`;
}
