import type { JsonValue } from "@procedo/contract";
import { createRedactor, type Redactor } from "@procedo/engine";

/**
 * Redacts the credentials that an answer or an event carries: the texts of members with these names, at any depth. In a
 * text that is not JSON, such as an answer that was cut, they are found by their names too.
 */
export function credentialsIn(value: JsonValue, names: readonly string[] = []): Redactor {
  return createRedactor(names.length === 0 ? [] : textsOf(value, new Set(names)));
}

function textsOf(value: JsonValue, names: ReadonlySet<string>): readonly string[] {
  if (typeof value === "string") return [...names].flatMap((name) => textsIn(value, name));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]: readonly [string, JsonValue]) =>
    names.has(name) && typeof member === "string" ? [member] : textsOf(member, names),
  );
}

function textsIn(text: string, name: string): readonly string[] {
  if (!text.includes(`"${name}"`)) return [];
  return text
    .split(`"${name}"`)
    .slice(1)
    .flatMap((rest) => /^\s*:\s*"([^"]{1,4096})/.exec(rest)?.[1] ?? []);
}
