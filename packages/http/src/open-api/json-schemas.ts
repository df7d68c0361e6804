import * as z from "zod";

/** A JSON Schema in a document. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Turns zod schemas into JSON Schemas of one OpenAPI document, in which those with an id are components. */
export interface JsonSchemas {
  /** @param io - whether it describes what is sent to the service or what it answers: defaults are filled in between */
  of(schema: z.ZodType, io: "input" | "output"): JsonSchema;
  /** Every schema with an id that was asked for so far, by its id. */
  readonly components: Readonly<Record<string, JsonSchema>>;
}

const definitions = "#/$defs/";

export function createJsonSchemas(): JsonSchemas {
  const components: Record<string, JsonSchema> = {};

  const keep = (id: string, schema: JsonSchema): void => {
    const known = components[id];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`Two different schemas have the name ${id}. Requests and answers need separate names.`);
    }
    components[id] = schema;
  };

  return {
    components,
    of: (schema, io) => {
      const { $schema: _dialect, $defs = {}, ...root } = z.toJSONSchema(schema, { io });
      for (const [id, part] of Object.entries($defs)) keep(id, withoutId(toComponents(part)));
      return toComponents(root);
    },
  };
}

/** With references to the document's components, wherever zod refers to its own definitions. */
function toComponents(schema: unknown): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll(`"${definitions}`, '"#/components/schemas/')) as JsonSchema;
}

/** The name stands before the schema already; as a keyword, `id` has meant other things. */
function withoutId({ id: _id, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
