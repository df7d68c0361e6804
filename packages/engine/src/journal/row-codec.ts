import type { JsonObject, JsonValue } from "@procedo/contract";
import type { Entry, Intent } from "@procedo/procedure";
import { textOf } from "./entry-text.ts";
import { together, valuesOf, type Bare, type EntryValue } from "./entry-values.ts";

/**
 * How entries become a journal row's text and back. A row begins with the time of its first entry; each entry says how
 * much later than the one before it is, and nothing that entries before it have said of its call. People's values stand
 * beside the facts, by their pointer in the entry. A value that an earlier entry of the run holds is stored once: the
 * later entry names its place in `refs`, as `row/entry/pointer`. Known are whole values by what they say, and their
 * members by being the same object, which is what a template like `{{ input.order }}` gives. Rows are decoded in order,
 * so what they leave out is always there.
 *
 * Rows of the first form have no time in front, every entry says its own and all of its call, and values stand in
 * `values`. Nothing in them is left out that is not in today's form either, so that one reader reads both.
 */
export interface RowCodec {
  /**
   * Text of the row `seq`; remembers the row's values for later ones. The same row encoded again with other entries
   * takes the place of the one before.
   */
  encode(seq: number, entries: readonly Entry[]): string;
  /** Entries of the row `seq`, references resolved; remembers its values likewise. Rows are read before any is written. */
  decode(seq: number, body: string): readonly Entry[];
}

/** A reference costs some 40 bytes, so that shorter texts are not worth one. */
const minReferredLength = 64;

type Stored = Bare & {
  readonly [pointer: `/${string}`]: JsonValue;
  /** In the first form. */
  readonly values?: { readonly [pointer: string]: JsonValue };
  readonly refs?: { readonly [pointer: string]: string };
};

interface KnownText {
  readonly text: string;
  readonly place: string;
}

/** What a codec has put into a row: it may have to be forgotten. */
interface Added {
  readonly seq: number;
  readonly texts: string[];
  readonly objects: object[];
  /** The last one before the row. */
  readonly intent: Intent | undefined;
}

export function createRowCodec(runId: string): RowCodec {
  return new RememberingCodec(runId, true);
}

/** For who writes no row behind those that are read: no text is kept to be referred to. */
export function createRowReader(runId: string): Pick<RowCodec, "decode"> {
  return new RememberingCodec(runId, false);
}

/** A class, because a run's codec is made for every run and its functions need not be. */
class RememberingCodec implements RowCodec {
  readonly #runId: string;
  readonly #writes: boolean;
  readonly #textsByLength = new Map<number, KnownText[]>();
  readonly #placeOfObject = new Map<object, string>();
  /** Of what was read: whoever only writes never asks for it. */
  #valueAtPlace: Map<string, JsonValue> | undefined;
  /** What the row that was encoded last has added: it may be encoded anew. */
  #last: Added | undefined;
  /** What the next entry need not say. */
  readonly #before: { atMs: number; intent: Intent | undefined } = { atMs: 0, intent: undefined };
  /** Of the entry that is being encoded. */
  #refsText = "";

  constructor(runId: string, writes: boolean) {
    this.#runId = runId;
    this.#writes = writes;
  }

  encode(seq: number, entries: readonly Entry[]): string {
    if (this.#last?.seq === seq) this.#forget(this.#last);
    this.#last = { seq, texts: [], objects: [], intent: this.#before.intent };
    const [first] = entries;
    if (first === undefined) return "[]";
    this.#before.atMs = first.atMs;
    let text = `[${first.atMs}`;
    for (let index = 0; index < entries.length; index++) {
      const entry = entries[index] as Entry;
      text += `,${this.#encodeEntry(entry, seq, index)}`;
      this.#noteSaid(entry);
    }
    return `${text}]`;
  }

  decode(seq: number, body: string): readonly Entry[] {
    this.#last = undefined;
    const row = JSON.parse(body) as readonly (number | Stored)[];
    const [begin] = row;
    const entries = (typeof begin === "number" ? row.slice(1) : row) as readonly Stored[];
    if (typeof begin === "number") this.#before.atMs = begin;
    return entries.map((stored, index) => {
      const entry = this.#decodeEntry(stored, seq, index);
      this.#noteSaid(entry);
      return entry;
    });
  }

  #noteSaid(entry: Entry): void {
    this.#before.atMs = entry.atMs;
    if (entry.type === "intent") this.#before.intent = entry;
  }

  #encodeEntry(entry: Entry, seq: number, index: number): string {
    const { open, values } = textOf(entry, this.#before);
    let valuesText = "";
    this.#refsText = "";
    const fresh: { readonly place: string; readonly value: JsonValue; readonly text: string | undefined }[] = [];
    for (const [pointer, value] of values) {
      const sameObject = isContainer(value) ? this.#placeOfObject.get(value) : undefined;
      if (sameObject !== undefined) {
        this.#refer(pointer, sameObject);
        continue;
      }
      const shortened = this.#withoutKnown(value, pointer);
      const text = JSON.stringify(shortened ?? value);
      const sameText = shortened === undefined ? this.#placeOfText(text) : undefined;
      if (sameText !== undefined) {
        this.#refer(pointer, sameText);
        continue;
      }
      // A value of which nothing is left is told by its references alone.
      if (!isEmptied(value, shortened)) valuesText += `,"${pointer}":${text}`;
      fresh.push({ place: `${seq}/${index}${pointer}`, value, text: shortened === undefined ? text : undefined });
    }
    // Nothing follows an end. What one entry holds is not referred to within it, so all of it is remembered afterwards.
    if (entry.type !== "ended") for (const { place, value, text } of fresh) this.#remember(place, value, text);
    const refsPart = this.#refsText === "" ? "" : `,"refs":{${this.#refsText}}`;
    return `${open}${valuesText}${refsPart}}`;
  }

