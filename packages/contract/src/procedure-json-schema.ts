import * as z from "zod";
import { procedureDocumentSchema } from "./document.ts";
import type { JsonObject } from "./json.ts";

/**
 * The JSON Schema (2020-12) of the procedure document, with titles and descriptions, so that editors complete and explain. The same text
 * is the file `@procedo/contract/procedure.schema.json`, and the service answers it at `GET /api/v1/procedure.schema.json`.
 *
 * It describes the shape. Validation checks everything that needs the whole document, its connections or its expressions.
 *
 * @example
 * ```ts
 * import { writeFileSync } from "node:fs";
 * import { jsonSchemaOfProcedure } from "@procedo/contract";
 *
 * writeFileSync("procedure.schema.json", JSON.stringify(jsonSchemaOfProcedure(), undefined, 2));
 * ```
 */
export function jsonSchemaOfProcedure(): JsonObject {
  const { $schema, $ref: _root, $defs = {} } = z.toJSONSchema(procedureDocumentSchema, { io: "input" });
  const { ProcedureDocument: root = {}, ...parts } = $defs;
  const definitions = Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, withoutId(part)]));
  return { $schema, ...withoutId(root), $defs: definitions } as JsonObject;
}

/** The name stands before the schema already; as a keyword, `id` has meant other things. */
function withoutId({ id: _id, ...schema }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return schema;
}
