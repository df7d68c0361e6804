import { shown } from "../problem-list.ts";
import { readsAsDots } from "./dot-segments.ts";

export type PathTemplate =
  | { readonly ok: true; readonly names: ReadonlySet<string> }
  /** Completes "The path …". */
  | { readonly ok: false; readonly message: string };

/** Servers take no longer ones. */
const maxPathLength = 4_000;

/** The names of a path template: `id` of `/customers/{id}`. A query or fragment of the key has none. */
export function readPathTemplate(path: string): PathTemplate {
  const refused = (message: string): PathTemplate => ({ ok: false, message });
  if (!path.startsWith("/")) return refused("does not begin with a slash");
  if (path.length > maxPathLength) return refused(`is longer than ${maxPathLength} characters`);
  if (!path.isWellFormed()) return refused("has half of a surrogate pair, which is no character");
  const { path: sent, query, fragment } = splitPathKey(path);
  if (/[\p{Cc}]/u.test(query + fragment)) return refused("contains control characters");
  if (/[{}]/.test(query)) return refused(`has a parameter in its query, ${shown(query)}; declare a query parameter`);
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
  return segments.some(readsAsDots) ? refused('has a segment "." or ".."') : { ok: true, names };
}

export interface PathKey {
  /** The template of the path. */
  readonly path: string;
  /** What each call carries before its query parameters, `?method=pay`; `""`: nothing. */
  readonly query: string;
  /** `#create`, which no request carries (RFC 3986, section 3.5); `""`: there is none. */
  readonly fragment: string;
}

/** The parts of a key of `paths`: OpenAPI knows templates alone, but documents tell operations of one address apart by more. */
export function splitPathKey(key: string): PathKey {
  const [, path = "", query = "", fragment = ""] = /^((?:\{[^{}]*\}|[^#?])*)(\?[^#]*)?(#.*)?$/s.exec(key) ?? [];
  return { path, query, fragment };
}
