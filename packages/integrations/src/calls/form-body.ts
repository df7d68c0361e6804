import type { JsonValue } from "@procedo/contract";
import type { BodyPart } from "../openapi/imported-api.ts";
import type { BodyMember } from "./body-members.ts";
import { jsonText } from "./json-text.ts";
import { pairsOf, type Pair, type Style } from "./parameter-styles.ts";
import { encodeStrictly } from "./percent-encoding.ts";
import { isObject } from "./plain-value.ts";

/** Lists repeat their name. Nested values use brackets (`line_items[0][price]`, `metadata[k]`). */
const defaultStyle = (value: JsonValue): Style => ({
  kind: "style",
  style: isObject(value) ? "deepObject" : "form",
  explode: true,
  allowReserved: false,
});

/** `application/x-www-form-urlencoded` (WHATWG URL, 5), with `%20` for a space, which every reader accepts. */
export function formBody(members: readonly BodyMember[], parts: Readonly<Record<string, BodyPart>>): string {
  return members
    .flatMap(({ name, value }) => pairs(name, value, partOf(parts, name)))
    .map(written)
    .join("&");
}

function pairs(name: string, value: JsonValue, part: BodyPart | undefined): readonly Pair[] {
  if (part?.contentType?.includes("json") === true && part.encoding === undefined && value !== null) {
    return [[encodeStrictly(name, name), encodeStrictly(name, jsonText(value))]];
  }
  return pairsOf(name, value, part?.encoding ?? defaultStyle(value));
}

export function partOf(parts: Readonly<Record<string, BodyPart>>, name: string): BodyPart | undefined {
  return Object.hasOwn(parts, name) ? parts[name] : undefined;
}

function written([name, value]: Pair): string {
  return `${name}=${value}`;
}
