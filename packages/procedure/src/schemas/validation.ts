import type { ErrorObject, ValidateFunction } from "ajv";
import type { ErrorDetail, JsonObject, JsonValue } from "@procedo/contract";
import { outOfBounds } from "../json-bounds.ts";
import { draftOf, type Draft } from "./ajv-drafts.ts";
import { CheckBudget, CheckBudgetError, maxCheckSteps, maxViolationsFound } from "./check-budget.ts";
import { addCosts } from "./counted-keywords.ts";
import { misjudgedKeywords } from "./misjudged-keywords.ts";
import { exactSymbols, moveNumberKeywords } from "./number-keyword.ts";
import { withExactNumbers } from "./number-places.ts";
import { schemaBounds, schemaLimits, type SchemaLimits } from "./schema-limits.ts";
import { allSchemas } from "./schema-walk.ts";

/** How schemas are compiled that a linear-time validator cannot honour in full. */
export interface SchemaOptions {
  /**
   * What a `pattern` does that no linear-time engine can match (look-ahead, back-references): `refuse` keeps the schema
   * from compiling; `ignore` lets every text pass, for schemas that somebody else wrote and checks again.
   *
   * @defaultValue "refuse"
   */
  readonly unsupportedPatterns?: "refuse" | "ignore";
  /**
   * What a keyword does by which the library judges some values wrongly (`$dynamicRef`): `refuse` keeps the schema from
   * compiling; `keep` judges as before, for a schema that was published when it was not refused yet.
   *
   * @defaultValue "refuse"
   */
  readonly misjudgedKeywords?: "refuse" | "keep";
}

/** Why a value was not checked to the end. */
export type Unchecked = "too_costly" | "too_many" | "too_deep" | "unsupported";

/** A schema ready to check values. */
export interface Validation {
  /**
   * The violations as ajv reports them; none when the value fits. Only the first where all would take more steps than one
   * check may. A text where not even the first was found.
   */
  check(value: JsonValue): readonly ErrorObject[] | Unchecked;
}

export type ValidationResult =
  | { readonly ok: true; readonly validation: Validation }
  | { readonly ok: false; readonly problems: readonly ErrorDetail[] };

const fits: readonly ErrorObject[] = [];
/** A caller who got this much wrong reads the first hundred. */
const maxProblems = 100;

/**
 * Makes a validation from a schema of either draft (2020-12, or 07 where it says or looks so). Each schema has an ajv of
 * its own: `$id`s of two schemas never meet, and a schema that nobody uses any more is garbage.
 */
export function compileValidation(given: JsonObject, options: SchemaOptions = {}): ValidationResult {
  const tooBig = outOfBounds(given, schemaBounds);
  if (tooBig !== undefined) return { ok: false, problems: [tooBig] };
  // Code is made for each place, also where one object stands in several.
  const schema = JSON.parse(JSON.stringify(given)) as JsonObject;
  const { problems, patterns, stopsAtFirst } = schemaLimits(schema, options.unsupportedPatterns ?? "refuse");
  if (problems.length > 0) return { ok: false, problems: problems.slice(0, maxProblems) };
  const draft = draftOf(schema);
  if (!draft.ok) return { ok: false, problems: draft.problems.slice(0, maxProblems) };
  const misjudged = options.misjudgedKeywords === "keep" ? [] : misjudgedKeywords(schema, draft.is07);
  if (misjudged.length > 0) return { ok: false, problems: misjudged.slice(0, maxProblems) };
  const code = { patterns, stopsAtFirst, draft };
  try {
    const check = checkOf(schema, code);
    let exactCheck: Check | undefined;
    return {
      ok: true,
      validation: {
        check(value) {
          const found = check(value);
          if (typeof found !== "string" && found.length === 0) return found;
          const exact = withExactNumbers(given, value, exactSymbols());
          if (exact === undefined) return found;
          // Made when it is first needed: hardly any value holds such a number.
          exactCheck ??= checkOf(exactForm(given), code);
          return exactCheck(exact as JsonValue);
        },
      },
    };
  } catch (cause) {
    return { ok: false, problems: [{ path: "", message: explain(cause) }] };
  }
}

/** A schema of the caller's own for values in which numbers beyond a double are symbols. */
function exactForm(given: JsonObject): JsonObject {
  const schema = JSON.parse(JSON.stringify(given)) as JsonObject;
  moveNumberKeywords(schema);
  return schema;
}

type Check = Validation["check"];

interface CodeOptions extends Pick<SchemaLimits, "patterns" | "stopsAtFirst"> {
  readonly draft: Draft;
}

