import { decodeCursor, encodeCursor, type CursorQuery, type Page, type PageRequest } from "@procedo/storage";
import type { Action } from "../integrations/integration.ts";

/** A page ends early when its descriptions and schemas exceed this length. */
const maxPageCharacters = 4 * 1024 * 1024;
const maxPreviewCharacters = 16 * 1024 * 1024;

/** Work between two pauses: the number of actions searched, and the characters of descriptions and schemas. */
const searchedAtOnce = 250;
const charactersAtOnce = 256 * 1024;

/** Resolves after other work that was ready has run. */
export type Pause = () => Promise<void>;

/**
 * One page of actions, in their order. It has at least one item while any is left, however large.
 *
 * @param query identifies the list; a cursor is valid for this list only
 * @param request.search words that the name, path or description must contain, in either case
 * @throws ProcedoError `invalid_cursor`
 */
export async function pageOfActions(
  actions: ReadonlyMap<string, Action>,
  query: CursorQuery,
  { search = "", limit, cursor }: { readonly search?: string } & PageRequest,
  pause: Pause,
  maxCharacters = maxPageCharacters,
): Promise<Page<Action>> {
  const list: CursorQuery = ["actions", ...query, search];
  const [from] = decodeCursor(list, cursor, ["number"]) ?? [0];
  const found = await foundActions(actions, search, pause);
  const items: Action[] = [];
  let characters = 0;
  let slice = 0;
  for (const action of found.slice(from, from + limit)) {
    const size = sizeOf(action);
    characters += size;
    if (items.length > 0 && characters > maxCharacters) break;
    items.push(action);
    slice += size;
    if (slice < charactersAtOnce) continue;
    await pause();
    slice = 0;
  }
  const end = from + items.length;
  return { items, nextCursor: end < found.length ? encodeCursor(list, [end]) : undefined };
}

/** The first actions, as many as fit into one answer. */
export async function firstActions(actions: ReadonlyMap<string, Action>, pause: Pause): Promise<readonly Action[]> {
  return (await pageOfActions(actions, [], { limit: actions.size }, pause, maxPreviewCharacters)).items;
}

/** The actions whose name, path or description contains each word of the search, in either case. */
export async function foundActions(
  actions: ReadonlyMap<string, Action>,
  search: string,
  pause: Pause,
): Promise<readonly Action[]> {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  return words.length === 0 ? [...actions.values()] : await holding(actions, words, pause);
}

async function holding(
  actions: ReadonlyMap<string, Action>,
  words: readonly string[],
  pause: Pause,
): Promise<readonly Action[]> {
  const found: Action[] = [];
  let looked = 0;
  for (const action of actions.values()) {
    if (holds(action, words)) found.push(action);
    looked += 1;
    if (looked % searchedAtOnce === 0) await pause();
  }
  return found;
}

function holds({ name, description, operation }: Action, words: readonly string[]): boolean {
  const text = `${name}\n${operation?.path ?? ""}\n${description}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

function sizeOf({ description, input, output }: Action): number {
  return description.length + JSON.stringify(input).length + (output === undefined ? 0 : JSON.stringify(output).length);
}
