/* A JSON value as lines of a tree, of which only the open ones are made. */

export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [name: string]: JsonValue };

export interface JsonLine {
  /** JSON pointer of the value. */
  readonly pointer: string;
  readonly depth: number;
  /** Name or index of the value in its parent. */
  readonly name: string | undefined;
  readonly value: JsonValue;
  /** Number of members or items; `undefined` for a value without any. */
  readonly size: number | undefined;
}

/** The number of lines that are made at most. */
export const maxLines = 2_000;

/**
 * The lines of a value whose parents are open.
 *
 * @returns the lines, at most `maxLines` of them, and whether there are more
 */
export function jsonLines(
  root: JsonValue,
  isOpen: (pointer: string, depth: number) => boolean,
): { readonly lines: readonly JsonLine[]; readonly hasMore: boolean } {
  const lines: JsonLine[] = [];
  const visit = (value: JsonValue, pointer: string, depth: number, name: string | undefined): boolean => {
    if (lines.length === maxLines) return false;
    const members = membersOf(value);
    lines.push({ pointer, depth, name, value, size: members?.length });
    if (members === undefined || !isOpen(pointer, depth)) return true;
    return members.every(([key, member]) => visit(member, `${pointer}/${escaped(key)}`, depth + 1, key));
  };
  const isWhole = visit(root, "", 0, undefined);
  return { lines, hasMore: !isWhole };
}

function membersOf(value: JsonValue): readonly (readonly [string, JsonValue])[] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  return Array.isArray(value) ? value.map((item, index) => [String(index), item as JsonValue]) : Object.entries(value);
}

function escaped(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
