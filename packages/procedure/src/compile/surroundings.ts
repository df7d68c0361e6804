import type { JsonObject } from "@procedo/contract";
import type { SchemaCompiler } from "../schemas/compile-schema.ts";

/** What an action takes and gives, as its connection describes it. */
export interface ActionShape {
  /** JSON Schema of the arguments. */
  readonly input: JsonObject;
  /** JSON Schema of the output; left out where it is not known. */
  readonly output?: JsonObject;
  /** Its author advises against using it. @defaultValue false */
  readonly deprecated?: boolean;
  /** Its name of today, where the document uses one that it had before. */
  readonly renamedTo?: string;
}

/** Why there is no such action, with the names that may be meant. */
export type MissingAction =
  | { readonly missing: "connection"; /** Names of connections. */ readonly known: readonly string[] }
  /** `known` are the names of the connection's actions; none where it has no action yet. */
  | { readonly missing: "action"; readonly known: readonly string[] };

/** What surrounds a document when it is published: what the workspace has beside it. */
export interface CompileSurroundings {
  /**
   * Whether a language model is configured, for everything or for each purpose: without one for `arguments`, `instructions`
   * are refused, and without one for `questions` a `question`.
   */
  readonly model: boolean | { readonly arguments: boolean; readonly questions: boolean };
  action(connection: string, action: string): ActionShape | MissingAction;
  /**
   * How grave it is that a connection, or an action of it, does not exist: an error where the version becomes the
   * default, a warning where it is only kept.
   */
  readonly connectionMissing: "error" | "warning";
  /** @defaultValue a compiler that remembers the schemas of this document only */
  readonly compileSchema?: SchemaCompiler;
}
