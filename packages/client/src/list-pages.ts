import type { Page } from "@procedo/contract";

/** Every item of a list, a page at a time as they are asked for. */
export async function* itemsOf<Item>(
  readPage: (cursor: string | undefined) => Promise<Page<Item>>,
): AsyncGenerator<Item> {
  let cursor: string | undefined;
  do {
    const page = await readPage(cursor);
    yield* page.data;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}