  #refer(pointer: string, place: string): void {
    this.#refsText += `${this.#refsText === "" ? "" : ","}${JSON.stringify(pointer)}:${JSON.stringify(place)}`;
  }

  /** A copy with `null` for the members that are known, in their places, so that reading keeps the order. */
  #withoutKnown(value: JsonValue, pointer: string): JsonValue | undefined {
    if (!isObject(value)) return undefined;
    let copy: Record<string, JsonValue> | undefined;
    for (const name of Object.keys(value)) {
      const member = value[name];
      const place = isContainer(member) ? this.#placeOfObject.get(member) : undefined;
      if (place === undefined) continue;
      this.#refer(`${pointer}/${escapePointer(name)}`, place);
      copy ??= { ...value };
      copy[name] = null;
    }
    return copy;
  }

  #decodeEntry(stored: Stored, seq: number, index: number): Entry {
    const { bare, values, refs } = storedApart(stored);
    const fresh = values.map(([pointer, value]) => {
      const shortened = refs.some(([at]) => at.startsWith(`${pointer}/`));
      return { pointer, value, text: shortened || !this.#writes ? undefined : JSON.stringify(value) };
    });
    for (const { pointer, value } of fresh) setAt(bare, pointer, value);
    for (const [pointer, place] of refs) {
      const value = this.#valueAtPlace?.get(place);
      if (value === undefined) {
        throw new Error(`Journal row ${seq} refers to "${place}", which no earlier entry holds.`);
      }
      setAt(bare, pointer, value);
    }
    this.#valueAtPlace ??= new Map();
    for (const { pointer, value, text } of fresh) this.#remember(`${seq}/${index}${pointer}`, value, text);
    const entry = together(bare, this.#runId, this.#before);
    for (const [pointer, value] of valuesOf(entry)) {
      const isTold = [...values, ...refs].some(([told]) => told === pointer);
      if (!isTold) this.#remember(`${seq}/${index}${pointer}`, value, undefined);
    }
    return entry;
  }

  /** By length first: hashing long texts that never come again would cost more than comparing the few that are as long. */
  #placeOfText(text: string): string | undefined {
    return this.#textsByLength.get(text.length)?.find((known) => known.text === text)?.place;
  }

  /** `text` is the value's own, or `undefined` when some of its members are stored elsewhere. */
  #remember(place: string, value: JsonValue, text: string | undefined): void {
    if (text !== undefined) {
      if (text.length < minReferredLength || this.#placeOfText(text) !== undefined) return;
      this.#last?.texts.push(text);
      const sameLength = this.#textsByLength.get(text.length);
      if (sameLength === undefined) this.#textsByLength.set(text.length, [{ text, place }]);
      else sameLength.push({ text, place });
    }
    this.#rememberObject(place, value);
    if (!isObject(value)) return;
    for (const name of Object.keys(value)) {
      const member = value[name];
      if (isContainer(member)) this.#rememberObject(`${place}/${escapePointer(name)}`, member);
    }
  }

  #rememberObject(place: string, value: JsonValue): void {
    this.#valueAtPlace?.set(place, value);
    if (!isContainer(value) || this.#placeOfObject.has(value)) return;
    this.#placeOfObject.set(value, place);
    this.#last?.objects.push(value);
  }

  #forget({ texts, objects, intent }: Added): void {
    this.#before.intent = intent;
    for (const text of texts) {
      const sameLength = this.#textsByLength.get(text.length) ?? [];
      const at = sameLength.findIndex((known) => known.text === text);
      if (at !== -1) sameLength.splice(at, 1);
    }
    for (const value of objects) this.#placeOfObject.delete(value);
  }
}

/** A stored entry's facts, the values that stand beside them, and the places of the others. */
function storedApart(stored: Stored): {
  readonly bare: Bare;
  readonly values: readonly EntryValue[];
  readonly refs: readonly (readonly [pointer: string, place: string])[];
} {
  const { values = {}, refs = {}, ...members } = stored;
  const bare: Record<string, unknown> = {};
  const beside: EntryValue[] = Object.entries(values);
  for (const name of Object.keys(members)) {
    if (name.startsWith("/")) beside.push([name, members[name] as JsonValue]);
    else bare[name] = members[name];
  }
  return { bare, values: beside, refs: Object.entries(refs) };
}

/** Whether every member of a value is stored elsewhere. */
function isEmptied(value: JsonValue, shortened: JsonValue | undefined): boolean {
  if (shortened === undefined || !isObject(shortened)) return false;
  return Object.keys(shortened).every((name) => shortened[name] === null && (value as JsonObject)[name] !== null);
}

function isContainer(value: JsonValue | undefined): value is JsonObject | readonly JsonValue[] {
  return typeof value === "object" && value !== null;
}

function isObject(value: JsonValue): value is JsonObject {
  return isContainer(value) && !Array.isArray(value);
}

/** Sets a member deep down, even when people named it `__proto__`; makes the object that is to hold it. */
function setAt(root: object, pointer: string, value: JsonValue): void {
  const path = pointer.slice(1).split("/").map(unescapePointer);
  let target = root as Record<string, unknown>;
  for (const name of path.slice(0, -1)) {
    if (!Object.hasOwn(target, name)) define(target, name, {});
    target = target[name] as Record<string, unknown>;
  }
  define(target, path.at(-1) ?? "", value);
}

function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
}

function escapePointer(name: string): string {
  return name.includes("~") || name.includes("/") ? name.replaceAll("~", "~0").replaceAll("/", "~1") : name;
}

function unescapePointer(name: string): string {
  return name.includes("~") ? name.replaceAll("~1", "/").replaceAll("~0", "~") : name;
}
