import type { JsonObject, JsonValue } from "@procedo/contract";
import type { Entry } from "@procedo/procedure";
import { apart, together, type Bare } from "./entry-values.ts";

/**
 * How entries become a journal row's text and back. People's values stand apart from the facts around them, in `values`
 * by their pointer in the entry. A value, or a member of one, that an earlier entry of the run holds is stored once:
 * the later entry names its place in `refs`, as `row/entry/pointer`. Rows are decoded in order, so a reference always
 * points to something that is there.
 */
export interface RowCodec {
  /** Text of the row `seq`; remembers the row's values for later ones. */
  encode(seq: number, entries: readonly Entry[]): string;
  /** Entries of the row `seq`, references resolved; remembers its values likewise. */
  decode(seq: number, body: string): readonly Entry[];
}

/** A reference costs some 40 bytes, so that shorter texts are not worth one. */
const minReferredLength = 64;

type Stored = Bare & {
  readonly values?: { readonly [pointer: string]: JsonValue };
  readonly refs?: { readonly [pointer: string]: string };
};

export function createRowCodec(): RowCodec {
  const placeOfText = new Map<string, string>();
  const valueAtPlace = new Map<string, JsonValue>();

  const remember = (place: string, value: JsonValue, text: string): void => {
    if (text.length < minReferredLength || placeOfText.has(text)) return;
    placeOfText.set(text, place);
    valueAtPlace.set(place, value);
  };

  /** Remembers a value and its members; answers the value's text. */
  const rememberWhole = (place: string, value: JsonValue): string => {
    if (!isObject(value)) {
      const text = JSON.stringify(value);
      remember(place, value, text);
      return text;
    }
    const members = memberTexts(value);
    const text = objectText(members);
    remember(place, value, text);
    for (const { name, member, text: memberText } of members) {
      if (memberText.length >= minReferredLength) remember(`${place}/${escapePointer(name)}`, member, memberText);
    }
    return text;
  };

  const encodeEntry = (entry: Entry, seq: number, index: number): string => {
    const { bare, values } = apart(entry);
    let valuesText = "";
    let refsText = "";
    const refer = (pointer: string, place: string): void => {
      refsText += `${refsText === "" ? "" : ","}${JSON.stringify(pointer)}:${JSON.stringify(place)}`;
    };
    for (const [pointer, value] of values) {
      const members = isObject(value) ? memberTexts(value) : undefined;
      const text = members === undefined ? JSON.stringify(value) : objectText(members);
      const known = text.length < minReferredLength ? undefined : placeOfText.get(text);
      if (known !== undefined) {
        refer(pointer, known);
        continue;
      }
      const kept = members?.filter(({ name, text: memberText }) => {
        const place = memberText.length < minReferredLength ? undefined : placeOfText.get(memberText);
        if (place !== undefined) refer(`${pointer}/${escapePointer(name)}`, place);
        return place === undefined;
      });
      const keptText = kept === undefined || kept.length === members?.length ? text : objectText(kept);
      valuesText += `${valuesText === "" ? "" : ","}${JSON.stringify(pointer)}:${keptText}`;
    }
    for (const [pointer, value] of values) rememberWhole(`${seq}/${index}${pointer}`, value);
    const rest = `${valuesText === "" ? "" : `,"values":{${valuesText}}`}${refsText === "" ? "" : `,"refs":{${refsText}}`}`;
    return `${JSON.stringify(bare).slice(0, -1)}${rest}}`;
  };

  const decodeEntry = (stored: Stored, seq: number, index: number): Entry => {
    const { values = {}, refs = {}, ...bare } = stored;
    for (const [pointer, value] of Object.entries(values)) setAt(bare, pointer, value);
    for (const [pointer, place] of Object.entries(refs)) {
      const value = valueAtPlace.get(place);
      if (value === undefined) {
        throw new Error(`Journal row ${seq} refers to "${place}", which no earlier entry holds.`);
      }
      setAt(bare, pointer, value);
    }
    const entry = together(bare);
    for (const [pointer, value] of apart(entry).values) rememberWhole(`${seq}/${index}${pointer}`, value);
    return entry;
  };

  return {
    encode: (seq, entries) => `[${entries.map((entry, index) => encodeEntry(entry, seq, index)).join(",")}]`,
    decode: (seq, body) => (JSON.parse(body) as Stored[]).map((stored, index) => decodeEntry(stored, seq, index)),
  };
}

interface MemberText {
  readonly name: string;
  readonly member: JsonValue;
  readonly text: string;
}

function memberTexts(value: JsonObject): readonly MemberText[] {
  return Object.keys(value).map((name) => {
    const member = value[name] ?? null;
    return { name, member, text: JSON.stringify(member) };
  });
}

function objectText(members: readonly MemberText[]): string {
  let text = "";
  for (const { name, text: memberText } of members) {
    text += `${text === "" ? "" : ","}${JSON.stringify(name)}:${memberText}`;
  }
  return `{${text}}`;
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Sets a member deep down, even when people named it `__proto__`; what is on the way exists. */
function setAt(root: object, pointer: string, value: JsonValue): void {
  const path = pointer.slice(1).split("/").map(unescapePointer);
  let target = root as Record<string, unknown>;
  for (const name of path.slice(0, -1)) target = target[name] as Record<string, unknown>;
  Object.defineProperty(target, path.at(-1) ?? "", { value, enumerable: true, writable: true, configurable: true });
}

function escapePointer(name: string): string {
  return name.includes("~") || name.includes("/") ? name.replaceAll("~", "~0").replaceAll("/", "~1") : name;
}

function unescapePointer(name: string): string {
  return name.includes("~") ? name.replaceAll("~1", "/").replaceAll("~0", "~") : name;
}
