import type { JsonObject, JsonValue } from "@procedo/contract";
import type { Entry } from "@procedo/procedure";
import { apart, textOf, together, type Bare } from "./entry-values.ts";

/**
 * How entries become a journal row's text and back. People's values stand apart from the facts around them, in `values`
 * by their pointer in the entry. A value that an earlier entry of the run holds is stored once: the later entry names
 * its place in `refs`, as `row/entry/pointer`. Known are whole values by what they say, and their members by being the
 * same object, which is what a template like `{{ input.order }}` gives. Rows are decoded in order, so a reference
 * always points to something that is there.
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
}

export function createRowCodec(runId: string): RowCodec {
  return new RememberingCodec(runId);
}

/** A class, because a run's codec is made for every run and its functions need not be. */
class RememberingCodec implements RowCodec {
  readonly #runId: string;
  readonly #textsByLength = new Map<number, KnownText[]>();
  readonly #placeOfObject = new Map<object, string>();
  /** Of what was read: whoever only writes never asks for it. */
  #valueAtPlace: Map<string, JsonValue> | undefined;
  /** What the row that was encoded last has added: it may be encoded anew. */
  #last: Added | undefined;
  /** Of the entry that is being encoded. */
  #refsText = "";

  constructor(runId: string) {
    this.#runId = runId;
  }

  encode(seq: number, entries: readonly Entry[]): string {
    if (this.#last?.seq === seq) this.#forget(this.#last);
    this.#last = { seq, texts: [], objects: [] };
    let text = "[";
    for (let index = 0; index < entries.length; index++) {
      if (index > 0) text += ",";
      text += this.#encodeEntry(entries[index] as Entry, seq, index);
    }
    return `${text}]`;
  }

  decode(seq: number, body: string): readonly Entry[] {
    this.#last = undefined;
    return (JSON.parse(body) as Stored[]).map((stored, index) => this.#decodeEntry(stored, seq, index));
  }

  #encodeEntry(entry: Entry, seq: number, index: number): string {
    const { open, values } = textOf(entry);
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
      if (!isEmptied(value, shortened)) valuesText += `${valuesText === "" ? "" : ","}"${pointer}":${text}`;
      fresh.push({ place: `${seq}/${index}${pointer}`, value, text: shortened === undefined ? text : undefined });
    }
    // Nothing follows an end. What one entry holds is not referred to within it, so all of it is remembered afterwards.
    if (entry.type !== "ended") for (const { place, value, text } of fresh) this.#remember(place, value, text);
    const valuesPart = valuesText === "" ? "" : `,"values":{${valuesText}}`;
    const refsPart = this.#refsText === "" ? "" : `,"refs":{${this.#refsText}}`;
    return `${open}${valuesPart}${refsPart}}`;
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
    const { values = {}, refs = {}, ...bare } = stored;
    const pointers = Object.keys(refs);
    const fresh = Object.entries(values).map(([pointer, value]) => {
      const shortened = pointers.some((at) => at.startsWith(`${pointer}/`));
      return { pointer, value, text: shortened ? undefined : JSON.stringify(value) };
    });
    for (const { pointer, value } of fresh) setAt(bare, pointer, value);
    for (const [pointer, place] of Object.entries(refs)) {
      const value = this.#valueAtPlace?.get(place);
      if (value === undefined) {
        throw new Error(`Journal row ${seq} refers to "${place}", which no earlier entry holds.`);
      }
      setAt(bare, pointer, value);
    }
    this.#valueAtPlace ??= new Map();
    for (const { pointer, value, text } of fresh) this.#remember(`${seq}/${index}${pointer}`, value, text);
    const entry = together(bare, this.#runId);
    for (const [pointer, value] of apart(entry).values) {
      const told = Object.hasOwn(values, pointer) || Object.hasOwn(refs, pointer);
      if (!told) this.#remember(`${seq}/${index}${pointer}`, value, undefined);
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

  #forget({ texts, objects }: Added): void {
    for (const text of texts) {
      const sameLength = this.#textsByLength.get(text.length) ?? [];
      const at = sameLength.findIndex((known) => known.text === text);
      if (at !== -1) sameLength.splice(at, 1);
    }
    for (const value of objects) this.#placeOfObject.delete(value);
  }
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
