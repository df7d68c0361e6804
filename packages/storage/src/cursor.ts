import { createHash } from "node:crypto";
import { ProcedoError } from "@procedo/contract";

/** The query of a list without limit and cursor: its name, scope and filters. */
export type CursorQuery = readonly (string | number | undefined)[];

/** The opaque cursor of a position in the list of a query, for adapters. */
export function encodeCursor(query: CursorQuery, position: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify([digestOf(query), ...position])).toString("base64url");
}

/**
 * The position that a cursor of the same query encodes; `undefined` without a cursor.
 *
 * @throws ProcedoError `invalid_cursor` for a cursor of another scope or query, and for any other text
 */
export function decodeCursor<const Shape extends readonly ("string" | "number")[]>(
  query: CursorQuery,
  cursor: string | undefined,
  shape: Shape,
): CursorPosition<Shape> | undefined {
  if (cursor === undefined) return undefined;
  const [digest, ...position] = parse(cursor);
  const fits =
    digest === digestOf(query) &&
    position.length === shape.length &&
    // Positions contain row numbers and times. Other numbers must not reach a database.
    position.every((value, index) => typeof value === shape[index] && (shape[index] === "string" || isCount(value)));
  if (!fits) throw invalidCursor();
  return position as CursorPosition<Shape>;
}

/** The values of a position, by the names of their types. */
export type CursorPosition<Shape extends readonly ("string" | "number")[]> = {
  readonly [index in keyof Shape]: Shape[index] extends "string" ? string : number;
};

const isCount = (value: unknown): boolean => Number.isSafeInteger(value);

function parse(cursor: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

function digestOf(query: CursorQuery): string {
  // JSON turns `undefined` into null, and no filter is null.
  return createHash("sha256").update(JSON.stringify(query)).digest("base64url").slice(0, 16);
}

function invalidCursor(): ProcedoError {
  return new ProcedoError(
    "invalid_cursor",
    "The cursor does not belong to this list and its filters; read the list from its beginning.",
  );
}
