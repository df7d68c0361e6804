import type { JsonObject } from "@procedo/contract";
import type { ImportProblem } from "../imported-api.ts";

/** A document that was read. Only its size, its depth and its kind have been checked; the rest is unverified input. */
export interface ApiDocument {
  readonly dialect: "openapi-3.0" | "swagger-2.0";
  /**
   * As returned by `JSON.parse`. A member named `__proto__` is an own property and must never be copied by assignment.
   */
  readonly root: JsonObject;
  /** Line and column of the value at a JSON pointer, or of its deepest existing ancestor. */
  locate(pointer: string): Position;
}

/** Both count from 1; a column counts UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export type ReadResult =
  | { readonly ok: true; readonly document: ApiDocument }
  | { readonly ok: false; readonly problems: readonly ImportProblem[] };
