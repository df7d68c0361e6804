import type { Environment } from "@procedo/contract";

/** Who a row belongs to: part of every method's parameters, never a filter that a caller may forget. */
export interface Scope {
  readonly workspace: string;
  readonly environment: Environment;
}

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Opaque; hand it to the next call. `undefined` on the last page. */
  readonly nextCursor: string | undefined;
}

/** How much of a list to read, and from where. */
export interface PageRequest {
  /** 1 to 1000 */
  readonly limit: number;
  readonly cursor?: string;
}
