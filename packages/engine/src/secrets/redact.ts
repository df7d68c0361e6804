import type { JsonValue } from "@procedo/contract";
import { secretForms, minPartLength } from "./secret-forms.ts";
import { hasEscapes, lengthsWithoutOpenEscapes, normalBytes, normalForm } from "./undo-escapes.ts";

/** What stands in a redacted secret's place. */
export const redacted = "[redacted]";

/**
 * Removes known secrets from texts and values of others. Such a text is shortened by {@link Redactor.cut} alone: half a
 * secret would not be found any more.
 */
export interface Redactor {
  /** A JSON value without secrets, keys included; the same value when there is nothing to remove. */
  value(value: JsonValue): JsonValue;
  /** The same for a value whose texts may have been shortened: a text must not end in a secret's beginning either. */
  excerpt(value: JsonValue): JsonValue;
  text(text: string): string;
  /** At most so many characters of a text, redacted before it is cut. It may have been shortened before. */
  cut(text: string, maxChars: number): string;
  /** Bytes without secrets, which are looked for as text in UTF-8, ISO 8859-1 or UTF-16; the same bytes without any. */
  bytes(bytes: Uint8Array): Uint8Array;
}

/**
 * Prepares the removal of known secrets, in the forms in which services write them back: as they are, in hex, in base64 and
 * base64url also as a part of something longer (`user:secret`), and each of these with the escapes of URLs, forms, HTML,
 * XML and JSON, mixed and as often as escaped. Not found: other ciphers, compression, changed letters, a secret with something put
 * into it.
 *
 * @param secrets read once; one that is shorter than 6 characters is removed only where it is the whole text
 */
export function createRedactor(secrets: readonly string[]): Redactor {
  const known = [...new Set(secrets)].filter((secret) => secret !== "");
  if (known.length === 0) return nothingToRedact;
  return new KnownSecrets(known);
}

/** At most so many characters of a text in which nothing is secret, without half a character at its end. */
export function cutText(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : text.slice(0, maxChars).toWellFormed();
}

/** Of a connection without secrets. */
export const nothingToRedact: Redactor = {
  value: (value) => value,
  excerpt: (value) => value,
  text: (text) => text,
  cut: cutText,
  bytes: (bytes) => bytes,
};

/** From and to, in characters. */
type Range = readonly [from: number, to: number];

/** A shorter form is not looked for across lines: the last number of one and the first of the next are no secret. */
const minWrappedLength = 16;

/** How much of a text's end has to be a secret's beginning to be taken for one, where the text may have been cut. */
type TailLength = typeof minPartLength | 1 | undefined;

class KnownSecrets implements Redactor {
  readonly #whole: ReadonlySet<string>;
  readonly #written: Search;
  readonly #normal: Search;
  /** UTF-16, its bytes as characters. */
  readonly #wide: Search;
  /** Characters behind a cut that are looked at, so that a secret on it is seen whole. */
  readonly #reach: number;

  constructor(secrets: readonly string[]) {
    this.#whole = new Set(secrets);
    const forms = secrets.map(secretForms);
    this.#written = searchOf(forms.flatMap(({ written }) => written));
    this.#normal = searchOf(forms.flatMap(({ normal }) => normal));
    this.#wide = searchOf(secrets.filter(({ length }) => length >= minPartLength).flatMap(wideForms));
    this.#reach = Math.max(...secrets.map(({ length }) => length)) * 12;
  }

  text(text: string): string {
    return this.#clean(text, undefined);
  }

  cut(text: string, maxChars: number): string {
    const end = maxChars + this.#reach;
    const clean = text.length > end ? this.#clean(text.slice(0, end), 1) : this.#clean(text, minPartLength);
    return cutText(clean, maxChars);
  }

  value(value: JsonValue): JsonValue {
    return this.#cleanValue(value, undefined);
  }

  excerpt(value: JsonValue): JsonValue {
    return this.#cleanValue(value, minPartLength);
  }

