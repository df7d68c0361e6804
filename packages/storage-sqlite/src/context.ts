import type { DatabaseSync } from "node:sqlite";
import type { Reader } from "./reader.ts";
import type { Scopes } from "./scopes.ts";
import type { Writer } from "./writer.ts";

/** The dependencies that all stores of a database share. */
export interface SqliteContext {
  readonly db: DatabaseSync;
  readonly now: () => number;
  readonly writer: Writer;
  readonly reader: Reader;
  readonly scopes: Scopes;
}
