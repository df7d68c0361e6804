import { shown } from "../problem-list.ts";
import { readsAsDots } from "./dot-segments.ts";

export type PathTemplate =
  | { readonly ok: true; readonly names: ReadonlySet<string> }
  /** Completes "The path …". */
  | { readonly ok: false; readonly message: string };

/** Servers take no longer ones. */
const maxPathLength = 4_000;

/** The names of a path template: `id` of `/customers/{id}`. Its fragment, `#create`, has none. */
export function readPathTemplate(path: string): PathTemplate {
  const refused = (message: string): PathTemplate => ({ ok: false, message });
  if (!path.startsWith("/")) return refused("does not begin with a slash");
  if (path.length > maxPathLength) return refused(`is longer than ${maxPathLength} characters`);
  if (!path.isWellFormed()) return refused("has half of a surrogate pair, which is no character");
  const sent = sentPath(path);
  if (/[\p{Cc}]/u.test(path.slice(sent.length))) return refused("contains control characters");
  const names = new Set<string>();
  let at = 0;
  while (at < sent.length) {
    const opened = sent.indexOf("{", at);
    const literal = sent.slice(at, opened < 0 ? undefined : opened);
    if (literal.includes("}")) return refused('has a "}" that nothing opened');
    // The call would be another than the one that the document shows.
    const stray = /[?\\]/.exec(literal);
    if (stray !== null) return refused(`contains ${shown(stray[0])}, which no path has; declare query parameters`);
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

/** A path template without its fragment, which no request carries (RFC 3986, section 3.5). */
export function sentPath(path: string): string {
  return /^(?:\{[^{}]*\}|[^#])*/.exec(path)?.[0] ?? "";
}
