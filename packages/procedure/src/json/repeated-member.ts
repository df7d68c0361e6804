import type { JsonObject, JsonValue } from "@procedo/contract";
import { jsonPointer } from "@procedo/contract/syntax";
import { scanJson } from "./scan-json.ts";

/**
 * The JSON pointer (RFC 6901) of the first member that occurs twice in an object of a JSON text; `undefined` if there
 * is none. Parsers keep one of the two values, but not all of them the same one (RFC 8259, 4). For nearly all texts a
 * count of the members suffices; the others are scanned.
 *
 * @param value result of `JSON.parse` for the text
 * @param members number of members in the text. @defaultValue its colons, including those within texts
 */
export function repeatedMember(json: string, value: JsonValue, members = colonsIn(json)): string | undefined {
  // A member that occurs twice in the text occurs once in the value.
  return members === membersOf(value, deepest) ? undefined : scan(json);
}

function colonsIn(json: string): number {
  let count = 0;
  for (let at = json.indexOf(":"); at !== -1; at = json.indexOf(":", at + 1)) count += 1;
  return count;
}

/** Maximum depth of the count, so that it never exceeds the stack. */
const deepest = 200;

/** `NaN` if the value nests too deeply. */
function membersOf(value: JsonValue | undefined, depthLeft: number): number {
  if (typeof value !== "object" || value === null) return 0;
  if (depthLeft === 0) return Number.NaN;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) count += membersOf(item, depthLeft - 1);
    return count;
  }
  // Objects from `JSON.parse` inherit no enumerable members.
  const object = value as JsonObject;
  for (const name in object) count += 1 + membersOf(object[name], depthLeft - 1);
  return count;
}

function scan(json: string): string | undefined {
  const open: Set<string>[] = [];
  let first: string | undefined;
  scanJson(json, {
    name(name, _start, _end, path) {
      const names = open[open.length - 1];
      if (names?.has(name) === true) first ??= jsonPointer(path());
      names?.add(name);
    },
    open: () => void open.push(new Set()),
    close: () => void open.pop(),
  });
  return first;
}
