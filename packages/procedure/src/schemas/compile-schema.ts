import type { ErrorDetail, JsonObject } from "@procedo/contract";
import { LruCache } from "@procedo/contract/syntax";
import type { ErrorObject } from "ajv";
import { maxCheckSteps, maxViolationsFound } from "./check-budget.ts";
import { compileValidation, type SchemaOptions, type Unchecked } from "./validation.ts";
import { outOfBounds } from "../json-bounds.ts";
import { schemaBounds } from "./schema-limits.ts";
import type { SchemaValidator } from "./schema-validator.ts";
import { violationOf, type Violation } from "./violation.ts";

export type { SchemaOptions } from "./validation.ts";

/** Options for a published schema: newer rules do not apply to it. */
export const asPublished: SchemaOptions = { unsupportedPatterns: "ignore", misjudgedKeywords: "keep" };

/** The outcome of compiling a schema. */
export type SchemaResult =
  | {
      readonly ok: true;
      /** The schema, ready to validate. */
      readonly validator: SchemaValidator;
    }
  | {
      readonly ok: false;
      /** The faults of the schema. */
      readonly problems: readonly ErrorDetail[];
    };

/** Compiles a schema; {@link createSchemaCompiler} creates one with a cache. */
export type SchemaCompiler = (schema: JsonObject, options?: SchemaOptions) => SchemaResult;

const fits: readonly ErrorDetail[] = [];
const unchecked: Readonly<Record<Unchecked, readonly ErrorDetail[]>> = {
  too_costly: [
    {
      path: "",
      message: `takes more than ${maxCheckSteps} steps to check by its schema; make it smaller, or the schema simpler.`,
    },
  ],
  too_many: [
    {
      path: "",
      message: `has more than ${maxViolationsFound} violations of its schema, including those of its alternatives; make it smaller.`,
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
/** Maximum number of reported violations. */
const maxViolations = 100;
/** Maximum size of the reported paths: a long name in a value is part of the path of each violation below it. */
const maxViolationCharacters = 1024 * 1024;

/**
 * Compiles a JSON Schema (2020-12 or draft 07; formats checked, unknown keywords ignored) into a validator.
 *
 * A `$ref` stays within the schema, `pattern` runs in linear time, `multipleOf` is exact in decimals, and 1.0 is an
 * integer. The schema may have up to 10,000 values, 64 levels deep. The validator is generated code, so a page that
 * calls this needs a content security policy with `unsafe-eval`; the interpreter does not.
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
 * A compiler that caches the last results by the schema's text, so that versions, actions and nodes with the same
 * schema share its validator. The cache holds up to 1,024 results, and their texts have at most 4 Mi characters
 * together, so that fewer large schemas are cached.
 */
export function createSchemaCompiler(): SchemaCompiler {
  const known = new LruCache<string, SchemaResult>(maxKeptCharacters, (_result, key) =>
    Math.max(key.length, leastCharacters),
  );
  return (schema, options = {}) => {
    if (outOfBounds(schema, schemaBounds) !== undefined) return compileSchema(schema, options);
    const { unsupportedPatterns = "refuse", misjudgedKeywords = "refuse" } = options;
    const key = `${unsupportedPatterns} ${misjudgedKeywords} ${JSON.stringify(schema)}`;
    const cached = known.get(key);
    if (cached !== undefined) return cached;
    const result = compileSchema(schema, options);
    if (key.length <= maxKeptCharacters) known.set(key, result);
    return result;
  };
}

/** A validator takes 10 to 20 times the memory of its schema's text. */
const maxKeptCharacters = 4 * 1024 * 1024;
/** Minimum size counted for a cached schema. */
const leastCharacters = 4 * 1024;

/**
 * The first hundred distinct violations. Alternatives of a schema often report the same violation at the same place.
 */
function reported(errors: readonly ErrorObject[]): readonly Violation[] {
  const seen = new Map<string, Violation>();
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
