import type { ErrorDetail, JsonObject } from "@procedo/contract";
import { compileValidation, type SchemaOptions } from "./validation.ts";
import { outOfBounds } from "../json-bounds.ts";
import { schemaBounds } from "./schema-limits.ts";
import type { SchemaValidator } from "./schema-validator.ts";
import { violationOf } from "./violation.ts";

export type { SchemaOptions } from "./validation.ts";

export type SchemaResult =
  | { readonly ok: true; readonly validator: SchemaValidator }
  | { readonly ok: false; readonly problems: readonly ErrorDetail[] };

/** Compiles a schema; {@link createSchemaCompiler} makes one that remembers. */
export type SchemaCompiler = (schema: JsonObject, options?: SchemaOptions) => SchemaResult;

const fits: readonly ErrorDetail[] = [];
const tooCostly: readonly ErrorDetail[] = [
  { path: "", message: "nests too deeply, or takes too many steps, to be checked; make it smaller." },
];
/** A caller who got this much wrong reads the first hundred. */
const maxViolations = 100;

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
        if (violations === "too_costly") return tooCostly;
        if (violations.length === 0) return fits;
        return distinct(violations.map(violationOf)).slice(0, maxViolations);
      },
    },
  };
}

/**
 * A compiler that keeps the last `maxSchemas` results by the schema's text, so that versions, actions and nodes which
 * share a schema share its validator.
 *
 * @param maxSchemas - how many results are kept; `@defaultValue 1000`
 */
export function createSchemaCompiler(maxSchemas = 1_000): SchemaCompiler {
  const known = new Map<string, SchemaResult>();
  return (schema, options = {}) => {
    if (outOfBounds(schema, schemaBounds) !== undefined) return compileSchema(schema, options);
    const key = `${options.unsupportedPatterns ?? "refuse"} ${JSON.stringify(schema)}`;
    const result = known.get(key) ?? compileSchema(schema, options);
    known.delete(key);
    known.set(key, result);
    if (known.size > maxSchemas) {
      const [oldest] = known.keys();
      if (oldest !== undefined) known.delete(oldest);
    }
    return result;
  };
}

/** Alternatives of a schema often complain of the same thing at the same place. */
function distinct(details: readonly ErrorDetail[]): readonly ErrorDetail[] {
  const seen = new Set<string>();
  return details.filter(({ path, message }) => {
    const key = `${path}\n${message}`;
    return !seen.has(key) && seen.add(key);
  });
}
