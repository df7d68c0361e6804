import type { JsonObject } from "@procedo/contract";
import { createStepBudget, type RunState, type Scope, type Template } from "@procedo/procedure";
import { exceeds } from "../json/json-copy.ts";

export type Rendered<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string; readonly code?: "limit" };

/** Renders a template of an object. `what` begins the message of a failure. */
export function renderObject(
  template: Template,
  scope: Scope,
  limits: { readonly depth: number; readonly stepBytes: number },
  what: string,
): Rendered<JsonObject> {
  const result = template.render(scope);
  if (!result.ok) return { ...result, message: `${what}: ${result.message}` };
  const { value } = result;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { ok: false, message: `${what} must be an object.` };
  }
  const problem = exceeds(value, { depth: limits.depth, bytes: limits.stepBytes });
  return problem === undefined
    ? { ok: true, value: value as JsonObject }
    : { ok: false, message: `${what} ${problem}.`, code: "limit" };
}

/** The scope of expressions in a run, and the evaluation steps that they share. */
export function scopeOf(state: RunState): Scope {
  return { input: state.input, nodes: state.nodes, run: state.facts, budget: createStepBudget() };
}
