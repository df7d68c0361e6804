import { shown } from "../problem-list.ts";
import { readsAsDots } from "./dot-segments.ts";

export type PathTemplate =
  | {
      readonly ok: true;
      readonly names: ReadonlySet<string>;
      /** Parameters of the key's query, `{text}` of `?q={text}`, by the name that each has on the wire. */
      readonly queryNames: ReadonlyMap<string, string>;
    }
  /** Completes "The path …". */
  | { readonly ok: false; readonly message: string };

/** Servers take no longer ones. */
const maxPathLength = 4_000;

/** The names of a path template: `id` of `/customers/{id}`. A fragment of the key has none. */
export function readPathTemplate(path: string): PathTemplate {
  const refused = (message: string): PathTemplate => ({ ok: false, message });
  if (!path.startsWith("/")) return refused("does not begin with a slash");
  if (path.length > maxPathLength) return refused(`is longer than ${maxPathLength} characters`);
  if (!path.isWellFormed()) return refused("has half of a surrogate pair, which is no character");
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
    // The call would be another than the one that the document shows.
    if (literal.includes("\\")) return refused("contains a backslash, which no path has");
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
  // A parameter is never empty, so that a segment with one is dots for certain values only: the call looks at those.
  const segments = sent.replaceAll(/\{[^{}]*\}/g, "x").split("/");
  return segments.some(readsAsDots) ? refused('has a segment "." or ".."') : { ok: true, names, queryNames };
}

export interface PathKey {
  /** The template of the path. */
  readonly path: string;
  /** What each call carries before its query parameters, `?method=pay`; `""`: nothing. */
  readonly query: string;
  /** `#create`, which no request carries (RFC 3986, section 3.5); `""`: there is none. */
  readonly fragment: string;
}

/**
 * The parts of a key of `paths`: OpenAPI knows templates alone, but documents tell operations of one address apart by more. The
 * query that RFC 6570 would write, `/files{?page,size}`, is `?page={page}&size={size}`.
 */
export function splitPathKey(key: string): PathKey {
  const [, whole = "", query = "", fragment = ""] = /^((?:\{[^{}]*\}|[^#?])*)(\?[^#]*)?(#.*)?$/s.exec(key) ?? [];
  const expressions = /(?:\{[?&][^{}]+\})+$/.exec(whole)?.[0] ?? "";
  const path = whole.slice(0, whole.length - expressions.length);
  const names = [...expressions.matchAll(/\{.([^{}]+)\}/g)].flatMap(([, list = ""]) => list.split(","));
  const pairs = names.map((name) => name.trim().replace(/\*$/, "")).map((name) => `${name}={${name}}`);
  return { path, query: pairs.reduce((all, pair) => `${all}${all === "" ? "?" : "&"}${pair}`, query), fragment };
}

/** The parts of a query that are not empty, `a=1` and `full` of `?a=1&full`. */
export const queryPairs = (query: string): readonly string[] =>
  query
    .slice(1)
    .split("&")
    .filter((pair) => pair !== "");

/** The parameter that is the whole value of a pair, `q={text}`; `undefined`: the pair is fixed, or it has another form. */
export function placeholderOf(pair: string): { readonly wireName: string; readonly parameter: string } | undefined {
  const [, name, parameter] = /^([^={}]+)=\{([^{}]+)\}$/.exec(pair) ?? [];
  const wireName = name === undefined ? undefined : [...new URLSearchParams(name).keys()][0];
  return wireName === undefined || parameter === undefined ? undefined : { wireName, parameter };
}
