import type { JsonObject, JsonValue } from "@procedo/contract";
import type { PathPart } from "./document-edit.ts";

/**
 * A copy of an object with a value at a path. Members that are missing on the way are made. Without a value the member is
 * removed, and so is each object on the way that this leaves empty.
 */
export function setIn(target: JsonObject, path: readonly PathPart[], value: JsonValue | undefined): JsonObject {
  const set = setAt(target, path, value);
  return isObject(set) ? set : {};
}

function setAt(
  target: JsonValue | undefined,
  [part, ...rest]: readonly PathPart[],
  value: JsonValue | undefined,
): JsonValue | undefined {
  if (part === undefined) return value;
  if (typeof part === "number") {
    const items: readonly JsonValue[] = Array.isArray(target) ? target : [];
    const item = setAt(items[part], rest, value);
    return item === undefined ? items.toSpliced(part, 1) : items.toSpliced(part, 1, item);
  }
  const members = isObject(target) ? target : {};
  const member = setAt(Object.hasOwn(members, part) ? members[part] : undefined, rest, value);
  const isGone = member === undefined || (value === undefined && rest.length > 0 && isEmptyObject(member));
  const others = Object.entries(members).filter(([name]) => name !== part);
  if (isGone) return Object.fromEntries(others);
  const isNew = others.length === Object.keys(members).length;
  // Keeps the order of the members, in which people read a document.
  return Object.fromEntries(
    isNew
      ? [...others, [part, member]]
      : Object.entries(members).map(([name, before]) => [name, name === part ? member : before]),
  );
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isEmptyObject(value: JsonValue): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}
