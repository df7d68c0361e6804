import { createHash } from "node:crypto";

/**
 * One SQL text with numbered parameters. Created once per storage, because the text contains the name of the schema.
 */
export interface Statement {
  /** The purpose of the statement, for readers of the server's list of prepared statements. */
  readonly name: string;
  readonly text: string;
}

type SqlScalar = string | number | boolean | null;

/** The values of an array have one type. */
export type SqlValue = SqlScalar | readonly SqlScalar[];

const preparedNames = new WeakMap<Statement, string>();

/**
 * The name under which a connection prepares the statement. It depends on the text, because storages with different
 * schemas may share a pool. Postgres uses at most 63 characters.
 */
export function preparedNameOf(statement: Statement): string {
  const known = preparedNames.get(statement);
  if (known !== undefined) return known;
  const digest = createHash("sha256").update(statement.text).digest("base64url").slice(0, 16);
  const name = `procedo ${statement.name.slice(0, 36)} ${digest}`;
  preparedNames.set(statement, name);
  return name;
}

/**
 * The time in milliseconds since the epoch: the parameter, from the injected clock; for null, the clock of the
 * database.
 */
export function sqlNow(parameter: string): string {
  return `coalesce(${parameter}::bigint, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint)`;
}
