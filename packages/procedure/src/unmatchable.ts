import type { RE2JS } from "re2js";

/** The engine's program for a pattern; `out` and, for a branch, `arg` are positions of instructions. */
interface Program {
  readonly start: number;
  readonly inst: readonly { readonly op: number; readonly out: number; readonly arg: number }[];
}

/** Instructions by the engine's numbers. All others continue at `out` without consuming a character. */
const branch = 1;
const branchToMatch = 2;
const assertion = 4;
const fail = 5;
const match = 6;
const firstOfCharacters = 8;
const lastOfCharacters = 11;
/** The assertions that an assertion's `arg` combines. */
const beginOfText = 4;
const endOfText = 8;

/**
 * Whether a pattern can match no text, because it requires a character before the beginning or after the end of the
 * text: for example `/^a$/` written with its slashes. Word boundaries are assumed to hold, so `false` proves nothing.
 */
export function isUnmatchable(compiled: RE2JS): boolean {
  const { start, inst } = compiled.re2().prog as Program;
  const seen = new Set<string>();
  const open = [{ at: start, hasBegun: false, hasEnded: false }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { at, hasBegun, hasEnded } = next;
    const key = `${at} ${hasBegun} ${hasEnded}`;
    const instruction = inst[at];
    if (instruction === undefined || seen.has(key)) continue;
    seen.add(key);
    const { op, out, arg } = instruction;
    if (op === match) return false;
    if (op === fail) continue;
    if (op >= firstOfCharacters && op <= lastOfCharacters) {
      if (!hasEnded) open.push({ at: out, hasBegun: true, hasEnded });
    } else if (op === assertion) {
      if ((arg & beginOfText) !== 0 && hasBegun) continue;
      open.push({ at: out, hasBegun, hasEnded: hasEnded || (arg & endOfText) !== 0 });
    } else {
      open.push({ at: out, hasBegun, hasEnded });
      if (op === branch || op === branchToMatch) open.push({ at: arg, hasBegun, hasEnded });
    }
  }
  return true;
}
