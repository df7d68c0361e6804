import type { ErrorObject } from "ajv";
import type { ErrorDetail, JsonObject, JsonValue } from "@procedo/contract";
import { draftOf, referenceKeyword } from "./ajv-drafts.ts";
import { schemaLimitProblems } from "./schema-limits.ts";
import { allSchemas, isObject } from "./schema-walk.ts";

export interface SchemaOptions {
  /**
   * What a `pattern` does that no linear-time engine can match (look-ahead, back-references): `refuse` keeps the schema
   * from compiling; `ignore` lets every text pass, for schemas that somebody else wrote and checks again.
   *
   * @defaultValue "refuse"
   */
  readonly unsupportedPatterns?: "refuse" | "ignore";
}

/** A schema ready to check values: fast for those that fit, thorough for those that do not. */
export interface Validation {
  /**
   * The violations as ajv reports them; none when the value fits. Only the first where the value is so large, or takes so
   * long, that all would be too much. `too_costly`: it nests too deeply, or takes too many steps, to be told at all.
   */
  check(value: JsonValue): readonly ErrorObject[] | "too_costly";
}

export type ValidationResult =
  | { readonly ok: true; readonly validation: Validation }
  | { readonly ok: false; readonly problems: readonly ErrorDetail[] };

const fits: readonly ErrorObject[] = [];

/** Values above this count are reported with their first violation only. */
const maxThoroughValues = 10_000;
/**
 * How many references one check may follow. Alternatives that refer to themselves double the work at each level of the
 * value: a schema of ten lines and a value of forty levels would take for ever.
 */
const maxReferences = 1_000_000;

/**
 * Makes a validation from a schema of either draft (2020-12, or 07 where it says or looks so). Each schema has an ajv of
 * its own: `$id`s of two schemas never meet, and a schema that nobody uses any more is garbage.
 */
export function compileValidation(schema: JsonObject, options: SchemaOptions = {}): ValidationResult {
  const patterns = options.unsupportedPatterns ?? "refuse";
  const limits = schemaLimitProblems(schema, patterns);
  if (limits.length > 0) return { ok: false, problems: limits };
  const draft = draftOf(schema);
  if (!draft.ok) return draft;
  let referencesLeft = 0;
  const onReference = () => {
    referencesLeft -= 1;
    if (referencesLeft < 0) throw new RangeError(`One check followed more than ${maxReferences} references.`);
  };
  const compile = (allErrors: boolean) => {
    const validate = draft.instance({ patterns, allErrors, onReference }).compile(withReferencesCounted(schema));
    return (value: JsonValue): readonly ErrorObject[] | "too_costly" => {
      referencesLeft = maxReferences;
      try {
        return validate(value) ? fits : (validate.errors ?? fits);
      } catch (cause) {
        // The stack's end is a RangeError too.
        if (cause instanceof RangeError) return "too_costly";
        throw cause;
      }
    };
  };
  try {
    const quick = compile(false);
    let thorough: typeof quick | undefined;
    return {
      ok: true,
      validation: {
        check(value) {
          const first = quick(value);
          if (first === "too_costly" || first.length === 0 || isLarge(value)) return first;
          thorough ??= compile(true);
          const all = thorough(value);
          return all === "too_costly" ? first : all;
        },
      },
    };
  } catch (cause) {
    return { ok: false, problems: [{ path: "", message: explain(cause) }] };
  }
}

function withReferencesCounted(schema: JsonObject): JsonObject {
  const counted = structuredClone(schema);
  for (const { schema: at } of allSchemas(counted)) {
    if (at["$ref"] === undefined && at["$dynamicRef"] === undefined) continue;
    Object.assign(at, { [referenceKeyword]: true });
  }
  return counted;
}

function isLarge(value: JsonValue): boolean {
  let left = maxThoroughValues;
  const open: JsonValue[] = [value];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    left -= 1;
    if (Array.isArray(at)) {
      if (at.length > left) return true;
      for (const item of at as readonly JsonValue[]) open.push(item);
    } else if (isObject(at)) {
      for (const item of Object.values(at)) open.push(item);
    }
    if (open.length > left) return true;
  }
  return false;
}

function explain(cause: unknown): string {
  if (cause instanceof RangeError) return "has too many properties or references to be compiled; make it smaller.";
  const message = cause instanceof Error ? cause.message : "it cannot be compiled";
  const missing = /^can't resolve reference (\S+) from id/.exec(message);
  if (missing !== null) {
    return `$ref "${missing[1]}" leads to nothing within this schema; put what it names under $defs.`;
  }
  return `is not a schema that can be used: ${message}.`;
}