/** @param schema - the caller's own; costs are written into it */
function checkOf(schema: JsonObject, { patterns, stopsAtFirst, draft }: CodeOptions): Check {
  const known = addCosts(schema);
  const budget = new CheckBudget();
  const asksUnevaluated = holds(schema, (at) => unevaluatedKeywords.some((keyword) => at[keyword] !== undefined));
  // Keeping book of what was evaluated is time lost where nothing asks for it, except with so many alternatives that code
  // which stops at the first fitting one nests too deeply.
  const unevaluated = asksUnevaluated || holds(schema, hasManyAlternatives);
  const compile = (allErrors: boolean) => {
    const validate = draft.instance({ patterns, allErrors, unevaluated, budget }).compile(schema);
    refuseUnknownTargets(validate.schemaEnv.root.refs, known);
    return (value: JsonValue, violations: number): readonly ErrorObject[] | Unchecked => {
      budget.violationsLeft = violations;
      try {
        return validate(value) ? fits : withShortPaths(validate.errors ?? fits);
      } catch (cause) {
        if (cause instanceof CheckBudgetError) return cause.spent === "steps" ? "too_costly" : "too_many";
        // The stack's end.
        if (cause instanceof RangeError) return "too_deep";
        // The library's code for what was left unevaluated fails for some alternatives.
        if (cause instanceof TypeError && asksUnevaluated) return "unsupported";
        throw cause;
      }
    };
  };
  // The code that finds all violations is smaller, and as fast for values that have none. Where it is asked for what was
  // left unevaluated it is wrong about some alternatives: there, the code that stops at the first violation decides.
  let thorough = asksUnevaluated ? undefined : compile(true);
  let quick = asksUnevaluated ? compile(false) : undefined;
  const first = (value: JsonValue) => (quick ??= compile(false))(value, maxCheckSteps);
  const all = (value: JsonValue) => (thorough ??= compile(true))(value, maxViolationsFound);
  return (value) => {
    budget.begin();
    if (!asksUnevaluated) {
      const found = all(value);
      // Looking for all violations follows references behind one that decides, which may never end.
      return (found === "too_many" || found === "too_deep") && stopsAtFirst ? first(value) : found;
    }
    const decided = first(value);
    if (typeof decided === "string" || decided.length === 0) return decided;
    const found = all(value);
    return typeof found === "string" || found.length === 0 ? decided : found;
  };
}

/** Long names stand in the path of each violation below them; the paths are texts of their own once anybody reads them. */
const maxPathCharacters = 1024 * 1024;

function withShortPaths(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  let characters = 0;
  const end = errors.findIndex(({ instancePath }, index) => {
    characters += instancePath.length;
    return characters > maxPathCharacters && index > 0;
  });
  return end === -1 ? errors : errors.slice(0, end);
}

const unevaluatedKeywords = ["unevaluatedProperties", "unevaluatedItems"];
const manyAlternatives = 100;

function hasManyAlternatives({ anyOf, oneOf }: JsonObject): boolean {
  return [anyOf, oneOf].some((list) => Array.isArray(list) && list.length > manyAlternatives);
}

function holds(schema: JsonObject, matches: (at: JsonObject) => boolean): boolean {
  for (const { schema: at } of allSchemas(schema)) if (matches(at)) return true;
  return false;
}

/** What a reference leads to is a schema, wherever it stands; in places that are known for none it would cost nothing. */
function refuseUnknownTargets(refs: ValidateFunction["schemaEnv"]["refs"], known: ReadonlySet<unknown>): void {
  for (const [ref, target] of Object.entries(refs)) {
    const schema: unknown = typeof target === "object" && "schema" in target ? target.schema : target;
    if (typeof schema === "object" && !known.has(schema)) {
      throw new Error(`$ref "${shortened(ref)}" leads to a place that holds no schema; put what it names under $defs`);
    }
  }
}

function explain(cause: unknown): string {
  if (cause instanceof RangeError) return "has too many properties or references to be compiled; make it smaller.";
  const message = cause instanceof Error ? cause.message : "it cannot be compiled";
  const missing = /^can't resolve reference (\S+) from id/.exec(message);
  if (missing !== null) {
    return `$ref "${shortened(missing[1] ?? "")}" leads to nothing within this schema; put what it names under $defs.`;
  }
  return `is not a schema that can be used: ${shortened(message)}.`;
}

const maxQuoted = 500;

/** The library quotes names of the schema whole. */
function shortened(text: string): string {
  return text.length > maxQuoted ? `${text.slice(0, maxQuoted).toWellFormed()}…` : text;
}
