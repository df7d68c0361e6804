import type { CursorPosition, CursorQuery, Page, PageRequest } from "@procedo/storage";
import { cutPage, decodeCursor } from "@procedo/storage";

/**
 * One page: reads a row more than asked for to know whether another page follows.
 *
 * @param rowsAfter reads up to `count` rows that come after the position; `undefined`: from the beginning
 */
export async function pageOf<const Shape extends readonly ("string" | "number")[], Row, T>(
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
