import { shown } from "../problem-list.ts";
import { readsAsDots } from "./dot-segments.ts";

export type PathTemplate =
  | {
      readonly ok: true;
      readonly names: ReadonlySet<string>;
      /** Parameters of the key's query (`{text}` of `?q={text}`), by their name in the request. */
      readonly queryNames: ReadonlyMap<string, string>;
    }
  /** Completes "The path …". */
  | { readonly ok: false; readonly message: string };

/** Servers accept no longer paths. */
const maxPathLength = 4_000;

/** The names in a path template, such as `id` in `/customers/{id}`. A fragment has none. */
export function readPathTemplate(path: string): PathTemplate {
  const refused = (message: string): PathTemplate => ({ ok: false, message });
  if (!path.startsWith("/")) return refused("does not begin with a slash");
  if (path.length > maxPathLength) return refused(`is longer than ${maxPathLength} characters`);
  if (!path.isWellFormed()) return refused("contains a lone surrogate, which is not a character");
  const { path: sent, query, fragment } = splitPathKey(path);
  if (/[\p{Cc}]/u.test(query + fragment)) return refused("contains control characters");
  const queryNames = new Map<string, string>();
  for (const pair of queryPairs(query)) {
    const placed = placeholderOf(pair);
    if (placed !== undefined) {
      const { wireName, parameter } = placed;
      if (queryNames.has(wireName)) return refused(`has two parameters of the name ${shown(wireName)} in its query`);
      if (wireName === "__proto__") return refused(`has a parameter ${shown(wireName)}, which no argument can be`);
      queryNames.set(wireName, parameter);
    } else if (/[{}]/.test(pair)) {
      return refused(`has a parameter within a part of its query, ${shown(pair)}; only name={parameter} can be sent`);
    }
  }
  const names = new Set<string>();
  let at = 0;
  while (at < sent.length) {
    const opened = sent.indexOf("{", at);
    const literal = sent.slice(at, opened < 0 ? undefined : opened);
    if (literal.includes("}")) return refused('has a "}" that nothing opened');
    // Otherwise the call would differ from the one in the document.
    if (literal.includes("\\")) return refused("contains a backslash, which is not allowed in a path");
    if (/[\p{Cc}]/u.test(literal)) return refused("contains control characters");
    if (opened < 0) break;
    const closed = sent.indexOf("}", opened);
    if (closed < 0) return refused('has a "{" that nothing closes');
    const name = sent.slice(opened + 1, closed);
    if (name === "") return refused('has a parameter without a name, "{}"');
    if (name.includes("{")) return refused('has a "{" inside a parameter');
    names.add(name);
    at = closed + 1;
  }
  // A parameter is never empty, so a segment with one is a dot segment for certain values only. Each call checks for
  // them.
  const segments = sent.replaceAll(/\{[^{}]*\}/g, "x").split("/");
  return segments.some(readsAsDots) ? refused('has a segment "." or ".."') : { ok: true, names, queryNames };
}

export interface PathKey {
  /** The template of the path. */
  readonly path: string;
  /** The fixed query of each call, such as `?method=pay`; `""` when there is none. */
  readonly query: string;
  /** `#create`, which is never sent (RFC 3986, section 3.5); `""` when there is none. */
  readonly fragment: string;
}

/**
 * Splits a key of `paths`. OpenAPI allows only templates, but documents distinguish operations with the same address by
 * a query or a fragment. RFC 6570's query `/files{?page,size}` becomes `?page={page}&size={size}`.
 */
export function splitPathKey(key: string): PathKey {
  const [, whole = "", query = "", fragment = ""] = /^((?:\{[^{}]*\}|[^#?])*)(\?[^#]*)?(#.*)?$/s.exec(key) ?? [];
  const expressions = /(?:\{[?&][^{}]+\})+$/.exec(whole)?.[0] ?? "";
  const path = whole.slice(0, whole.length - expressions.length);
  const names = [...expressions.matchAll(/\{.([^{}]+)\}/g)].flatMap(([, list = ""]) => list.split(","));
  const pairs = names.map((name) => name.trim().replace(/\*$/, "")).map((name) => `${name}={${name}}`);
  return { path, query: pairs.reduce((all, pair) => `${all}${all === "" ? "?" : "&"}${pair}`, query), fragment };
}

/** The non-empty parts of a query: `a=1` and `full` of `?a=1&full`. */
export const queryPairs = (query: string): readonly string[] =>
  query
    .slice(1)
    .split("&")
    .filter((pair) => pair !== "");

/** The parameter that is the whole value of a pair, as in `q={text}`; `undefined` for other pairs. */
export function placeholderOf(pair: string): { readonly wireName: string; readonly parameter: string } | undefined {
  const [, name, parameter] = /^([^={}]+)=\{([^{}]+)\}$/.exec(pair) ?? [];
  const wireName = name === undefined ? undefined : [...new URLSearchParams(name).keys()][0];
  return wireName === undefined || parameter === undefined ? undefined : { wireName, parameter };
}
