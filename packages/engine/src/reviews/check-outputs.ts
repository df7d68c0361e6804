import type { ErrorDetail, JsonObject } from "@procedo/contract";
import { asPublished, createSchemaCompiler } from "@procedo/procedure";

/** Checks a reviewer's outputs against the review's JSON Schema; returns the violations. */
export type CheckOutputs = (schema: JsonObject, outputs: JsonObject) => readonly ErrorDetail[];

export function createOutputsCheck(): CheckOutputs {
  const compileSchema = createSchemaCompiler();
  return (schema, outputs) => {
    const compiled = compileSchema(schema, asPublished);
    if (compiled.ok) return compiled.validator.validate(outputs);
    return [{ path: "", message: "cannot be checked: the review's own schema does not compile" }];
  };
}
