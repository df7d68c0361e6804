import { compileLinearPattern } from "@procedo/procedure/patterns";
import { ecmascriptPattern } from "./pattern-dialects.ts";

/** A `pattern` in its translated form. */
export interface ReadPattern {
  /** An ECMAScript regular expression; `undefined` when there is no equivalent, and values are not checked. */
  readonly pattern: string | undefined;
  /** States that the pattern was rewritten, or that values are not checked. */
  readonly warning?: string;
}

/** Reads each pattern once, because documents repeat a few patterns in many places. */
export type PatternReader = (written: string) => ReadPattern;

/**
 * Maximum length of all compiled patterns of a document. A class such as `\\pL` takes 10 microseconds per character.
 */
const maxCompiledCharacters = 200_000;
const maxLength = 2_000;

export function createPatternReader(): PatternReader {
  const known = new Map<string, ReadPattern>();
  let charactersLeft = maxCompiledCharacters;

  function read(written: string): ReadPattern {
    const shown = JSON.stringify(written.slice(0, 100));
    const kept = (why: string): ReadPattern => ({
      pattern: written,
      warning: `The pattern ${shown} ${why}; it is kept, but values are not checked by it.`,
    });
    const leftOut = (why: string): ReadPattern => ({
      pattern: undefined,
      warning: `The pattern ${shown} ${why}; it is left out, and values are not checked by it.`,
    });
    if (written.length > maxLength)
      return isPattern(written) ? kept(`is longer than ${maxLength} characters`) : leftOut(noPattern);
    const read = ecmascriptPattern(written);
    if (!read.ok) return leftOut(read.why);
    const { pattern } = read;
    if (!isPattern(pattern)) return leftOut(noPattern);
    const rewritten =
      pattern === written
        ? undefined
        : `The pattern ${shown} is read as ${JSON.stringify(pattern.slice(0, 100))}, which is its ECMAScript form`;
    if (/\\u[dD][89a-fA-F][0-9a-fA-F]{2}/.test(pattern)) return kept("names halves of characters");
    charactersLeft -= pattern.length;
    const compiled = charactersLeft < 0 ? tooMany : compileLinearPattern(pattern);
    if (compiled.ok) return rewritten === undefined ? { pattern } : { pattern, warning: `${rewritten}.` };
    if (compiled.matchesNothing === true) return leftOut("can match no text");
    const why = reasonOf(pattern);
    return rewritten === undefined
      ? kept(why)
      : { pattern, warning: `${rewritten}. It ${why}; values are not checked by it.` };
  }

  return (written) => {
    const result = known.get(written) ?? read(written);
    known.set(written, result);
    return result;
  };
}

const noPattern = "is not a regular expression of ECMAScript";
const tooMany = { ok: false, matchesNothing: false } as const;

/** The reason why a pattern is not checked before a call. Patterns run on an engine with linear time. */
function reasonOf(pattern: string): string {
  if (/\(\?<?[=!]/.test(pattern)) return "looks ahead or behind";
  if (/\\(?:[1-9]|k<)/.test(pattern)) return "refers back to its own match";
  if (/\{\d*,?\d{3,}\}/.test(pattern)) return "repeats something too often";
  return "is not understood by an engine of linear time";
}

/** Whether a `pattern` is a valid ECMAScript regular expression. Many validators throw at an invalid one. */
function isPattern(pattern: string): boolean {
  for (const flags of ["u", ""]) {
    try {
      new RegExp(pattern, flags);
      return true;
    } catch {
      // Many patterns escape more characters than the strict syntax allows.
    }
  }
  return false;
}
