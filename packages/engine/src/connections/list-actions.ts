import { decodeCursor, encodeCursor, type CursorQuery, type Page, type PageRequest } from "@procedo/storage";
import type { Action } from "../integrations/integration.ts";

/** A page ends early where its schemas grow larger than this. */
const maxPageCharacters = 4 * 1024 * 1024;
const maxPreviewCharacters = 16 * 1024 * 1024;

/**
 * One page of actions, in their order. Never without an item while there is one, however large it is.
 *
 * @param query what the list is of: a cursor goes with it
 * @param request.search words that name, path or description hold, in any letters
 * @throws ProcedoError `invalid_cursor`
 */
export function pageOfActions(
  actions: ReadonlyMap<string, Action>,
  query: CursorQuery,
  { search = "", limit, cursor }: { readonly search?: string } & PageRequest,
  maxCharacters = maxPageCharacters,
): Page<Action> {
  const list: CursorQuery = ["actions", ...query, search];
  const [from] = decodeCursor(list, cursor, ["number"]) ?? [0];
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const found = [...actions.values()].filter((action) => holds(action, words));
  const items: Action[] = [];
  let characters = 0;
  for (const action of found.slice(from, from + limit)) {
    characters += sizeOf(action);
    if (items.length > 0 && characters > maxCharacters) break;
    items.push(action);
  }
  const end = from + items.length;
  return { items, nextCursor: end < found.length ? encodeCursor(list, [end]) : undefined };
}

/** As many of the first as fit into one answer. */
export function firstActions(actions: ReadonlyMap<string, Action>): readonly Action[] {
  return pageOfActions(actions, [], { limit: actions.size }, maxPreviewCharacters).items;
}

function holds({ name, description, operation }: Action, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = `${name}\n${operation?.path ?? ""}\n${description}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

function sizeOf({ description, input, output }: Action): number {
  return description.length + JSON.stringify(input).length + (output === undefined ? 0 : JSON.stringify(output).length);
}
