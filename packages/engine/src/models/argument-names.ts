import { hash } from "node:crypto";
import type { JsonObject, JsonValue } from "@procedo/contract";

/**
 * The names under which a model is offered an action's arguments. Providers check the top level of a tool's schema and
 * refuse the whole request for one unsuitable name: Anthropic and Bedrock accept `^[a-zA-Z0-9_.-]{1,64}$`, Google
 * documents letters, digits and `_`, with no digit first. The engine offers names that all of them accept; the journal
 * holds the action's own names.
 */
export interface ArgumentNames {
  /** The name that the model is offered for an argument. Any other name is returned unchanged. */
  readonly offered: (own: string) => string;
  /** The argument that has this offered name. Any other name is returned unchanged. */
  readonly own: (offered: string) => string;
  /** Whether any argument has an offered name that differs from its own. */
  readonly differ: boolean;
}

const accepted = /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/;
const maxLength = 64;
const digestLength = 8;

/**
 * Names for all arguments that an action declares. They depend only on the set of names, in any order: an accepted name
 * stays unchanged, any other becomes the nearest accepted one, and names that would collide get a digest each.
 */
export function argumentNames(declared: Iterable<string>): ArgumentNames {
  const names = [...new Set(declared)].toSorted();
  const others = names.filter((name) => !accepted.test(name));
  const taken = new Set(names.filter((name) => accepted.test(name)));
  const offered = new Map<string, string>();
  for (const [nearest, alike] of Map.groupBy(others, nearestName)) {
    if (alike.length === 1 && alike[0] !== undefined && !taken.has(nearest)) offered.set(alike[0], nearest);
  }
  for (const name of offered.values()) taken.add(name);
  for (const name of others) {
    if (offered.has(name)) continue;
    const distinct = distinctName(name, taken);
    offered.set(name, distinct);
    taken.add(distinct);
  }
  const own = new Map([...offered].map(([name, other]) => [other, name]));
  return {
    offered: (name) => offered.get(name) ?? name,
    own: (name) => own.get(name) ?? name,
    differ: offered.size > 0,
  };
}

function nearestName(name: string): string {
  const plain = name.normalize("NFKD").replace(/\p{M}+/gu, "");
  const fit = plain.replace(/[^a-zA-Z0-9_]+/g, "_").replace(/^_+|_+$/g, "");
  const prefixed = /^\d/.test(fit) ? `_${fit}` : fit;
  return prefixed === "" ? "argument" : prefixed.slice(0, maxLength);
}

function distinctName(name: string, taken: ReadonlySet<string>): string {
  const beginning = nearestName(name).slice(0, maxLength - digestLength - 1);
  for (let attempt = 0; ; attempt++) {
    const digest = hash("sha256", attempt === 0 ? name : `${attempt}\n${name}`, "hex").slice(0, digestLength);
    const distinct = `${beginning}_${digest}`;
    if (!taken.has(distinct)) return distinct;
  }
}

/** Renames arguments to the names that the model is offered. */
export function withOfferedNames(args: JsonObject, { offered }: ArgumentNames): JsonObject {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [offered(name), value]));
}

/** Strings, with the colon after a name, and brackets. An unterminated string extends to the end of the text. */
const jsonTokens = /"(?:[^"\\]|\\.)*(?:"(?:\s*:)?|\\?$)|[{}[\]]/gs;

/**
 * Renames a model's arguments, given as text, to the action's own names. All other characters stay unchanged: numbers
 * keep their digits, and invalid JSON is judged as the model wrote it.
 */
export function withOwnNames(text: string, { own, differ }: ArgumentNames): string {
  if (!differ) return text;
  let level = 0;
  return text.replace(jsonTokens, (token) => {
    if (token === "{" || token === "[") level += 1;
    else if (token === "}" || token === "]") level -= 1;
    else if (level === 1 && token.endsWith(":")) return renamed(token, own);
    return token;
  });
}

function renamed(token: string, own: ArgumentNames["own"]): string {
  const end = token.lastIndexOf('"') + 1;
  const name = textIn(token.slice(0, end));
  if (name === undefined || own(name) === name) return token;
  return JSON.stringify(own(name)) + token.slice(end);
}

function textIn(json: string): string | undefined {
  try {
    const value = JSON.parse(json) as JsonValue;
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
