import type { JsonObject, JsonValue } from "@procedo/contract";
import type { Entry } from "@procedo/procedure";

/**
 * How entries become a journal row's text and back. A value that an earlier entry of the run holds is stored once: the
 * later entry leaves it `null` and names its place in `refs`, from the pointer in this entry to `seq/index/pointer` of
 * the earlier one. Rows are decoded in order, so a reference always points to something that is there.
 */
export interface RowCodec {
  /** Text of the row `seq`; remembers the row's values for later ones. */
  encode(seq: number, entries: readonly Entry[]): string;
  /** Entries of the row `seq`, references resolved; remembers its values likewise. */
  decode(seq: number, body: string): readonly Entry[];
}

/** Where an entry keeps people's data, however large. */
const valuePaths: { readonly [type in Entry["type"]]: readonly (readonly string[])[] } = {
  started: [["input"]],
  recovered: [],
  chose: [],
  intent: [["frozen", "args"]],
  outcome: [["result", "output"]],
  raised: [],
  asked: [
    ["review", "data"],
    ["review", "call", "args"],
  ],
  answered: [["answer", "outputs"]],
  emitted: [["payload"]],
  cancel_requested: [],
  overtaken: [],
  ended: [["result", "output"]],
};

/** A reference costs some 40 bytes, so that shorter texts are not worth one. */
const minReferredLength = 64;

type StoredEntry = Entry & { readonly refs?: { readonly [pointer: string]: string } };

export function createRowCodec(): RowCodec {
  const placeOfText = new Map<string, string>();
  const valueAtPlace = new Map<string, JsonValue>();

  const remember = (place: string, value: JsonValue, text: string): void => {
    if (placeOfText.has(text)) return;
    placeOfText.set(text, place);
    valueAtPlace.set(place, value);
  };

  /** Makes a value and its members known under their places. */
  const rememberWhole = (place: string, value: JsonValue): void => {
    const text = JSON.stringify(value);
    if (text.length < minReferredLength) return;
    remember(place, value, text);
    for (const [name, member, memberText] of largeMembers(value)) {
      remember(`${place}/${escapePointer(name)}`, member, memberText);
    }
  };

  const rememberEntry = (seq: number, index: number, entry: Entry): void => {
    for (const path of valuePaths[entry.type]) {
      const value = valueAt(entry, path);
      if (value !== undefined) rememberWhole(`${seq}/${index}/${path.join("/")}`, value);
    }
  };

  const encodeEntry = (entry: Entry): string => {
    let stored: Entry = entry;
    const refs: Record<string, string> = {};
    let referred = false;
    const refer = (path: readonly string[], place: string): void => {
      stored = withNullAt(stored, path);
      refs[`/${path.map(escapePointer).join("/")}`] = place;
      referred = true;
    };
    for (const path of valuePaths[entry.type]) {
      const value = valueAt(entry, path);
      if (value === undefined) continue;
      const text = JSON.stringify(value);
      if (text.length < minReferredLength) continue;
      const place = placeOfText.get(text);
      if (place !== undefined) {
        refer(path, place);
        continue;
      }
      for (const [name, , memberText] of largeMembers(value)) {
        const memberPlace = placeOfText.get(memberText);
        if (memberPlace !== undefined) refer([...path, name], memberPlace);
      }
    }
    return JSON.stringify(referred ? { ...stored, refs } : stored);
  };

  return {
    encode: (seq, entries) => {
      const texts = entries.map((entry, index) => {
        const text = encodeEntry(entry);
        rememberEntry(seq, index, entry);
        return text;
      });
      return `[${texts.join(",")}]`;
    },
    decode: (seq, body) =>
      (JSON.parse(body) as StoredEntry[]).map((stored, index) => {
        const { refs, ...entry } = stored;
        for (const [pointer, place] of Object.entries(refs ?? {})) {
          const value = valueAtPlace.get(place);
          if (value === undefined)
            throw new Error(`Journal row ${seq} refers to "${place}", which no earlier entry holds.`);
          setAt(entry, pointer.slice(1).split("/").map(unescapePointer), value);
        }
        rememberEntry(seq, index, entry);
        return entry;
      }),
  };
}

/** The members of an object that are worth a reference each, with their texts. */
function* largeMembers(value: JsonValue): Generator<[name: string, member: JsonValue, text: string]> {
  if (!isObject(value)) return;
  for (const [name, member] of Object.entries(value)) {
    const scalar = typeof member !== "object" || member === null;
    if (scalar && !(typeof member === "string" && member.length >= minReferredLength - 2)) continue;
    const text = JSON.stringify(member);
    if (text.length >= minReferredLength) yield [name, member, text];
  }
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function valueAt(entry: Entry, path: readonly string[]): JsonValue | undefined {
  let value: unknown = entry;
  for (const name of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value as JsonValue | undefined;
}

/** A copy of the entry, shallow but for the way to the value, with `null` in its place. */
function withNullAt(entry: Entry, path: readonly string[]): Entry {
  const copy = { ...entry };
  let target = copy as Record<string, unknown>;
  for (const name of path.slice(0, -1)) {
    const inner = { ...(target[name] as object) };
    define(target, name, inner);
    target = inner as Record<string, unknown>;
  }
  define(target, path.at(-1) ?? "", null);
  return copy;
}

function setAt(entry: object, path: readonly string[], value: JsonValue): void {
  let target = entry as Record<string, unknown>;
  for (const name of path.slice(0, -1)) target = target[name] as Record<string, unknown>;
  define(target, path.at(-1) ?? "", value);
}

/** Sets a property even when people named it `__proto__`. */
function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
}

function escapePointer(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

function unescapePointer(name: string): string {
  return name.replaceAll("~1", "/").replaceAll("~0", "~");
}
