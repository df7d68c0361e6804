import type { JsonObject, JsonValue } from "@procedo/contract";
import type { ApiDocument } from "../document/api-document.ts";
import { isError } from "../problem-list.ts";
import { isObject, own } from "../schema/json-object.ts";
import { lostReferenceOf } from "../schema/lost-schema.ts";
import type { References } from "../schema/references.ts";
import { createSchemaTranslator } from "../schema/schema-translator.ts";
import type { ReadingRoom } from "./reading-room.ts";

/** Outputs serve checks when a procedure is published; of what nests deep, the upper part does that. */
const maxOutputValues = 2_000;

/** JSON Schema of an answer; `undefined`: not known. Made when it is asked for first. */
export type Output = () => JsonObject | undefined;

/**
 * Schemas of answers. They are most of what a document holds, and of a thousand actions a procedure names a few: until one is
 * asked for, nothing is translated.
 */
export interface Outputs {
  /** What the schema at `pointer` becomes. */
  of(schema: JsonValue, pointer: string): Output;
}

export function createOutputs(
  document: Pick<ApiDocument, "dialect">,
  references: References,
  room: ReadingRoom,
): Outputs {
  const translator = createSchemaTranslator(document, references, "response");
  /** What operations share is made once, by the reference or the place. */
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
