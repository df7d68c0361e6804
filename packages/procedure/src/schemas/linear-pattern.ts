import { RE2JS } from "re2js";

/** Instructions of a compiled pattern: a few hundred are usual, thousands make one match slow. */
const maxInstructions = 2_000;
const maxSourceLength = 2_000;
/** Instructions times characters of one match: a few hundred milliseconds at worst, microseconds as a rule. */
const maxMatchCost = 20_000_000;

export type PatternResult =
  { readonly ok: true; readonly test: (text: string) => boolean } | { readonly ok: false; readonly message: string };

/**
 * Compiles a JSON Schema `pattern` for an engine whose time is linear in the text, so that no pattern and no text can
 * hold the process up. Look-ahead, look-behind and back-references do not exist there and are refused.
 *
 * A text that is too long for its pattern (20 million instruction steps) does not match.
 */
export function compileLinearPattern(source: string): PatternResult {
  if (source.length > maxSourceLength) {
    return { ok: false, message: `is longer than ${maxSourceLength} characters; write a shorter pattern.` };
  }
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(RE2JS.translateRegExp(source));
  } catch (cause) {
    return { ok: false, message: explain(source, cause) };
  }
  const cost = compiled.programSize();
  if (cost > maxInstructions) {
    return { ok: false, message: "repeats too much; write smaller repeat counts, or use minLength and maxLength." };
  }
  const maxLength = Math.floor(maxMatchCost / cost);
  return { ok: true, test: (text) => text.length <= maxLength && compiled.test(text) };
}

function explain(source: string, cause: unknown): string {
  if (/\(\?<?[=!]/.test(source)) {
    return "uses look-ahead or look-behind, which patterns here do not have; write it as several schemas in allOf.";
  }
  if (/\\[1-9]/.test(source)) return "uses a back-reference, which patterns here do not have.";
  const reason = cause instanceof Error ? cause.message.replace(/^error parsing regexp: /, "") : "it does not parse";
  return `is not a pattern that can be used: ${reason}.`;
}
