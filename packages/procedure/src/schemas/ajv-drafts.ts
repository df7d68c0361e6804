import { Ajv, type Options } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { ErrorDetail, JsonObject } from "@procedo/contract";
import type { CheckBudget } from "./check-budget.ts";
import { addCountedKeywords } from "./counted-keywords.ts";
import { addRegisteredFormats } from "./registered-formats.ts";
import type { Spend } from "./json-equality.ts";
import { violationOf } from "./violation.ts";

/** The patterns of a schema by source. A missing pattern accepts every text. */
export type PatternTests = ReadonlyMap<string, (text: string, spend: Spend) => boolean>;

export interface InstanceOptions {
  readonly patterns: PatternTests;
  readonly allErrors: boolean;
  /** Whether any schema has an `unevaluated…` keyword. Tracking evaluated parts costs time in all schemas. */
  readonly unevaluated: boolean;
  readonly budget: CheckBudget;
}

export interface Draft {
  readonly ok: true;
  readonly is07: boolean;
  readonly instance: (options: InstanceOptions) => Ajv;
}

const draft2020: Draft = {
  ok: true,
  is07: false,
  instance: (options) => prepared(new Ajv2020(ajvOptions(options)), options),
};
const draft07: Draft = { ok: true, is07: true, instance: (options) => prepared(new Ajv(ajvOptions(options)), options) };

/** The draft of a schema: the declared one; otherwise 2020-12, or 07 if only that one fits. */
export function draftOf(schema: JsonObject): Draft | { readonly ok: false; readonly problems: readonly ErrorDetail[] } {
  const named = schema["$schema"];
  const older = typeof named === "string" && /\/draft-0[3-7]\//.test(named);
  const first = metaschemaProblems(schema, older ? "07" : "2020");
  if (first.length === 0) return older ? draft07 : draft2020;
  // For example tuples as an `items` list: written for draft 07 without a declaration.
  if (!older && metaschemaProblems(schema, "07").length === 0) return draft07;
  return { ok: false, problems: first };
}

type MetaValidator = (schema: JsonObject) => readonly ErrorDetail[];
let metaValidators: { readonly "07": MetaValidator; readonly "2020": MetaValidator } | undefined;

/** The metaschemas are compiled once per process, on first use. The compilation takes about 30 ms. */
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

function ajvOptions({ patterns, allErrors, budget }: InstanceOptions): Options {
  return {
    strict: false,
    strictNumbers: true,
    logger: false,
    meta: false,
    validateSchema: false,
    allErrors,
    // violationOf creates the messages.
    messages: false,
    // Inherited fields (`constructor`) do not count as present.
    ownProperties: true,
    // One function per reference, so that the code is as small as the schema.
    inlineRefs: false,
    // The optimization takes time quadratic in the schema and has no measurable effect.
    code: {
      regExp: linearRegExp(patterns, budget),
      optimize: false,
      process: (code) => code.replaceAll(escapesName, "self.pointerToken($1)"),
    },
  };
}

/**
 * The place in ajv's generated code that escapes a member's name for a path. It runs for each violation and each
 * reference below the member.
 */
const escapesName = /(\w+)\.replace\(\/~\/g, "~0"\)\.replace\(\/\\\/\/g, "~1"\)/g;

function prepared(ajv: Ajv, { unevaluated, budget }: InstanceOptions): Ajv {
  // The class for 2020-12 always sets it.
  if (!unevaluated) ajv.opts.unevaluated = false;
  Object.assign(ajv, { pointerToken: (name: string) => budget.pointerToken(name) });
  addFormats.default(ajv);
  addRegisteredFormats(ajv);
  addCountedKeywords(ajv, budget);
  return ajv;
}

function linearRegExp(patterns: PatternTests, budget: CheckBudget) {
  const spend = (steps: number): void => budget.spend(steps);
  const engine = (source: string, flags: string) => {
    const test = patterns.get(source);
    return {
      test: (text: string) => test === undefined || test(text, spend),
      // ajv distinguishes patterns by their text.
      toString: () => `/${source}/${flags}`,
    };
  };
  return Object.assign(engine, { code: "linearRegExp" });
}
