import type { JsonValue } from "@procedo/contract";
import { secretForms, minPartLength } from "./secret-forms.ts";
import { hasEscapes, lengthsWithoutOpenEscapes, normalBytes, normalForm } from "./undo-escapes.ts";

/** The replacement for a secret. */
export const redacted = "[redacted]";

/**
 * Removes known secrets from texts and values of other systems. Shorten such texts only by {@link Redactor.cut},
 * because half of a secret would not be recognized.
 */
export interface Redactor {
  /** A JSON value without secrets, also in the names of members; the same value when it contains none. */
  value(value: JsonValue): JsonValue;
  /**
   * Like `value`, for texts that may have been shortened: also removes the beginning of a secret at the end of a text.
   */
  excerpt(value: JsonValue): JsonValue;
  /** A text without secrets; the same text when it contains none. */
  text(text: string): string;
  /** Redacts a text and then shortens it to `maxChars` characters. The text may have been shortened before. */
  cut(text: string, maxChars: number): string;
  /** Bytes without secrets in UTF-8, ISO 8859-1 or UTF-16; the same bytes when they contain none. */
  bytes(bytes: Uint8Array): Uint8Array;
}

/**
 * Creates a redactor for known secrets. It recognizes them in the forms in which services return them: unchanged, in
 * hex, in base64 and base64url (also within longer data, as in `user:secret`), and each of these with any combination
 * and number of escapes of URLs, forms, HTML, XML and JSON. It does not recognize secrets that are encrypted,
 * compressed, altered or interrupted by other characters.
 *
 * @param secrets read once; a secret of fewer than 6 characters is removed only when it is the whole text
 */
export function createRedactor(secrets: readonly string[]): Redactor {
  const known = [...new Set(secrets)].filter((secret) => secret !== "");
  if (known.length === 0) return nothingToRedact;
  return new KnownSecrets(known);
}

/** Shortens a text without secrets to `maxChars` characters, without half a character at its end. */
export function cutText(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : text.slice(0, maxChars).toWellFormed();
}

/** The redactor of a connection without secrets. */
export const nothingToRedact: Redactor = {
  value: (value) => value,
  excerpt: (value) => value,
  text: (text) => text,
  cut: cutText,
  bytes: (bytes) => bytes,
};

/** A range of characters. */
type Range = readonly [from: number, to: number];

/**
 * Shorter forms are not matched across lines, since the end of one line and the start of the next could match by
 * chance.
 */
const minWrappedLength = 16;

/**
 * Minimum length of a secret's beginning to be removed from the end of a text; `undefined` if the text was not
 * shortened.
 */
type TailLength = typeof minPartLength | 1 | undefined;

class KnownSecrets implements Redactor {
  readonly #whole: ReadonlySet<string>;
  readonly #written: Search;
  readonly #normal: Search;
  /** Forms in UTF-16, with one character per byte. */
  readonly #wide: Search;
  /** Characters that are searched beyond the cut, so that a secret across it is recognized. */
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
      const partial = starts.filter((start, index) => start !== lengths[index]);
      if (found.length > 0 || partial.length > 0) {
        const form = normalForm(text);
        for (const [from, to] of found) {
          const range: Range = [form.startOf(from), form.endOf(to - 1)];
          if (to - from >= minWrappedLength || !/[\r\n]/.test(text.slice(...range))) ranges.push(range);
        }
        end = Math.min(end, ...partial.map((start) => form.startOf(start)));
      }
    }
    if (ranges.length === 0 && end === text.length) return text;
    return withoutRanges(text, ranges, end);
  }
}

/** A secret in UTF-16 of both byte orders, with its bytes read as ISO 8859-1. */
function wideForms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, "utf16le");
  return [bytes.toString("latin1"), Buffer.from(bytes).swap16().toString("latin1")];
}

/** Replaces the ranges and drops the text from `end`, where the beginning of a secret starts. */
function withoutRanges(text: string, ranges: readonly Range[], end: number): string {
  let clean = "";
  let at = 0;
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0] || b[1] - a[1])) {
    if (from > end) break;
    // The ranges of two forms may overlap.
    if (from >= at) clean += text.slice(at, from) + redacted;
    at = Math.max(at, to);
  }
  return at >= end ? clean : clean + text.slice(at, end);
}

interface Search {
  find(text: string): Range[];
  /**
   * Start of the longest suffix, of at least `minLength`, that is the beginning of a form; otherwise the text's length.
   */
  tailStart(text: string, minLength: number): number;
}

const nothing: Search = { find: () => [], tailStart: (text) => text.length };

function searchOf(unordered: readonly string[]): Search {
  // Longest first, so that a form wins over the forms that it contains.
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
