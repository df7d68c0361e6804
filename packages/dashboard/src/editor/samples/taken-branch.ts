import type { ConditionNode, JsonValue, ProcedureDocument } from "@procedo/contract";
import { compileExpression, createStepBudget, pathsRead, type NodeResult, type Scope } from "@procedo/procedure";
import { scopeOf } from "../expressions/scope.ts";

/** Values with which a condition is tried. */
export interface Sample {
  readonly key: string;
  readonly label: string;
  readonly input: JsonValue;
  /** Results of steps, by their ids. Of a step that is left out nothing is known. */
  readonly results: Readonly<Record<string, NodeResult>>;
}

export type Taken =
  | { readonly kind: "branch"; readonly branch: string }
  | {
      /** No branch is taken, and the step fails. */
      readonly kind: "fails";
      readonly message: string;
    }
  /** An expression has a fault, or is decided by an agent. */
  | { readonly kind: "unknown" };

/** The branch that a condition takes for a sample: the first whose expression is true, else the one for all others. */
export function takenBranch(document: ProcedureDocument, node: ConditionNode, sample: Sample): Taken {
  const types = scopeOf(document);
  const scope = scopeOfSample(document, sample);
  for (const { name, when } of node.branches) {
    const compiled = when === undefined ? undefined : compileExpression(when, types, { returns: "bool" });
    if (compiled?.ok !== true) return { kind: "unknown" };
    const result = compiled.expression.evaluate(scope);
    if (!result.ok) return { kind: "fails", message: result.message };
    if (result.value === true) return { kind: "branch", branch: name };
  }
  return node.otherwise === undefined ? { kind: "unknown" } : { kind: "branch", branch: node.otherwise };
}

function scopeOfSample({ nodes, procedureId }: ProcedureDocument, { input, results }: Sample): Scope {
  return {
    input,
    nodes: Object.fromEntries(nodes.map(({ id }) => [id, results[id] ?? {}])),
    run: {
      runId: "run_sample",
      procedureId,
      procedureVersion: "draft",
      environment: "sandbox",
      createdAt: new Date(0).toISOString(),
      startedBy: "sample",
    },
    budget: createStepBudget(),
  };
}

/** The paths that the expressions of a condition read, such as `input.amount`. */
export function pathsOf({ branches }: ConditionNode): readonly string[] {
  return pathsRead(branches.flatMap(({ when }) => (when === undefined ? [] : [`{{ ${when} }}`])));
}

/** The steps whose results a condition reads. */
export function stepsRead(node: ConditionNode): readonly string[] {
  return [...new Set(pathsOf(node).flatMap((path) => /^nodes\.(\w+)/.exec(path)?.[1] ?? []))];
}

/** The value at a path of a sample; `undefined` if it has none. */
export function sampleValue({ input, results }: Sample, path: string): JsonValue | undefined {
  const names = [...path.matchAll(/[A-Za-z_]\w*|\[(\d+|"(?:[^"\\]|\\.)*")\]/g)].map(([whole, key]) =>
    key === undefined ? whole : (JSON.parse(key) as string | number),
  );
  let value: unknown = { input, nodes: results };
  for (const name of names) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string | number, unknown>>)[name];
  }
  return value as JsonValue;
}
