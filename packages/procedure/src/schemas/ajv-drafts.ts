import { _, Ajv, type Options } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { ErrorDetail, JsonObject } from "@procedo/contract";
import { isExactMultiple } from "./exact-multiple.ts";
import { compileLinearPattern } from "./linear-pattern.ts";
import { violationOf } from "./violation.ts";

/** Stands beside each `$ref` of a schema that is compiled, to count how often references are followed. */
export const referenceKeyword = "procedo:reference";

export interface InstanceOptions {
  readonly patterns: "refuse" | "ignore";
  readonly allErrors: boolean;
  /** Called whenever a reference is followed; throws to give up. */
  readonly onReference: () => void;
}

export type Draft = { readonly ok: true; readonly instance: (options: InstanceOptions) => Ajv };

const draft2020: Draft = { ok: true, instance: (options) => prepared(new Ajv2020(ajvOptions(options)), options) };
const draft07: Draft = { ok: true, instance: (options) => prepared(new Ajv(ajvOptions(options)), options) };

/** The draft that a schema is written in: what it says, else 2020-12, else 07 where only that fits. */
export function draftOf(schema: JsonObject): Draft | { readonly ok: false; readonly problems: readonly ErrorDetail[] } {
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

function prepared(ajv: Ajv, { onReference }: InstanceOptions): Ajv {
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
  ajv.addKeyword({
    keyword: referenceKeyword,
    validate: () => {
      onReference();
      return true;
    },
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
