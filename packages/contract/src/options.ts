import { ProcedoError, type ErrorCode } from "./errors.ts";
import { nearestName } from "./nearest-name.ts";

/**
 * The names of an options type, each once. A table that is written
 * `{ url: true, timeoutMs: true } satisfies OptionNames<Options>` does not compile when it lacks a name or has one too many.
 */
export type OptionNames<Options> = { readonly [Name in keyof Options]-?: true };

/**
 * Refuses an options object with a name that is not known: a misspelt option would otherwise be ignored in silence.
 *
 * @param subject - begins the message: `createEngine`, `The action "Pays."`
 * @param code - of the error. `@defaultValue "invalid_input"`
 * @throws ProcedoError naming the option and the known name that is nearest to it; also for a value that is no object
 */
export function checkOptionNames(
  subject: string,
  names: Readonly<Record<string, true>>,
  given: unknown,
  code: ErrorCode = "invalid_input",
): void {
  if (typeof given !== "object" || given === null || Array.isArray(given) || given instanceof Promise) {
    throw new ProcedoError(code, `${subject} takes an object with options. It was given ${kindOf(given)}.`);
  }
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(names, name)) continue;
    const hint = nearestName(name, Object.keys(names));
    throw new ProcedoError(code, `${subject} has no option ${JSON.stringify(name)}; ${hint}`);
  }
}

/** A short value as messages quote it; the kind of anything else. Never throws. */
export function quotedValue(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 120));
  return ["number", "bigint", "boolean"].includes(typeof value) ? String(value) : kindOf(value);
}

/** How messages speak of a value that was given, without its content. */
export function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (Array.isArray(value)) return "a list";
  if (value instanceof Promise) return "a promise, which has to be awaited first";
  const kind = typeof value;
  return kind === "object" ? "an object" : `a ${kind}`;
}
