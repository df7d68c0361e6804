import type { JsonObject, JsonValue } from "@procedo/contract";
import { ActionError } from "@procedo/engine";
import type { ServiceRequest } from "./service-request.ts";

/** The form of a list's pages. All functions are pure. */
export interface ServicePages {
  /** The items of a page. */
  readonly items: (body: JsonValue) => readonly JsonValue[];
  /** The request for the page after this one; `undefined` after the last page. */
  readonly next: (body: JsonValue, sent: ServiceRequest) => ServiceRequest | undefined;
  /** The most pages that are read, from 1. @defaultValue 10 */
  readonly maxPages?: number;
  /** The most items that are read, from 1. @defaultValue 1000 */
  readonly maxItems?: number;
}

/** A list read from its first page, up to its bounds. */
export interface ReadPages extends JsonObject {
  /** The items of all pages that were read. */
  readonly items: readonly JsonValue[];
  /** Number of pages that were read. */
  readonly pages: number;
  /** Whether the list goes on. */
  readonly hasMore: boolean;
}

/** The most characters of all items as JSON, so that the output fits into a step's record. */
const maxCharacters = 4 * 1024 * 1024;

/** Reads a list until its end or one of its bounds. A page is kept as a whole, except at the bound of items. */
export async function readPages(
  { items: itemsOf, next, maxPages = 10, maxItems = 1_000 }: ServicePages,
  first: ServiceRequest,
  ask: (request: ServiceRequest) => Promise<JsonValue>,
): Promise<ReadPages> {
  const items: JsonValue[] = [];
  let characters = 0;
  let request: ServiceRequest | undefined = first;
  let pages = 0;
  for (; request !== undefined && pages < maxPages && items.length < maxItems; pages++) {
    const body: JsonValue = await ask(request);
    const page = itemsOf(body);
    characters += JSON.stringify(page).length;
    if (characters > maxCharacters && pages === 0) throw tooLarge();
    if (characters > maxCharacters) return { items, pages, hasMore: true };
    const room = maxItems - items.length;
    items.push(...page.slice(0, room));
    if (page.length > room) return { items, pages: pages + 1, hasMore: true };
    request = next(body, request);
  }
  return { items, pages, hasMore: request !== undefined };
}

function tooLarge(): ActionError {
  const message = "The first page of the list is larger than 4 MiB. Ask for fewer items in a page.";
  return new ActionError(message, { outcome: "refused" });
}
