import type { ConditionNode, JsonValue, ProcedureDocument } from "@procedo/contract";
import {
  compileExpression,
  createStepBudget,
  pathsRead,
  type NodeResult,
  type RunFacts,
  type Scope,
} from "@procedo/procedure";
import { scopeOf } from "../expressions/scope.ts";

/** Values with which a condition is tried. */
export interface Sample {
  readonly key: string;
  readonly label: string;
  readonly input: JsonValue;
  /** Results of steps, by their ids. Of a step that is left out nothing is known. */
  readonly results: Readonly<Record<string, NodeResult>>;
  /** The facts of a past run; left out for values that no run had. */
  readonly run?: RunFacts;
}

export type Taken =
  | { readonly kind: "branch"; readonly branch: string }
  | {
      /** No branch is taken, and the step fails. */
      readonly kind: "fails";
      readonly message: string;
    }
  /** An expression reads facts of the run or of its steps, which the sample does not have. */
  | { readonly kind: "depends_on_run" }
  /** An expression has a fault, or is decided by an agent. */
  | { readonly kind: "unknown" };

/** The branch that a condition takes for a sample: the first whose expression is true, else the one for all others. */
export function takenBranch(document: ProcedureDocument, node: ConditionNode, sample: Sample): Taken {
  const types = scopeOf(document);
  const scope = scopeOfSample(document, sample);
  for (const { name, when } of node.branches) {
    const compiled = when === undefined ? undefined : compileExpression(when, types, { returns: "bool" });
    if (when === undefined || compiled?.ok !== true) return { kind: "unknown" };
    if (sample.run === undefined && readsUnknown(when, sample)) return { kind: "depends_on_run" };
    const result = compiled.expression.evaluate(scope);
    if (!result.ok) return { kind: "fails", message: result.message };
    if (result.value === true) return { kind: "branch", branch: name };
  }
  return node.otherwise === undefined ? { kind: "unknown" } : { kind: "branch", branch: node.otherwise };
}

/** Whether an expression reads facts that the sample lacks: those of the run, or of a step without a result. */
function readsUnknown(when: string, { results }: Sample): boolean {
  return pathsRead(`{{ ${when} }}`).some((path) => {
    const nodeId = /^nodes\.(\w+)/.exec(path)?.[1];
    return /^run\b/.test(path) || (/^nodes\b/.test(path) && (nodeId === undefined || !Object.hasOwn(results, nodeId)));
  });
}

/** No expression reads the facts of a run that a sample lacks. */
const noRun: RunFacts = {
  runId: "",
  procedureId: "",
  procedureVersion: "",
  environment: "",
  createdAt: "",
  startedBy: "",
};

function scopeOfSample({ nodes }: ProcedureDocument, { input, results, run = noRun }: Sample): Scope {
  return {
    input,
    nodes: Object.fromEntries(nodes.map(({ id }) => [id, results[id] ?? {}])),
    run,
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
export function sampleValue({ input, results, run }: Sample, path: string): JsonValue | undefined {
  const names = [...path.matchAll(/[A-Za-z_]\w*|\[(\d+|"(?:[^"\\]|\\.)*")\]/g)].map(([whole, key]) =>
    key === undefined ? whole : (JSON.parse(key) as string | number),
  );
  let value: unknown = { input, nodes: results, run };
  for (const name of names) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string | number, unknown>>)[name];
  }
  return value as JsonValue;
}
