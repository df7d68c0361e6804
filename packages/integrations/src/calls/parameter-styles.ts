/**
 * The styles of OpenAPI 3.0 (4.7.12.1, after RFC 6570) and the collection formats of Swagger 2.0. Pure.
 *
 * Where OpenAPI 3.0.3 and RFC 6570 differ (`label` without explode), the code follows the RFC, as OpenAPI 3.0.4 does.
 * Nested values, which the tables do not define, use brackets (`a[b][0]=1`) in name-value pairs and are rejected
 * elsewhere.
 */
import type { JsonValue } from "@procedo/contract";
import type { ParameterEncoding } from "../openapi/imported-api.ts";
import { asItIs, encodeKeepingReserved, encodeStrictly, type Encode } from "./percent-encoding.ts";
import { isScalar, plainValue, scalarText, type PlainValue } from "./plain-value.ts";
import { unsendable } from "./unsendable.ts";

export type Style = Extract<ParameterEncoding, { readonly kind: "style" }>;

/** A name and a value, both encoded. */
export type Pair = readonly [name: string, value: string];

/** The separators of lists in a single value. */
const separators = { form: ",", spaceDelimited: " ", pipeDelimited: "|", tabDelimited: "\t" } as const;

/** Encoding of pairs. */
interface Notation {
  readonly name: Encode;
  readonly value: Encode;
  /** Encodes separators and brackets, which belong to neither a name nor a value. */
  readonly mark: (character: string) => string;
}

/** The pairs of a value in a query, a form or a cookie; empty when there is nothing to send. */
export function pairsOf(name: string, value: JsonValue | undefined, style: Style): readonly Pair[] {
  const encode = style.allowReserved ? encodeKeepingReserved : encodeStrictly;
  // The comma is the only separator that is allowed unescaped in a query.
  const mark = (character: string) => (character === "," ? "," : encodeURIComponent(character));
  return pairsIn({ name: encodeStrictly, value: encode, mark }, name, value, style);
}

/** {@link pairsOf} without escaping, for parts of a multipart body. */
export function plainPairsOf(name: string, value: JsonValue | undefined, style: Style): readonly Pair[] {
  return pairsIn({ name: asItIs, value: asItIs, mark: (character) => character }, name, value, style);
}

function pairsIn(notation: Notation, name: string, value: JsonValue | undefined, style: Style): readonly Pair[] {
  const encode = notation.value;
  const writtenName = notation.name(name, name);
  const plain = plainValue(value);
  switch (plain.kind) {
    case "nothing":
      return [];
    case "scalar":
      return [[writtenName, encode(name, plain.text)]];
    case "list":
      if (style.style === "deepObject") return [...bracketPairs(notation, name, writtenName, plain)];
      if (style.explode) {
        if (!plain.items.every(isScalar)) return [...bracketPairs(notation, name, writtenName, plain)];
        return plain.items.map((item) => [writtenName, encode(name, scalarText(name, item))]);
      }
      return [[writtenName, separated(name, plain, notation.mark(separatorOf(style)), encode)]];
    case "members":
      if (style.style === "deepObject") return [...bracketPairs(notation, name, writtenName, plain)];
      if (style.explode) {
        return plain.members.flatMap(([member, inner]) => [
          ...bracketPairs(notation, name, notation.name(name, member), plainValue(inner)),
        ]);
      }
      return [[writtenName, separated(name, plain, notation.mark(separatorOf(style)), encode)]];
  }
}

/** The text of a value in a path; `""` when there is nothing to send. `encode` keeps each part inside its segment. */
export function pathText(name: string, value: JsonValue | undefined, style: Style, encode: Encode): string {
  const plain = plainValue(value);
  if (plain.kind === "nothing") return "";
  const writtenName = encodeStrictly(name, name);
  const items = () => (plain.kind === "scalar" ? encode(name, plain.text) : separated(name, plain, ",", encode));
  if (style.style === "label") {
    if (!style.explode) return `.${items()}`;
    return `.${plain.kind === "scalar" ? encode(name, plain.text) : exploded(name, plain, ".", encode)}`;
  }
  if (style.style === "matrix") {
    const pair = (text: string) => (text === "" ? `;${writtenName}` : `;${writtenName}=${text}`);
    if (!style.explode || plain.kind === "scalar") return pair(items());
    if (plain.kind === "members") return `;${exploded(name, plain, ";", encode)}`;
    return plain.items.map((item) => pair(encode(name, scalarText(name, item)))).join("");
  }
  return plain.kind === "members" && style.explode ? exploded(name, plain, ",", encode) : items();
}

/** The text of a value in a header or similar place: style `simple`, escaped only by `encode`. */
export function simpleText(name: string, value: JsonValue, explode: boolean, encode: Encode): string | undefined {
  const plain = plainValue(value);
  if (plain.kind === "nothing") return undefined;
  if (plain.kind === "scalar") return encode(name, plain.text);
  return explode && plain.kind === "members" ? exploded(name, plain, ",", encode) : separated(name, plain, ",", encode);
}

type Collection = Extract<PlainValue, { kind: "list" | "members" }>;

/** `blue,black` and `R,100,G,200` */
function separated(name: string, collection: Collection, separator: string, encode: Encode): string {
  const parts = collection.kind === "list" ? collection.items : collection.members.flat();
  return joined(
    name,
    parts.map((part) => encode(name, scalarText(name, part))),
    separator,
  );
}

/** `blue,black` and `R=100,G=200` */
function exploded(name: string, collection: Collection, separator: string, encode: Encode): string {
  if (collection.kind === "list") return separated(name, collection, separator, encode);
  const parts = collection.members.map(([member, value]) => {
    const written = encode(name, member);
    if (written.includes("=")) throw ambiguous(name, "=");
    return `${written}=${encode(name, scalarText(name, value))}`;
  });
  return joined(name, parts, separator);
}

/** A part must not contain the separator; otherwise a reader would split the text differently. */
function joined(name: string, parts: readonly string[], separator: string): string {
  if (parts.some((part) => part.includes(separator))) throw ambiguous(name, decodeURIComponent(separator));
  return parts.join(separator);
}

/** `a[b][c]=1`, `a[0]=x`: the notation of `deepObject`, which servers also read where the tables define nothing. */
function* bracketPairs(notation: Notation, name: string, written: string, value: PlainValue): Generator<Pair> {
  switch (value.kind) {
    case "nothing":
      return;
    case "scalar":
      yield [written, notation.value(name, value.text)];
      return;
    case "list":
    case "members": {
      const inner =
        value.kind === "list" ? value.items.map((item, index) => [String(index), item] as const) : value.members;
      for (const [key, member] of inner) {
        const longer = written + notation.mark("[") + notation.name(name, key) + notation.mark("]");
        yield* bracketPairs(notation, name, longer, plainValue(member));
      }
    }
  }
}

function separatorOf({ style }: Style): string {
  return style in separators ? separators[style as keyof typeof separators] : ",";
}

function ambiguous(name: string, character: string): Error {
  return unsendable(
    `A part of the parameter "${name}" holds ${JSON.stringify(character)}, which separates its parts; a reader would split it.`,
  );
}
