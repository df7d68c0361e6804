import type { JsonObject } from "@procedo/contract";
import type { ImportProblem } from "../imported-api.ts";

/** A document that was read. What it holds is nobody's word yet: only its size, its depth and its kind are known. */
export interface ApiDocument {
  readonly dialect: "openapi-3.0" | "swagger-2.0";
  /** As `JSON.parse` gives it: a member called `__proto__` is one of its own, and must never be copied by assignment. */
  readonly root: JsonObject;
  /** Line and column of what a JSON pointer names, or of the deepest part of it that exists. */
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
