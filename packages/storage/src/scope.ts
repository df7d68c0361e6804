import type { Environment } from "@procedo/contract";

/** The owner of a row. It is a parameter of every method, not a filter that a caller could forget. */
export interface Scope {
  /** The workspace: the data of one engine or of several that share them. */
  readonly workspace: string;
  /** `sandbox` or `live`. */
  readonly environment: Environment;
}

/** One page of a list. */
export interface Page<T> {
  /** The items of the page. */
  readonly items: readonly T[];
  /** Opaque; pass it to the next call. `undefined` on the last page. */
  readonly nextCursor: string | undefined;
}

/** The part of a list to read. */
export interface PageRequest {
  /** 1 to 1000 */
  readonly limit: number;
  /** The `nextCursor` of the page before. @defaultValue the first page */
  readonly cursor?: string;
}
