import type { ErrorDetail, JsonObject } from "@procedo/contract";
import type { ErrorObject } from "ajv";
import { maxCheckSteps, maxViolationsFound } from "./check-budget.ts";
import { compileValidation, type SchemaOptions, type Unchecked } from "./validation.ts";
import { outOfBounds } from "../json-bounds.ts";
import { schemaBounds } from "./schema-limits.ts";
import type { SchemaValidator } from "./schema-validator.ts";
import { violationOf } from "./violation.ts";

export type { SchemaOptions } from "./validation.ts";

/** For a schema that was published: rules that came later keep it from nothing. */
export const asPublished: SchemaOptions = { unsupportedPatterns: "ignore", misjudgedKeywords: "keep" };

/** The outcome of compiling a schema. */
export type SchemaResult =
  | { readonly ok: true; readonly validator: SchemaValidator }
  | { readonly ok: false; readonly problems: readonly ErrorDetail[] };

/** Compiles a schema; {@link createSchemaCompiler} makes one that remembers. */
export type SchemaCompiler = (schema: JsonObject, options?: SchemaOptions) => SchemaResult;

const fits: readonly ErrorDetail[] = [];
const unchecked: Readonly<Record<Unchecked, readonly ErrorDetail[]>> = {
  too_costly: [
    {
      path: "",
      message: `takes more than the ${maxCheckSteps} steps that checking a value by its schema may take; make it smaller, or the schema simpler.`,
    },
  ],
  too_many: [
    {
      path: "",
      message: `has more than ${maxViolationsFound} violations of its schema, those of alternatives that do not fit among them; make it smaller.`,
    },
  ],
  too_deep: [{ path: "", message: "nests too deeply to be checked by its schema; make it flatter." }],
  unsupported: [
    {
      path: "",
      message:
        "cannot be checked: its schema has unevaluatedProperties or unevaluatedItems with alternatives that are not supported; use additionalProperties or items in each alternative.",
    },
  ],
};
/** A caller who got this much wrong reads the first hundred. */
const maxViolations = 100;
/** Long names of a value stand in the path of each violation below them. */
const maxViolationCharacters = 1024 * 1024;

/**
 * Compiles a JSON Schema (2020-12 or draft 07; formats checked, unknown keywords ignored) into a validator.
 *
 * A `$ref` stays within the schema, `pattern` runs in linear time, `multipleOf` is exact in decimals, 1.0 is an integer.
 * The schema may have up to 10,000 values, 64 levels deep. The validator is made as code, so a page that calls this needs
 * a content security policy with `unsafe-eval`; the interpreter needs none.
 */
export function compileSchema(schema: JsonObject, options: SchemaOptions = {}): SchemaResult {
  const compiled = compileValidation(schema, options);
  if (!compiled.ok) return compiled;
  const { validation } = compiled;
  return {
    ok: true,
    validator: {
      schema,
      validate(value) {
        const violations = validation.check(value);
        if (typeof violations === "string") return unchecked[violations];
        if (violations.length === 0) return fits;
        return reported(violations);
      },
    },
  };
}

/**
 * A compiler that keeps the last `maxSchemas` results by the schema's text, so that versions, actions and nodes which
 * share a schema share its validator. Of very large schemas it keeps fewer: all texts together have 4 Mi characters at most.
 *
 * @param maxSchemas - how many results are kept; `@defaultValue 1000`
 */
export function createSchemaCompiler(maxSchemas = 1_000): SchemaCompiler {
  const known = new Map<string, SchemaResult>();
  let characters = 0;
  const forget = (key: string): void => {
    if (known.delete(key)) characters -= key.length;
  };
  return (schema, options = {}) => {
    if (outOfBounds(schema, schemaBounds) !== undefined) return compileSchema(schema, options);
    const { unsupportedPatterns = "refuse", misjudgedKeywords = "refuse" } = options;
    const key = `${unsupportedPatterns} ${misjudgedKeywords} ${JSON.stringify(schema)}`;
    const result = known.get(key) ?? compileSchema(schema, options);
    forget(key);
    if (key.length > maxKeptCharacters) return result;
    known.set(key, result);
    characters += key.length;
    for (const oldest of known.keys()) {
      if (known.size <= maxSchemas && characters <= maxKeptCharacters) break;
      forget(oldest);
    }
    return result;
  };
}

/** A validator takes 10 to 20 times the memory of its schema's text. */
const maxKeptCharacters = 4 * 1024 * 1024;

/** The first hundred. Alternatives of a schema often complain of the same thing at the same place. */
function reported(errors: readonly ErrorObject[]): readonly ErrorDetail[] {
  const seen = new Map<string, ErrorDetail>();
  let characters = 0;
  for (const error of errors) {
    const detail = violationOf(error);
    const key = `${detail.path}\n${detail.message}`;
    characters += key.length;
    if (seen.size > 0 && characters > maxViolationCharacters) break;
    if (!seen.has(key)) seen.set(key, detail);
    if (seen.size === maxViolations) break;
  }
  return [...seen.values()];
}
