/* A JSON value as lines of a tree. Closed parts have no lines. */

export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [name: string]: JsonValue };

interface LinePlace {
  /** JSON pointer of the value. */
  readonly pointer: string;
  readonly depth: number;
}

/** The line of a value. */
export interface ValueLine extends LinePlace {
  readonly kind: "value";
  /** Name of the value in its object, or its index in its list; `undefined` for the root. */
  readonly name: string | number | undefined;
  readonly value: JsonValue;
  /** Number of members or items; `undefined` for a value that cannot have any. */
  readonly size: number | undefined;
}

/** Stands for the members that an open object or list has beyond those that are shown. */
export interface RestLine extends LinePlace {
  readonly kind: "rest";
  readonly count: number;
}

export type JsonLine = ValueLine | RestLine;

export interface OpenParts {
  readonly isOpen: (pointer: string, depth: number) => boolean;
  /** How many members of an open object or list are shown. @defaultValue {@link membersAtOnce} */
  readonly shownMembers?: (pointer: string) => number;
}

/** The number of lines that are made at most. */
export const maxLines = 5_000;
/** The number of members that an open object or list shows, until more are asked for. */
export const membersAtOnce = 100;

/**
 * The lines of a value whose parents are open.
 *
 * @returns the lines, at most `maxLines` of them, and whether there are more
 */
export function jsonLines(
  root: JsonValue,
  { isOpen, shownMembers = () => membersAtOnce }: OpenParts,
): { readonly lines: readonly JsonLine[]; readonly hasMore: boolean } {
  const lines: JsonLine[] = [];
  const visit = (value: JsonValue, pointer: string, depth: number, name: string | number | undefined): boolean => {
    if (lines.length === maxLines) return false;
    const names = memberNames(value);
    lines.push({ kind: "value", pointer, depth, name, value, size: names?.length });
    if (names === undefined || !isOpen(pointer, depth)) return true;
    const shown = Math.min(names.length, shownMembers(pointer));
    for (let index = 0; index < shown; index++) {
      const member = names.at(index);
      if (!visit(memberOf(value, member), `${pointer}/${escaped(member)}`, depth + 1, member)) return false;
    }
    const count = names.length - shown;
    if (count > 0) lines.push({ kind: "rest", pointer, depth: depth + 1, count });
    return true;
  };
  const isWhole = visit(root, "", 0, undefined);
  return { lines, hasMore: !isWhole };
}

/** Whether a value has at most so many lines. Stops counting there. */
export function hasFewLines(root: JsonValue, limit: number): boolean {
  let left = limit;
  const visit = (value: JsonValue): boolean => {
    left -= 1;
    const names = memberNames(value);
    if (names === undefined) return left >= 0;
    if (names.length > left) return false;
    for (let index = 0; index < names.length; index++) {
      if (!visit(memberOf(value, names.at(index)))) return false;
    }
    return true;
  };
  return visit(root);
}

interface MemberNames {
  readonly length: number;
  at(index: number): string | number;
}

/** The names are those of the value itself: `__proto__` is one like any other. */
function memberNames(value: JsonValue): MemberNames | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value)) return { length: value.length, at: (index) => index };
  const names = Object.keys(value);
  return { length: names.length, at: (index) => names[index] ?? "" };
}

function memberOf(value: JsonValue, name: string | number): JsonValue {
  return (value as Readonly<Record<string | number, JsonValue>>)[name] ?? null;
}

function escaped(name: string | number): string {
  return String(name).replaceAll("~", "~0").replaceAll("/", "~1");
}
