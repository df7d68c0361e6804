import type { RE2JS } from "re2js";

/** A pattern that is matched in time linear in the text and in constant memory. */
export interface LinearMatch {
  /** Worst-case cost of a match, in units of 10 nanoseconds. */
  steps(characters: number): number;
  matches(text: string): boolean;
}

/** The engine's program for a pattern. */
interface Program {
  readonly inst: readonly { readonly runes: ArrayLike<number>; readonly arg: number }[];
}

/**
 * Matches without an automaton. The engine's own `test()` builds one for most patterns. Its states take up to 8 MB,
 * which stay with the pattern, and building them can take 100 times as long as the match.
 */
export function linearMatch(compiled: RE2JS): LinearMatch {
  const engine = compiled.re2();
  // If each character determines the next instruction, as in most patterns that begin with ^, the size of the program
  // does not matter.
  const [fixed, perCharacter] = engine.onepass === null ? [50, stepsOf(engine.prog as Program)] : [20, 4];
  return {
    steps: (characters) => fixed + perCharacter * characters,
    matches: (text) => engine.findIndex(text) !== null,
  };
}

/** Each instruction may be tried at each character. */
function stepsOf({ inst }: Program): number {
  return inst.reduce((sum, { runes, arg }) => sum + (isSlow(runes, arg) ? 3 : 1), 0);
}

/** A class of many ranges (`\pL`), or a letter of either case. */
function isSlow(runes: ArrayLike<number>, arg: number): boolean {
  return runes.length > 8 || (runes.length === 1 && (arg & foldCase) !== 0);
}

const foldCase = 1;
