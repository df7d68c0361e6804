import * as z from "zod";

/** A JSON Schema in an OpenAPI document. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Converts zod schemas to JSON Schemas of one OpenAPI document. Schemas with an id become its components. */
export interface JsonSchemas {
  /** @param io - `input` for requests, `output` for answers, in which defaults are filled in */
  of(schema: z.ZodType, io: "input" | "output"): JsonSchema;
  /** Every schema with an id that was converted so far, by its id. */
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

/** Replaces references to zod's own definitions with references to the document's components. */
function toComponents(schema: unknown): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll(`"${definitions}`, '"#/components/schemas/')) as JsonSchema;
}

/** Removes `id`: the component's key is its name already, and `id` has had other meanings as a keyword. */
function withoutId({ id: _id, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
