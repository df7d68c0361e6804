import type { CursorPosition, CursorQuery, Page, PageRequest } from "@procedo/storage";
import { cutPage, decodeCursor } from "@procedo/storage";

/**
 * Reads one page, with one extra row to know whether another page follows.
 *
 * @param rowsAfter reads up to `count` rows after the position; `undefined` means from the beginning
 */
export async function pageOf<const Shape extends readonly ("string" | "number")[], Row extends object, T>(
  request: PageRequest & {
    readonly query: CursorQuery;
    readonly shape: Shape;
    readonly rowsAfter: (position: CursorPosition<Shape> | undefined, count: number) => Promise<readonly Row[]>;
    readonly positionOf: (row: Row) => CursorPosition<Shape>;
    readonly itemOf: (row: Row) => T;
  },
): Promise<Page<T>> {
  const { query, shape, limit, cursor } = request;
  const found = await request.rowsAfter(decodeCursor(query, cursor, shape), limit + 1);
  return cutPage(found, request);
}
