import { type JsonObject, ProcedoError } from "@procedo/contract";
import * as z from "zod";
import type * as z3 from "zod/v3";
import { ignoreOverride, zodToJsonSchema } from "zod-to-json-schema";
import { type InputSchema, isZod4 } from "./input-schema.ts";

/**
 * The JSON Schema of the input that callers send, with the descriptions and defaults of its fields: 2020-12 from zod 4,
 * draft 07 from zod 3.
 *
 * @throws ProcedoError `invalid_configuration` for a schema that JSON Schema cannot describe, or that is not an object
 */
export function declareInput(functionName: string, schema: InputSchema): JsonObject {
  const declared = convert(functionName, schema);
  const { type } = declared;
  if (type !== undefined && type !== "object") {
    throw refused(functionName, `is ${JSON.stringify(type)}, but the input must be an object: write z.object({ … }).`);
  }
  return { ...declared, type: "object" };
}

function convert(functionName: string, schema: InputSchema): JsonObject {
  try {
    const converted = isZod4(schema) ? fromZod4(schema) : fromZod3(schema);
    // Converts through text, so that the service receives exactly this declaration.
    return JSON.parse(JSON.stringify(converted)) as JsonObject;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw refused(functionName, `cannot be described as JSON Schema: ${reason}.`, cause);
  }
}

function fromZod4(schema: InputSchema): object {
  // The schema may come from another copy of zod 4, whose types differ only in the version number.
  const root = schema as unknown as z.core.$ZodType;
  return z.toJSONSchema(root, {
    io: "input",
    override: ({ zodSchema, jsonSchema }) => {
      // Each copy of zod keeps descriptions in its own registry, but its schemas expose them.
      const { description } = zodSchema as { readonly description?: unknown };
      if (typeof description === "string") jsonSchema.description ??= description;
      const { def } = zodSchema._zod;
      // Handlers receive only declared inputs. Nested objects stay open, because they may be parts of an intersection.
      if (zodSchema === root && def.type === "object" && !("catchall" in def && def.catchall !== undefined)) {
        jsonSchema.additionalProperties = false;
      }
    },
  });
}

/** Types that JSON cannot represent. zod-to-json-schema would declare a different type for them. */
const notInJson: ReadonlySet<string> = new Set([
  ...["ZodDate", "ZodBigInt", "ZodMap", "ZodSet", "ZodSymbol", "ZodFunction", "ZodPromise", "ZodUndefined", "ZodVoid"],
  "ZodNaN",
]);

function fromZod3(schema: InputSchema): object {
  return zodToJsonSchema(schema as unknown as z3.ZodType<unknown>, {
    effectStrategy: "input",
    pipeStrategy: "input",
    override: (def) => {
      const { typeName, coerce } = def as { readonly typeName?: string; readonly coerce?: boolean };
      if (typeName !== undefined && notInJson.has(typeName) && coerce !== true) {
        throw new Error(`${typeName.slice("Zod".length)} cannot be represented in JSON Schema`);
      }
      return ignoreOverride;
    },
  });
}

const refused = (functionName: string, problem: string, cause?: unknown): ProcedoError =>
  new ProcedoError("invalid_configuration", `The input of function "${functionName}" ${problem}`, { cause });
