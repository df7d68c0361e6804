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

/** The treatment of schemas that a linear-time validator cannot support completely. */
export interface SchemaOptions {
  /**
   * The treatment of a `pattern` that no linear-time engine can match (look-ahead, back-references): `refuse` makes the
   * compilation fail; `ignore` accepts every text, for schemas of another service that checks the value again.
   *
   * @defaultValue "refuse"
   */
  readonly unsupportedPatterns?: "refuse" | "ignore";
  /**
   * The treatment of a keyword for which the library misjudges some values (`$dynamicRef`): `refuse` makes the
   * compilation fail; `keep` checks as before, for a schema that was published before the refusal existed.
   *
   * @defaultValue "refuse"
   */
  readonly misjudgedKeywords?: "refuse" | "keep";
}

/** The reason why a check was not completed. */
export type Unchecked = "too_costly" | "too_many" | "too_deep" | "unsupported";

/** A compiled schema that checks values. */
export interface Validation {
  /**
   * The violations as reported by ajv; empty if the value fits. Only the first violation if all of them would take more
   * steps than one check may. A string if not even the first was found.
   */
  check(value: JsonValue): readonly ErrorObject[] | Unchecked;
}

export type ValidationResult =
  | { readonly ok: true; readonly validation: Validation }
  | { readonly ok: false; readonly problems: readonly ErrorDetail[] };

const fits: readonly ErrorObject[] = [];
/** Maximum number of reported problems. */
const maxProblems = 100;

/**
 * Compiles a schema of either draft (2020-12, or 07 if declared or apparent). Each schema has its own ajv instance, so
 * that the `$id`s of two schemas never conflict and an unused schema can be garbage-collected.
 */
export function compileValidation(given: JsonObject, options: SchemaOptions = {}): ValidationResult {
  const tooBig = outOfBounds(given, schemaBounds);
  if (tooBig !== undefined) return { ok: false, problems: [tooBig] };
  // Code is generated per place, even if one object is in several places.
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
          // Created on first use, because such numbers are rare.
          exactCheck ??= checkOf(exactForm(given), code);
          return exactCheck(exact as JsonValue);
        },
      },
    };
  } catch (cause) {
    return { ok: false, problems: [{ path: "", message: explain(cause) }] };
  }
}

/** A copy of the schema for values in which numbers beyond a double are symbols. */
function exactForm(given: JsonObject): JsonObject {
  const schema = JSON.parse(JSON.stringify(given)) as JsonObject;
  moveNumberKeywords(schema);
  return schema;
}

type Check = Validation["check"];

interface CodeOptions extends Pick<SchemaLimits, "patterns" | "stopsAtFirst"> {
  readonly draft: Draft;
}

/** @param schema - a copy that may be changed; costs are written into it */
function checkOf(schema: JsonObject, { patterns, stopsAtFirst, draft }: CodeOptions): Check {
  const known = addCosts(schema);
  const budget = new CheckBudget();
  const asksUnevaluated = holds(schema, (at) => unevaluatedKeywords.some((keyword) => at[keyword] !== undefined));
  // Tracking evaluated parts costs time, so it is enabled only if a keyword needs it, or if there are so many
  // alternatives that code which stops at the first match would nest too deeply.
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
        // The stack overflowed.
        if (cause instanceof RangeError) return "too_deep";
        // The library's code for unevaluated parts fails for some alternatives.
        if (cause instanceof TypeError && asksUnevaluated) return "unsupported";
        throw cause;
      }
    };
  };
  // The code that finds all violations is smaller, and as fast for values without violations. With unevaluated parts it
  // misjudges some alternatives, so there the code that stops at the first violation decides.
  let thorough = asksUnevaluated ? undefined : compile(true);
  let quick = asksUnevaluated ? compile(false) : undefined;
  const first = (value: JsonValue) => (quick ??= compile(false))(value, maxCheckSteps);
  const all = (value: JsonValue) => (thorough ??= compile(true))(value, maxViolationsFound);
  return (value) => {
    budget.begin();
    if (!asksUnevaluated) {
      const found = all(value);
      // The search for all violations follows references beyond a deciding violation, which may never end.
      return (found === "too_many" || found === "too_deep") && stopsAtFirst ? first(value) : found;
    }
    const decided = first(value);
    if (typeof decided === "string" || decided.length === 0) return decided;
    const found = all(value);
    return typeof found === "string" || found.length === 0 ? decided : found;
  };
}

/**
 * Maximum size of all paths. A long name is part of the path of each violation below it, and each path becomes a
 * separate text when it is read.
 */
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

/** Refuses references to values outside the known schemas, because their checks would not count against the budget. */
function refuseUnknownTargets(refs: ValidateFunction["schemaEnv"]["refs"], known: ReadonlySet<unknown>): void {
  for (const [ref, target] of Object.entries(refs)) {
    const schema: unknown = typeof target === "object" && "schema" in target ? target.schema : target;
    if (typeof schema === "object" && !known.has(schema)) {
      throw new Error(`$ref "${shortened(ref)}" does not lead to a schema; put its target under $defs`);
    }
  }
}

function explain(cause: unknown): string {
  if (cause instanceof RangeError) return "has too many properties or references to be compiled; make it smaller.";
  const message = cause instanceof Error ? cause.message : "it cannot be compiled";
  const missing = /^can't resolve reference (\S+) from id/.exec(message);
  if (missing !== null) {
    return `$ref "${shortened(missing[1] ?? "")}" leads to nothing within this schema; put its target under $defs.`;
  }
  return `is not a schema that can be used: ${shortened(message)}.`;
}

const maxQuoted = 500;

/** The library quotes the schema's names in full. */
function shortened(text: string): string {
  return text.length > maxQuoted ? `${text.slice(0, maxQuoted).toWellFormed()}…` : text;
}
