import type { JsonObject, JsonValue } from "@procedo/contract";
import type { ApiDocument } from "../document/api-document.ts";
import { isError } from "../problem-list.ts";
import { isObject, own } from "../schema/json-object.ts";
import { lostReferenceOf } from "../schema/lost-schema.ts";
import type { References } from "../schema/references.ts";
import { createSchemaTranslator } from "../schema/schema-translator.ts";
import type { ReadingRoom } from "./reading-room.ts";

/** Outputs serve for checks when a procedure is published. The upper levels of a deep schema are sufficient. */
const maxOutputValues = 2_000;

/** JSON Schema of a response, translated on first use; `undefined` when unknown. */
export type Output = () => JsonObject | undefined;

/**
 * Schemas of responses, which make up most of a document. A procedure uses a few of a thousand actions, so each schema
 * is translated on demand.
 */
export interface Outputs {
  /** The output for the schema at `pointer`. */
  of(schema: JsonValue, pointer: string): Output;
}

export function createOutputs(
  document: Pick<ApiDocument, "dialect">,
  references: References,
  room: ReadingRoom,
): Outputs {
  const translator = createSchemaTranslator(document, references, "response");
  /** Operations with the same reference or place share one translation. */
  const made = new Map<string, { readonly output: JsonObject | undefined }>();

  function make(schema: JsonValue, pointer: string): JsonObject | undefined {
    const translated = translator.translate(schema, pointer);
    if (translated.problems.some(isError) || lostReferenceOf(translated.schema) !== undefined) return undefined;
    return room.keep(translator.assemble(translated.schema, room.boundsOf({ values: maxOutputValues })));
  }

  return {
    of(schema, pointer) {
      const ref = isObject(schema) ? own(schema, "$ref") : undefined;
      const key = typeof ref === "string" ? ref : pointer;
      return () => {
        const known = made.get(key) ?? { output: make(schema, pointer) };
        made.set(key, known);
        return known.output;
      };
    },
  };
}
