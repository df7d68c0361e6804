import type { JsonObject } from "@procedo/contract";
import type { SchemaCompiler } from "../schemas/compile-schema.ts";

/** What an action takes and gives, as its connection describes it. */
export interface ActionShape {
  /** JSON Schema of the arguments. */
  readonly input: JsonObject;
  /** JSON Schema of the output; left out where it is not known. */
  readonly output?: JsonObject;
}

/** What surrounds a document when it is published: what the workspace has beside it. */
export interface CompileSurroundings {
  /** Whether a language model is configured; without one, `instructions` and `question` are refused. */
  readonly model: boolean;
  action(connection: string, action: string): ActionShape | "unknown_connection" | "unknown_action";
  /**
   * How grave it is that a connection, or an action of it, does not exist: an error where the version becomes the
   * default, a warning where it is only kept.
   */
  readonly connectionMissing: "error" | "warning";
  /** @defaultValue a compiler that remembers the schemas of this document only */
  readonly compileSchema?: SchemaCompiler;
}
