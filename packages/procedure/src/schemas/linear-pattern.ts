import { RE2JS } from "re2js";
import { linearMatch } from "../linear-match.ts";

/** Instructions of a compiled pattern: a few hundred are usual, thousands make one match slow. */
const maxInstructions = 2_000;
const maxSourceLength = 2_000;
/** What a pattern may grow to when its repeats are written out; the engine makes them all before it can be asked. */
const maxRepeated = 4 * maxInstructions;

export type PatternResult =
  | {
      readonly ok: true;
      /** @param spend - called with the steps that the match may take, before it is made; throws to give up */
      readonly test: (text: string, spend: (steps: number) => void) => boolean;
      readonly instructions: number;
    }
  | { readonly ok: false; readonly message: string };

/**
 * Compiles a JSON Schema `pattern` for an engine whose time is linear in the text, so that no pattern and no text can
 * hold the process up. Look-ahead, look-behind and back-references do not exist there and are refused.
 */
export function compileLinearPattern(source: string): PatternResult {
  if (source.length > maxSourceLength) {
    return { ok: false, message: `is longer than ${maxSourceLength} characters; write a shorter pattern.` };
  }
  if (repeatedSize(source) > maxRepeated) return { ok: false, message: repeatsTooMuch };
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(RE2JS.translateRegExp(source));
  } catch (cause) {
    return { ok: false, message: explain(source, cause) };
  }
  const instructions = compiled.programSize();
  if (instructions > maxInstructions) return { ok: false, message: repeatsTooMuch };
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

const repeatsTooMuch = `makes more than ${maxInstructions} instructions; write smaller repeat counts, or use minLength and maxLength.`;

/** How many characters, classes and escapes there are once each `{n,m}` is written out; roughly, before anything is parsed. */
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
  if (/\\[1-9]/.test(source)) return "uses a back-reference, which patterns here do not have.";
  const reason = cause instanceof Error ? cause.message.replace(/^error parsing regexp: /, "") : "it does not parse";
  return `is not a pattern that can be used: ${reason}.`;
}
