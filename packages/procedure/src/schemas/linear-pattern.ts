import { RE2JS } from "re2js";
import { linearMatch } from "../linear-match.ts";
import { isUnmatchable } from "../unmatchable.ts";

/** Maximum number of instructions of a compiled pattern: a few hundred are usual, and thousands make one match slow. */
const maxInstructions = 2_000;
const maxSourceLength = 2_000;
/**
 * Maximum size of a pattern after its repeats are expanded. The engine expands all of them before the size can be read.
 */
const maxRepeated = 4 * maxInstructions;

/** The outcome of compiling a pattern. */
export type PatternResult =
  | {
      readonly ok: true;
      /**
       * Whether a text matches.
       *
       * @param spend - called with the worst-case steps of the match, before the match; throws to abort it
       */
      readonly test: (text: string, spend: (steps: number) => void) => boolean;
      /** Number of instructions of the compiled pattern. */
      readonly instructions: number;
    }
  | {
      readonly ok: false;
      /** The fault of the pattern. */
      readonly message: string;
      /** Whether the pattern was analysed and can match no text. */
      readonly matchesNothing?: true;
    };

/**
 * Compiles a JSON Schema `pattern` for an engine with linear time, so that no pattern and no text can block the
 * process. The engine has no look-ahead, look-behind or back-references; they are refused.
 */
export function compileLinearPattern(source: string): PatternResult {
  if (source.length > maxSourceLength) {
    return { ok: false, message: `is longer than ${maxSourceLength} characters; write a shorter pattern.` };
  }
  if (namedBackReference.test(source)) return { ok: false, message: refersBack };
  const escape = foreignEscape(source);
  if (escape !== undefined)
    return { ok: false, message: `has ${escape}, which ECMAScript does not have${insteadOf(escape)}.` };
  if (halfCharacter.test(source))
    return { ok: false, message: "names half of a surrogate pair; write \\u{…} with the character's code point." };
  if (repeatedSize(source) > maxRepeated) return { ok: false, message: repeatsTooMuch };
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(RE2JS.translateRegExp(source.replaceAll(categoryName, "\\$1{")));
  } catch (cause) {
    return { ok: false, message: explain(source, cause) };
  }
  const instructions = compiled.programSize();
  if (instructions > maxInstructions) return { ok: false, message: repeatsTooMuch };
  if (isUnmatchable(compiled)) return { ok: false, message: noMatch, matchesNothing: true };
  const match = linearMatch(compiled);
  return {
    ok: true,
    instructions,
    test(text, spend) {
      spend(match.steps(text.length));
      return match.matches(text);
    },
  };
}

const noMatch =
  'can match no text: it wants a character before "^" or behind "$". Write it without slashes or quotes around it.';

const refersBack = "uses a back-reference, which patterns here do not have.";

/** The engine would read it as these literal characters. */
const namedBackReference = /(?<!\\)(?:\\\\)*\\k</;

const halfCharacter = /\\u[dD][89a-fA-F][0-9a-fA-F]{2}/;

/** The engine has only the plain names of scripts and categories. */
const categoryName = /\\([pP])\{(?:Script|sc|General_Category|gc)=/g;

/** An escape of another dialect: the engine reads the letter literally and would match the wrong texts. */
function foreignEscape(source: string): string | undefined {
  for (const [escape] of source.matchAll(/\\[^]/g))
    if (/[A-Za-z]/.test(escape) && !/[bBcdDfknpPrsStuvwWx]/.test(escape)) return escape;
  return undefined;
}

function insteadOf(escape: string): string {
  if (escape === "\\A") return "; write ^";
  return escape === "\\z" || escape === "\\Z" ? "; write $" : "; write what it stands for";
}

const repeatsTooMuch = `makes more than ${maxInstructions} instructions; write smaller repeat counts, or use minLength and maxLength.`;

/** Approximate number of characters, classes and escapes after each `{n,m}` is expanded, computed before parsing. */
function repeatedSize(source: string): number {
  const groups = [0];
  let last = 0;
  for (const [token, least, most] of source.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}|[^]/gu)) {
    if (token === "(") {
      groups.push(0);
      continue;
    }
    if (least !== undefined) {
      const more = last * Math.max(Number(least), Number(most ?? 0)) - last;
      groups[groups.length - 1] = (groups.at(-1) ?? 0) + Math.max(more, 0);
      last += Math.max(more, 0);
      continue;
    }
    last = token === ")" && groups.length > 1 ? (groups.pop() ?? 0) : 1;
    groups[groups.length - 1] = (groups.at(-1) ?? 0) + last;
  }
  return groups.reduce((sum, size) => sum + size, 0);
}

function explain(source: string, cause: unknown): string {
  if (/\(\?<?[=!]/.test(source)) {
    return "uses look-ahead or look-behind, which patterns here do not have; write it as several schemas in allOf.";
  }
  if (/\\[1-9]/.test(source)) return refersBack;
  const reason = cause instanceof Error ? cause.message.replace(/^error parsing regexp: /, "") : "it does not parse";
  return `is not a pattern that can be used: ${reason}.`;
}
