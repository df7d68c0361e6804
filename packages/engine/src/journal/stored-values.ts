import type { JsonObject, JsonValue } from "@procedo/contract";
import { escapePointerToken } from "@procedo/contract/syntax";

/** A value or a member of one, by its pointer in an entry, and the place that holds it. */
export type Reference = readonly [pointer: string, place: string];

/** How a value of an entry is stored: as text, by references, or as text with references for some of its members. */
export interface EncodedValue {
  readonly pointer: string;
  readonly value: JsonValue;
  /** `undefined` where the references hold all of the value. */
  readonly text: string | undefined;
  readonly refs: readonly Reference[];
}

/** A reference takes some 40 bytes, so that a shorter text is stored again. */
const minReferredLength = 64;

const none: readonly Reference[] = [];

/**
 * The values that a run's journal holds, each with its place: `row/entry` and its pointer in the entry. Whole values are
 * found by their text. Objects and lists, also as members of a value, are found by identity, which a template such as
 * `{{ input.order }}` preserves.
 */
export class StoredValues {
  readonly #placeOfText = new Map<string, string>();
  readonly #placeOfObject = new Map<object, string>();

  encode(pointer: string, value: JsonValue): EncodedValue {
    const place = this.#placeOf(value);
    if (place !== undefined) return { pointer, value, text: undefined, refs: [[pointer, place]] };
    const shortened = isObject(value) ? this.#withReferences(pointer, value) : undefined;
    if (shortened !== undefined) return shortened;
    const text = JSON.stringify(value);
    const same = text.length < minReferredLength ? undefined : this.#placeOfText.get(text);
    return same === undefined
      ? { pointer, value, text, refs: none }
      : { pointer, value, text: undefined, refs: [[pointer, same]] };
  }

  /** Adds a value of the entry `row/entry`, unless it is known already. */
  add(entry: string, { pointer, value, text = "", refs }: EncodedValue): void {
    const place = entry + pointer;
    if (refs.length === 0) {
      if (text.length < minReferredLength || this.#placeOfText.has(text)) return;
      this.#placeOfText.set(text, place);
    } else if (refs.some(([at]) => at === pointer)) return;
    this.#addObject(place, value);
    if (!isObject(value)) return;
    for (const name of Object.keys(value)) {
      const member = value[name];
      if (isContainer(member)) this.#addObject(`${place}/${escapePointerToken(name)}`, member);
    }
  }

  /** Forgets the values of a row that is encoded again. */
  forgetRow(seq: number): void {
    for (const places of [this.#placeOfText, this.#placeOfObject] as readonly Map<unknown, string>[]) {
      for (const [key, place] of places) if (place.startsWith(`${seq}/`)) places.delete(key);
    }
  }

  #addObject(place: string, value: JsonValue | undefined): void {
    if (isContainer(value) && !this.#placeOfObject.has(value)) this.#placeOfObject.set(value, place);
  }

  #placeOf(value: JsonValue | undefined): string | undefined {
    return isContainer(value) ? this.#placeOfObject.get(value) : undefined;
  }

  /**
   * `undefined` where no member is held elsewhere. The text has `null` in the place of each member that is referred to,
   * so that decoding keeps the order of members.
   */
  #withReferences(pointer: string, value: JsonObject): EncodedValue | undefined {
    const names = Object.keys(value);
    const refs: Reference[] = [];
    let rest: Record<string, JsonValue> | undefined;
    for (const name of names) {
      const place = this.#placeOf(value[name]);
      if (place === undefined) continue;
      refs.push([`${pointer}/${escapePointerToken(name)}`, place]);
      rest ??= { ...value };
      rest[name] = null;
    }
    if (rest === undefined) return undefined;
    const isEmptied = refs.length === names.length;
    return { pointer, value, text: isEmptied ? undefined : JSON.stringify(rest), refs };
  }
}

function isContainer(value: JsonValue | undefined): value is JsonObject | readonly JsonValue[] {
  return typeof value === "object" && value !== null;
}

function isObject(value: JsonValue): value is JsonObject {
  return isContainer(value) && !Array.isArray(value);
}
