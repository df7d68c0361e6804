import { maxJsonDepth } from "@procedo/contract";
import { thrownText } from "./thrown-text.ts";

/** A handler's result as JSON text; `undefined` if it returned nothing, which differs from `null`. */
export type EncodedOutput =
  { readonly ok: true; readonly text: string | undefined } | { readonly ok: false; readonly message: string };

/**
 * Encodes a result as JSON. Rejects values that JSON would silently drop or change. Never throws.
 *
 * @param what - the subject of the message
 */
export function encodeOutput(output: unknown, what: "The result" | "The input" = "The result"): EncodedOutput {
  const unfit = (reason: string): EncodedOutput => ({
    ok: false,
    message: `${what} cannot be sent as JSON: ${reason}.`,
  });
  if (output === undefined) return { ok: true, text: undefined };
  try {
    const text = JSON.stringify(output, refuseUnfit) as string | undefined;
    if (text === undefined) return unfit("its toJSON returns nothing");
    return nestsDeeper(text, maxJsonDepth) ? unfit(`it nests deeper than ${maxJsonDepth} levels`) : { ok: true, text };
  } catch (thrown) {
    return unfit(thrownText(thrown).split("\n")[0] ?? "");
  }
}

function refuseUnfit(this: unknown, name: string, value: unknown): unknown {
  const reason = unfitReason(value);
  if (reason === undefined) return value;
  throw new Error(`${name === "" ? "it" : `"${name}"`} is ${reason}`);
}

function unfitReason(value: unknown): string | undefined {
  switch (typeof value) {
    case "bigint":
      return "a BigInt; return it as a string";
    case "number":
      return Number.isFinite(value) ? undefined : String(value);
    case "function":
    case "symbol":
      return `a ${typeof value}`;
    case "object":
      if (value instanceof Map || value instanceof Set) return "a Map or Set; return an object or array";
      return value instanceof Promise ? "a promise; await it" : undefined;
    default:
      return undefined;
  }
}

/** Whether a JSON text nests more levels of arrays and objects than `limit`. */
function nestsDeeper(text: string, limit: number): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (quoted) {
      if (code === 0x5c) at++;
      else if (code === 0x22) quoted = false;
    } else if (code === 0x22) quoted = true;
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > limit) return true;
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return false;
}
