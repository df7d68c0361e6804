import { _, Ajv, type ErrorObject, type Options } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { ErrorDetail, JsonObject, JsonValue } from "@procedo/contract";
import { isExactMultiple } from "./exact-multiple.ts";
import { compileLinearPattern } from "./linear-pattern.ts";
import { schemaLimitProblems } from "./schema-limits.ts";
import { isObject } from "./schema-walk.ts";
import { violationOf } from "./violation.ts";

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
  fits(value: JsonValue): boolean;
  /** Every violation as ajv reports it, or the first one only where the value is so large that all would not fit in memory. */
  violations(value: JsonValue): readonly ErrorObject[];
}

export type ValidationResult =
  | { readonly ok: true; readonly validation: Validation }
  | { readonly ok: false; readonly problems: readonly ErrorDetail[] };

/** Values above this count are reported with their first violation only. */
const maxThoroughValues = 10_000;

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
  try {
    const fits = draft.instance({ patterns, allErrors: false }).compile(schema);
    let thorough: typeof fits | undefined;
    return {
      ok: true,
      validation: {
        fits: (value) => fits(value),
        violations(value) {
          if (isLarge(value)) return fits(value) ? [] : (fits.errors ?? []);
          thorough ??= draft.instance({ patterns, allErrors: true }).compile(schema);
          return thorough(value) ? [] : (thorough.errors ?? []);
        },
      },
    };
  } catch (cause) {
    return { ok: false, problems: [{ path: "", message: explain(cause) }] };
  }
}

interface InstanceOptions {
  readonly patterns: "refuse" | "ignore";
  readonly allErrors: boolean;
}

type Draft = { readonly ok: true; readonly instance: (options: InstanceOptions) => Ajv };

const draft2020: Draft = { ok: true, instance: (options) => prepared(new Ajv2020(ajvOptions(options))) };
const draft07: Draft = { ok: true, instance: (options) => prepared(new Ajv(ajvOptions(options))) };

function draftOf(schema: JsonObject): Draft | { readonly ok: false; readonly problems: readonly ErrorDetail[] } {
  const named = schema["$schema"];
  const older = typeof named === "string" && /\/draft-0[3-7]\//.test(named);
  const first = metaschemaProblems(schema, older ? "07" : "2020");
  if (first.length === 0) return older ? draft07 : draft2020;
  // Tuples as an `items` list and the like: written for draft 07 without saying so.
  if (!older && metaschemaProblems(schema, "07").length === 0) return draft07;
  return { ok: false, problems: first };
}

type MetaValidator = (schema: JsonObject) => readonly ErrorDetail[];
let metaValidators: { readonly "07": MetaValidator; readonly "2020": MetaValidator } | undefined;

/** The metaschemas compile once for the process, on first use: it takes about 30 ms and they never change. */
function metaschemaProblems(schema: JsonObject, draft: "07" | "2020"): readonly ErrorDetail[] {
  metaValidators ??= {
    "07": metaValidator(new Ajv(metaOptions), "http://json-schema.org/draft-07/schema"),
    "2020": metaValidator(new Ajv2020(metaOptions), "https://json-schema.org/draft/2020-12/schema"),
  };
  return metaValidators[draft](schema);
}

const metaOptions: Options = {
  strict: false,
  logger: false,
  allErrors: true,
  formats: { "uri-reference": true, uri: true, regex: true },
};

function metaValidator(ajv: Ajv, id: string): MetaValidator {
  const validate = ajv.getSchema(id);
  return (schema) => (validate === undefined || validate(schema) ? [] : (validate.errors ?? []).map(violationOf));
}

function ajvOptions({ patterns, allErrors }: InstanceOptions): Options {
  return {
    strict: false,
    strictNumbers: true,
    logger: false,
    meta: false,
    validateSchema: false,
    allErrors,
    // Fields that a value merely inherits (`constructor`) are not there.
    ownProperties: true,
    // One function for each reference: the code stays as small as the schema.
    inlineRefs: false,
    // Optimizing takes time quadratic in the schema and makes nothing measurably faster.
    code: { regExp: linearRegExp(patterns), optimize: false },
  };
}

function prepared(ajv: Ajv): Ajv {
  addFormats.default(ajv);
  // The library's own "url" takes quadratic time; "uri" means what people want of it.
  const uri = ajv.formats["uri"];
  if (uri !== undefined) ajv.addFormat("url", uri);
  ajv.removeKeyword("multipleOf");
  ajv.addKeyword({
    keyword: "multipleOf",
    type: "number",
    schemaType: "number",
    compile: (factor: number) => (value: number) => isExactMultiple(value, factor),
    error: { params: ({ schemaCode }) => _`{ multipleOf: ${schemaCode} }`, message: "must be a multiple" },
  });
  return ajv;
}

function linearRegExp(patterns: "refuse" | "ignore") {
  const engine = (source: string, flags: string) => {
    const compiled = compileLinearPattern(source);
    if (!compiled.ok && patterns === "refuse") throw new Error(`pattern ${source} ${compiled.message}`);
    return {
      test: compiled.ok ? compiled.test : () => true,
      // ajv tells patterns apart by their text.
      toString: () => `/${source}/${flags}`,
    };
  };
  return Object.assign(engine, { code: "linearRegExp" });
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
