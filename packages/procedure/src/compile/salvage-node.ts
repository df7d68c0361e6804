import { meantName, procedureDocumentSchema, type ProcedureNode } from "@procedo/contract";
import { jsonPointer } from "@procedo/contract/syntax";
import { fieldsAt } from "./document-fields.ts";
import type { ShapeIssue } from "./shape-message.ts";

const nodeSchema = procedureDocumentSchema.shape.nodes.element;

type Kind = ProcedureNode["kind"];
const kinds = ["start", "end", "tool_call", "condition", "human_review"] as const satisfies readonly Kind[];

/** The kind that a node states, or the kind suggested by a misspelt one, by a `type`, or by its fields. */
export function guessKind(given: Readonly<Record<string, unknown>>): Kind | undefined {
  const { kind = given["type"] } = given;
  if (typeof kind === "string") {
    const name = kinds.includes(kind as Kind) ? kind : meantName(kind, kinds);
    return kinds.find((one) => one === name);
  }
  if ("connection" in given || "action" in given) return "tool_call";
  return "branches" in given ? "condition" : undefined;
}

export interface SalvagedNode {
  /** `undefined` if too little of the node was readable. */
  readonly node: ProcedureNode | undefined;
  /** Pointers within the node of fields that were removed or replaced. */
  readonly broken: ReadonlySet<string>;
  /** Zod's issues for the original node with this kind. */
  readonly issues: readonly ShapeIssue[];
}

/**
 * Each round removes the faults found by the round before. A required field is then missing, and the next round
 * replaces it.
 */
const maxRounds = 6;

/**
 * The parts of a broken node that can still be checked. A value of the wrong type is removed, or replaced by an empty
 * value if the node requires one. A value of the right type that is only too long, too small or in the wrong format
 * stays.
 */
export function salvageNode(given: Readonly<Record<string, unknown>>, kind: Kind, id: string): SalvagedNode {
  const copy = copyOf({ ...given, kind, id }) as Record<string, unknown>;
  const broken = new Set<string>();
  const first = issuesOf(copy);
  for (let round = 0, issues = first; round < maxRounds; round++) {
    const grave = issues.filter((issue) => !isOnlyUnfit(issue));
    if (grave.length === 0) return { node: copy as unknown as ProcedureNode, broken, issues: first };
    for (const issue of grave) mend(copy, issue, broken);
    issues = issuesOf(copy);
  }
  return { node: undefined, broken, issues: first };
}

/** A list is copied item by item, without its other properties. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copyOf(member)]));
}

/** Whether a value has the right type but is too long, too small, too large or in the wrong format. */
function isOnlyUnfit(issue: ShapeIssue): boolean {
  if (issue.code === "invalid_format") return true;
  // Zod does not check the items of a list that is too long.
  if (issue.code === "too_big" && issue.origin === "array") return false;
  return (issue.code === "too_small" || issue.code === "too_big") && issue.input !== undefined;
}

function issuesOf(node: unknown): readonly ShapeIssue[] {
  return nodeSchema.safeParse(node, { reportInput: true }).error?.issues ?? [];
}

function mend(node: Record<string, unknown>, issue: ShapeIssue, broken: Set<string>): void {
  const path = issue.path.map((token) => (typeof token === "symbol" ? String(token) : token));
  if (issue.code === "unrecognized_keys") {
    const owner = memberAt(node, path) as Record<string, unknown>;
    const known = fieldsAt({ nodes: [node] }, ["nodes", 0, ...path]);
    for (const [index, key] of issue.keys.entries()) {
      const meant = index < maxHints ? meantName(key, known) : undefined;
      if (meant !== undefined && owner[meant] === undefined) broken.add(jsonPointer([...path, meant]));
      delete owner[key];
    }
    return;
  }
  broken.add(jsonPointer(path));
  const name = path.at(-1) ?? "";
  const owner = memberAt(node, path.slice(0, -1)) as Record<string | number, unknown>;
  if (issue.code === "too_big" && Array.isArray(owner[name])) owner[name] = owner[name].slice(0, Number(issue.maximum));
  else if (issue.input !== undefined && !Array.isArray(owner)) delete owner[name];
  else owner[name] = placeholder(issue);
}

/**
 * Suggestions per object: the search for a similar name is slow, and an object with more unknown fields has a larger
 * problem.
 */
export const maxHints = 50;

/** An empty value of the expected type. */
function placeholder(issue: ShapeIssue): unknown {
  if (issue.code === "invalid_value") return issue.values[0];
  if (issue.code !== "invalid_type") return {};
  switch (issue.expected) {
    case "string":
      return "";
    case "array":
      return [];
    case "number":
    case "int":
      return 1;
    case "boolean":
      return false;
    default:
      return {};
  }
}

function memberAt(value: unknown, path: readonly (string | number)[]): unknown {
  let at = value;
  for (const token of path) at = (at as Readonly<Record<string | number, unknown>>)[token];
  return at;
}
