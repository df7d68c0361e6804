/** Converts a query's page parameters for the engine. */
export function pageRequest({ limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined }): {
  readonly limit: number;
  readonly cursor?: string;
} {
  return cursor === undefined ? { limit } : { limit, cursor };
}

/** Converts a page to its form in answers. */
export function pageAnswer<Item>(
  { nextCursor }: { readonly nextCursor: string | undefined },
  data: Item[],
): { data: Item[]; nextCursor?: string } {
  return nextCursor === undefined ? { data } : { data, nextCursor };
}
