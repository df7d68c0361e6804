import type { JsonValue } from "@procedo/contract";
import { jsonPointer } from "@procedo/contract/syntax";
import { scanJson } from "../json/scan-json.ts";
import { inexactLiterals, mayBeInexact } from "./inexact-literals.ts";

/** A number that a double cannot hold, with its place. */
export interface InexactNumber {
  /** JSON pointer (RFC 6901). */
  readonly pointer: string;
  /** The number as written. */
  readonly literal: string;
}

/**
 * The first number in a JSON text whose value would change as a double: `9007199254740993`, `0.1000000000000000055`,
 * `1e400`; not `0.1`. Only texts with a run of 16 digits or a large exponent are searched.
 */
export function findInexactNumber(text: string): InexactNumber | undefined {
  if (!mayBeInexact(text)) return undefined;
  let first: InexactNumber | undefined;
  inexactLiterals(text, (literal, _start, path) => {
    first ??= {
      pointer: jsonPointer(path()),
      literal,
    };
  });
  return first;
}

/** The outcome of parsing JSON. */
export type JsonParse =
  | {
      readonly ok: true;
      /** The value. */
      readonly value: JsonValue;
    }
  | {
      readonly ok: false;
      readonly reason: "malformed";
      /** The fault of the text. */
      readonly message: string;
    };

/** The outcome of parsing JSON whose numbers must keep every digit. */
export type ExactJsonParse =
  | JsonParse
  | {
      readonly ok: false;
      readonly reason: "inexact_number";
      /** JSON pointer (RFC 6901) of the number. */
      readonly path: string;
      /** The fault and its correction, continuing a sentence that begins with the number. */
      readonly message: string;
    };

/**
 * Reads a request's JSON. Either each number keeps its digits, or the text is refused with a pointer to the first one
 * that would not.
 */
export function parseExact(text: string): ExactJsonParse {
  const parsed = parse(text);
  if (!parsed.ok) return parsed;
  const inexact = findInexactNumber(text);
  if (inexact === undefined) return parsed;
  const message = "has more digits than a JSON number keeps here; send it as a string, or an amount in minor units.";
  return { ok: false, reason: "inexact_number", path: inexact.pointer, message };
}

/**
 * Reads a tool's response. A number that a double would change becomes a string of its digits: the tool cannot be asked
 * for another form, and no digit is lost.
 */
export function parseKeepingExact(text: string): JsonParse {
  if (!mayBeInexact(text)) return parse(text);
  // Added quotes must not turn an invalid text into valid JSON.
  const parsed = parse(text);
  if (!parsed.ok) return parsed;
  let kept = "";
  let from = 0;
  inexactLiterals(text, (literal, start) => {
    kept += `${text.slice(from, start)}"${literal}"`;
    from = start + literal.length;
  });
  return from === 0 ? parsed : parse(kept + text.slice(from));
}

function parse(text: string): JsonParse {
  try {
    return { ok: true, value: JSON.parse(text) as JsonValue };
  } catch {
    return { ok: false, reason: "malformed", message: `is not valid JSON${placeOfFault(text)}.` };
  }
}

/** Maximum number of characters that are scanned for a fault, which takes some milliseconds. */
const maxScanned = 256 * 1024;

function placeOfFault(text: string): string {
  const fault = text.length > maxScanned ? undefined : scanJson(text, {});
  if (fault === undefined) return "";
  return fault.endsEarly === true ? ": it ends too early" : ` at character ${fault.offset + 1}`;
}
