import { jsonPointer } from "@procedo/contract";
import { isExactLiteral } from "./exact-literal.ts";

/** A number in a JSON text whose digits a double cannot hold. */
export interface InexactLiteral {
  readonly literal: string;
  /** Offset of its first character in the text. */
  readonly start: number;
  /** Its JSON pointer (RFC 6901). Valid only until the generator continues. */
  readonly pointer: () => string;
}

/**
 * Whether a JSON text may contain a number that a double cannot hold: 15 significant digits and an exponent of two
 * digits always fit. For nearly all texts, this one search is the whole cost.
 */
export function mayBeInexact(text: string): boolean {
  return /\d[\d.]{15}|\d[eE][+-]?\d{3}/.test(text);
}

interface Container {
  /** For a list: the index of the item being read. */
  index: number | undefined;
  /** For an object: the key of the value being read, quoted as in the text. */
  key: string;
}

/**
 * The inexact numbers of a JSON text, in order. For a text that is not JSON the result is undefined, but the time is
 * still linear.
 */
export function* inexactLiterals(text: string): Generator<InexactLiteral> {
  const containers: Container[] = [];
  let awaitsKey = false;
  for (let at = 0; at < text.length; at += 1) {
    const container = containers.at(-1);
    switch (text[at]) {
      case '"': {
        const end = endOfString(text, at);
        if (awaitsKey && container !== undefined) container.key = text.slice(at, end + 1);
        awaitsKey = false;
        at = end;
        break;
      }
      case "{":
        containers.push({ index: undefined, key: '""' });
        awaitsKey = true;
        break;
      case "[":
        containers.push({ index: 0, key: '""' });
        break;
      case "}":
      case "]":
        containers.pop();
        awaitsKey = false;
        break;
      case ",":
        if (container?.index === undefined) awaitsKey = true;
        else container.index += 1;
        break;
      case " ":
      case "\n":
      case "\r":
      case "\t":
      case ":":
        break;
      default: {
        const start = at;
        while (at + 1 < text.length && isScalarCharacter(text.charCodeAt(at + 1))) at += 1;
        const literal = text.slice(start, at + 1);
        if (mayBeInexact(literal) && !isExactLiteral(literal)) {
          yield {
            literal,
            start,
            pointer: () => containers.map(({ index, key }) => jsonPointer([index ?? keyText(key)])).join(""),
          };
        }
      }
    }
  }
}

/** Characters of numbers and of `true`, `false` and `null`: digits, letters, `+`, `-` and `.`. */
function isScalarCharacter(code: number): boolean {
  return (
    (code >= 48 && code <= 57) ||
    (code >= 97 && code <= 122) ||
    code === 69 ||
    code === 43 ||
    code === 45 ||
    code === 46
  );
}

/** Offset of the closing quote, or of the last character if there is none. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 92) at += 1;
    else if (code === 34) return at;
  }
  return text.length - 1;
}

function keyText(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted.slice(1, -1);
  }
}
