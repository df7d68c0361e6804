import { shown } from "../problem-list.ts";

export type PathTemplate =
  | { readonly ok: true; readonly names: ReadonlySet<string> }
  /** Completes "The path …". */
  | { readonly ok: false; readonly message: string };

/** Servers take no longer ones. */
const maxPathLength = 4_000;

/** The names of a path template: `id` of `/customers/{id}`. */
export function readPathTemplate(path: string): PathTemplate {
  const refused = (message: string): PathTemplate => ({ ok: false, message });
  if (!path.startsWith("/")) return refused("does not begin with a slash");
  if (path.length > maxPathLength) return refused(`is longer than ${maxPathLength} characters`);
  if (!path.isWellFormed()) return refused("has half of a surrogate pair, which is no character");
  const names = new Set<string>();
  let at = 0;
  while (at < path.length) {
    const opened = path.indexOf("{", at);
    const literal = path.slice(at, opened < 0 ? undefined : opened);
    if (literal.includes("}")) return refused('has a "}" that nothing opened');
    // The call would be another than the one that the document shows.
    const stray = /[?#\\]/.exec(literal);
    if (stray !== null) return refused(`contains ${shown(stray[0])}, which no path has; declare query parameters`);
    if (/[\p{Cc}]/u.test(literal)) return refused("contains control characters");
    if (literal.split("/").some(isDotSegment)) return refused('has a segment "." or ".."');
    if (opened < 0) break;
    const closed = path.indexOf("}", opened);
    if (closed < 0) return refused('has a "{" that nothing closes');
    const name = path.slice(opened + 1, closed);
    if (name === "") return refused('has a parameter without a name, "{}"');
    if (name.includes("{")) return refused('has a "{" inside a parameter');
    names.add(name);
    at = closed + 1;
  }
  return { ok: true, names };
}

const isDotSegment = (segment: string): boolean => /^(?:\.|%2e){1,2}$/i.test(segment);
