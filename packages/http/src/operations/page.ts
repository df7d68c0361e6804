/** A list's page as the engine is asked for it. */
export function pageRequest({ limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined }): {
  readonly limit: number;
  readonly cursor?: string;
} {
  return cursor === undefined ? { limit } : { limit, cursor };
}

/** A page as it is answered. */
export function pageAnswer<Item>(
  { nextCursor }: { readonly nextCursor: string | undefined },
  data: Item[],
): { data: Item[]; nextCursor?: string } {
  return nextCursor === undefined ? { data } : { data, nextCursor };
}
