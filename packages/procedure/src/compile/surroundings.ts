import type { JsonObject } from "@procedo/contract";
import type { SchemaCompiler } from "../schemas/compile-schema.ts";

/** The input and output of an action, as described by its connection. */
export interface ActionShape {
  /** JSON Schema of the arguments. */
  readonly input: JsonObject;
  /** JSON Schema of the output; absent if it is unknown. */
  readonly output?: JsonObject;
  /** Whether its author advises against using it. @defaultValue false */
  readonly deprecated?: boolean;
  /** The current name, if the document uses a former one. */
  readonly renamedTo?: string;
}

/** The reason why an action was not found, with the names that may be meant. */
export type MissingAction =
  | { readonly missing: "connection"; /** Names of connections. */ readonly known: readonly string[] }
  /** `known` are the names of the connection's actions; empty if it has none yet. */
  | { readonly missing: "action"; readonly known: readonly string[] };

/** The parts of the workspace that a document is checked against when it is published. */
export interface CompileSurroundings {
  /**
   * Whether a language model is configured, in general or per purpose. Without one for `arguments`, a node's
   * `instructions` are refused; without one for `questions`, its `question` is.
   */
  readonly model:
    | boolean
    | {
        /** Whether a model proposes the arguments of calls. */
        readonly arguments: boolean;
        /** Whether a model answers questions. */
        readonly questions: boolean;
      };
  /** The input and output of an action, by the names of its connection and its own. */
  action(connection: string, action: string): ActionShape | MissingAction;
  /**
   * The severity of a missing connection or action: an error if the version becomes the default, a warning if it is
   * only stored.
   */
  readonly connectionMissing: "error" | "warning";
  /** Compiles JSON Schemas. @defaultValue a compiler that caches the schemas of this document only */
  readonly compileSchema?: SchemaCompiler;
}
