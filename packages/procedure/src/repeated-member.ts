import { jsonPointer, type JsonObject, type JsonValue } from "@procedo/contract";

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

/** An object with the names read so far, or a list with the index of the current item. */
type Open = { readonly names: Set<string>; name: string } | { index: number };

function scan(json: string): string | undefined {
  const open: Open[] = [];
  let awaitsName = false;
  for (let at = 0; at < json.length; at++) {
    const container = open.at(-1);
    switch (json.charCodeAt(at)) {
      case openObject:
        open.push({ names: new Set(), name: "" });
        awaitsName = true;
        break;
      case openList:
        open.push({ index: 0 });
        awaitsName = false;
        break;
      case closeObject:
      case closeList:
        open.pop();
        awaitsName = false;
        break;
      case comma:
        if (container === undefined) break;
        awaitsName = "names" in container;
        if ("index" in container) container.index += 1;
        break;
      case quote: {
        const end = endOfText(json, at);
        if (awaitsName && container !== undefined && "names" in container) {
          container.name = textBetween(json, at, end);
          if (container.names.has(container.name)) {
            return jsonPointer(open.map((one) => ("names" in one ? one.name : one.index)));
          }
          container.names.add(container.name);
        }
        awaitsName = false;
        at = end;
        break;
      }
      default:
        break;
    }
  }
  return undefined;
}

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** Offset of the closing quote of the text that begins at `from`. */
function endOfText(json: string, from: number): number {
  for (let end = json.indexOf('"', from + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let escapes = 0;
    while (json.charCodeAt(end - 1 - escapes) === backslash) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return json.length;
}

function textBetween(json: string, start: number, end: number): string {
  const written = json.slice(start + 1, end);
  return written.includes("\\") ? (JSON.parse(json.slice(start, end + 1)) as string) : written;
}
