import type { ErrorDetail, JsonObject } from "@procedo/contract";
import { argumentProblems } from "../compile/argument-problems.ts";
import { compileExpression } from "../expressions/compile-expression.ts";
import { compileTemplate } from "../expressions/compile-template.ts";
import type { Evaluation, ValueScope } from "../expressions/expression.ts";
import { createCompileBudget, type ScopeTypes } from "../expressions/scope-types.ts";
import { withDefaults } from "../schemas/input-defaults.ts";
import { compileValidation } from "../schemas/validation.ts";

/** How a trigger makes the input of a run from an occurrence. */
export interface MappingSource {
  /** CEL expression; only if it is true, a run starts. `null`: always. */
  readonly when: string | null;
  /** Template of the run's input. */
  readonly input: JsonObject;
}

/** A checked mapping. Its evaluations have no effect, are bounded in steps, and never throw. */
export interface Mapping {
  /** Whether a run starts: `true` or `false`. */
  matches(scope: ValueScope): Evaluation;
  /** The input of the run. */
  input(scope: ValueScope): Evaluation;
}

/** The outcome of compiling a mapping. */
export type CompiledMapping =
  | {
      readonly ok: true;
      /** The mapping, ready to evaluate. */
      readonly mapping: Mapping;
    }
  | {
      readonly ok: false;
      /** All its faults, with pointers that begin with `/when` or `/input`. */
      readonly problems: readonly ErrorDetail[];
    };

/**
 * Compiles a mapping, and checks its template against the schema of the input that it has to make.
 *
 * @param types those of the occurrence: see `valueTypes`
 * @param inputSchema the procedure's; `undefined` for no check
 */
export function compileMapping(
  { when, input }: MappingSource,
  types: ScopeTypes,
  inputSchema: JsonObject | undefined,
): CompiledMapping {
  const limited = { ...types, budget: createCompileBudget() };
  const condition = when === null ? undefined : compileExpression(when, limited, { returns: "bool" });
  const template = compileTemplate(input, limited);
  const problems = [
    ...(condition?.ok === false ? condition.problems.map((problem) => located("/when", problem)) : []),
    ...(template.ok ? [] : template.problems.map((problem) => located(`/input${problem.path}`, problem))),
    ...(template.ok && inputSchema !== undefined ? inputProblems(input, types, inputSchema) : []),
  ];
  if (problems.length > 0 || condition?.ok === false || !template.ok) return { ok: false, problems };
  const always: Evaluation = { ok: true, value: true };
  return {
    ok: true,
    mapping: {
      matches: (scope) => condition?.expression.evaluate(scope) ?? always,
      input: (scope) => template.template.render(scope),
    },
  };
}

function located(path: string, { message, offset }: { readonly message: string; readonly offset?: number }) {
  return { path, message: offset === undefined ? message : `${message} (at character ${offset + 1})` };
}

/** Why the input cannot fit the schema under any values of its expressions. */
function inputProblems(input: JsonObject, types: ScopeTypes, schema: JsonObject): readonly ErrorDetail[] {
  // A run's input is completed in the same way before it is checked.
  const completed = withDefaults(input, schema);
  const compiled = compileValidation(schema, { unsupportedPatterns: "ignore", misjudgedKeywords: "keep" });
  const mapped = {
    arguments: completed.ok ? (completed.value as JsonObject) : input,
    agentAdds: false,
    input: schema,
    validation: compiled.ok ? compiled.validation : undefined,
    types,
  };
  return argumentProblems(mapped).map(({ path, message }) => ({ path: `/input${path}`, message }));
}