  bytes(bytes: Uint8Array): Uint8Array {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
    const narrow = this.text(text);
    const clean = withoutRanges(narrow, this.#wide.find(narrow), narrow.length);
    return clean === text ? bytes : new Uint8Array(Buffer.from(clean, "latin1"));
  }

  #cleanValue(value: JsonValue, tail: TailLength): JsonValue {
    if (typeof value === "string") return this.#clean(value, tail);
    if (typeof value === "number") return this.#whole.has(String(value)) ? redacted : value;
    if (typeof value !== "object" || value === null) return value;
    if (isList(value)) {
      const items = value.map((item) => this.#cleanValue(item, tail));
      return items.some((item, index) => item !== value[index]) ? items : value;
    }
    const entries = Object.entries(value).map(
      ([key, item]) => [this.#clean(key, tail), this.#cleanValue(item, tail), key, item] as const,
    );
    const changed = entries.some(([key, item, keyBefore, itemBefore]) => key !== keyBefore || item !== itemBefore);
    return changed ? Object.fromEntries(entries.map(([key, item]) => [key, item])) : value;
  }

  #clean(text: string, tail: TailLength): string {
    if (this.#whole.has(text)) return redacted;
    if (text.length < minPartLength && tail !== 1) return text;
    const isEscaped = hasEscapes(text);
    const ranges = this.#written.find(text);
    let end = tail === undefined ? text.length : this.#written.tailStart(text, tail);
    if (isEscaped) {
      const bytes = normalBytes(text);
      const found = this.#normal.find(bytes);
      const lengths = tail === undefined ? [] : lengthsWithoutOpenEscapes(bytes);
      const starts = lengths.map((length) => this.#normal.tailStart(bytes.slice(0, length), tail ?? 1));
      const begun = starts.filter((start, index) => start !== lengths[index]);
      if (found.length > 0 || begun.length > 0) {
        const form = normalForm(text);
        for (const [from, to] of found) {
          const range: Range = [form.startOf(from), form.endOf(to - 1)];
          if (to - from >= minWrappedLength || !/[\r\n]/.test(text.slice(...range))) ranges.push(range);
        }
        end = Math.min(end, ...begun.map((start) => form.startOf(start)));
      }
    }
    if (ranges.length === 0 && end === text.length) return text;
    return withoutRanges(text, ranges, end);
  }
}

/** A secret in UTF-16 of either byte order, as bytes that were read as ISO 8859-1. */
function wideForms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, "utf16le");
  return [bytes.toString("latin1"), Buffer.from(bytes).swap16().toString("latin1")];
}

/** A secret's beginning at the end is left out with everything behind it; where a whole one reaches into it, that is said. */
function withoutRanges(text: string, ranges: readonly Range[], end: number): string {
  let clean = "";
  let at = 0;
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0] || b[1] - a[1])) {
    if (from > end) break;
    // Two forms may lie over each other.
    if (from >= at) clean += text.slice(at, from) + redacted;
    at = Math.max(at, to);
  }
  return at >= end ? clean : clean + text.slice(at, end);
}

interface Search {
  find(text: string): Range[];
  /** Where the longest end of the text begins that is the beginning of a form, of that length at least; else its length. */
  tailStart(text: string, minLength: number): number;
}

const nothing: Search = { find: () => [], tailStart: (text) => text.length };

function searchOf(unordered: readonly string[]): Search {
  // The longest first: a form that contains another one has to win.
  const forms = [...new Set(unordered)].sort((a, b) => b.length - a.length);
  const [longest] = forms;
  if (longest === undefined) return nothing;
  const pattern = new RegExp(forms.map(escapeForPattern).join("|"), "g");
  return {
    find: (text) => {
      const found: Range[] = [];
      pattern.lastIndex = 0;
      for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
        found.push([match.index, match.index + match[0].length]);
      }
      return found;
    },
    tailStart: (text, minLength) => {
      for (let at = Math.max(0, text.length - longest.length); at <= text.length - minLength; at++) {
        const tail = text.slice(at);
        if (forms.some((form) => form.startsWith(tail))) return at;
      }
      return text.length;
    },
  };
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function escapeForPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
