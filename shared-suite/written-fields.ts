import type { JsonObject, JsonValue } from "@procedo/contract";

interface Fields {
  [name: string]: string | string[] | Fields;
}

/**
 * The fields of a query or a form: `a=1&a=2` and `a[]=1&a[]=2` are lists, `a[b]=1` is an object, and `a[0]=1` is a list.
 * All values are texts.
 */
export function writtenFields(text: string): JsonObject {
  const fields: Fields = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const names = name.split(/\[|\]\[|\]/).filter((part, index) => index === 0 || part !== "");
    put(fields, names, value);
  }
  return listed(fields) as JsonObject;
}

function put(fields: Fields, [name = "", ...inner]: readonly string[], value: string): void {
  const before = fields[name];
  if (inner.length > 0) {
    const object = typeof before === "object" && !Array.isArray(before) ? before : {};
    fields[name] = object;
    put(object, inner, value);
    return;
  }
  if (typeof before === "string") fields[name] = [before, value];
  else if (Array.isArray(before)) before.push(value);
  else fields[name] = value;
}

function listed(value: string | string[] | Fields): JsonValue {
  if (typeof value === "string" || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, listed(inner)] as const);
  const isList = entries.length > 0 && entries.every(([name], index) => name === String(index));
  return isList ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}
