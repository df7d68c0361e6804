import type { Completions } from "../../ui/completing-area.tsx";
import type { ScopeEntry } from "./scope-entries.ts";

/** `expression`: the whole text is one. `template`: expressions stand in `{{ }}`. */
export type ExpressionPlace = "expression" | "template";

const mostOptions = 50;
/** A path as it is being typed. */
const pathBefore = /(?:[A-Za-z_]\w*(?:\.\??\w*|\[(?:"[^"]*"?\]?)?)*)$/;

/**
 * The values that fit the path before the cursor: those that begin with it, then those that have it elsewhere in their
 * path or title. `undefined` where no expression is being typed.
 *
 * @param isAsked - whether the person asked for the list, which then has all values where nothing is typed yet
 */
export function completionsAt(
  text: string,
  cursor: number,
  entries: readonly ScopeEntry[],
  place: ExpressionPlace,
  isAsked: boolean,
): Completions | undefined {
  const before = text.slice(0, cursor);
  if (place === "template" && before.lastIndexOf("{{") <= before.lastIndexOf("}}")) return undefined;
  if (isInQuotes(place === "template" ? before.slice(before.lastIndexOf("{{")) : before)) return undefined;
  const typed = pathBefore.exec(before)?.[0] ?? "";
  if (typed === "" && !isAsked) return undefined;
  const wanted = typed.replaceAll(".?", ".").toLowerCase();
  const found = entries
    .map((entry) => ({ entry, rank: rankOf(entry, wanted) }))
    .filter(({ rank }) => rank < noMatch)
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, mostOptions)
    .map(({ entry: { path, type, title } }) => ({ text: path, type, detail: title }));
  if (found.length === 0 || (found.length === 1 && found[0]?.text === typed)) return undefined;
  // The rest of a name in which the cursor stands is replaced as well.
  const rest = typed === "" ? "" : (/^\w*/.exec(text.slice(cursor))?.[0] ?? "");
  return { from: cursor - typed.length, to: cursor + rest.length, options: found };
}

const noMatch = 3;

function rankOf({ path, title }: ScopeEntry, wanted: string): number {
  const lower = path.toLowerCase();
  if (lower.startsWith(wanted)) return 0;
  if (lower.includes(`.${wanted}`)) return 1;
  return wanted.length > 1 && title.toLowerCase().includes(wanted) ? 2 : noMatch;
}

/** Whether a text ends within quotes, where no path is typed. The quotes of a path's own key do not count. */
function isInQuotes(text: string): boolean {
  let open: string | undefined;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (open === undefined) {
      const isKey = character === '"' && text[at - 1] === "[" && !text.slice(at + 1).includes('"');
      if ((character === '"' || character === "'") && !isKey) open = character;
    } else if (character === "\\") at += 1;
    else if (character === open) open = undefined;
  }
  return open !== undefined;
}
