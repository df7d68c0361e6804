import { meantName, procedureDocumentSchema, type ProcedureNode } from "@procedo/contract";
import { pointerTo } from "../pointer.ts";
import { fieldsAt } from "./document-fields.ts";
import type { ShapeIssue } from "./shape-message.ts";

const nodeSchema = procedureDocumentSchema.shape.nodes.element;

type Kind = ProcedureNode["kind"];
const kinds = ["start", "end", "tool_call", "condition", "human_review"] as const satisfies readonly Kind[];

/** The kind that a node says, or that it means by a misspelt one, by a `type`, or by its fields. */
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
  /** `undefined`: too little of it could be read. */
  readonly node: ProcedureNode | undefined;
  /** Pointers within the node of fields that were left out or replaced. */
  readonly broken: ReadonlySet<string>;
  /** What zod says of the node as it is given, with this kind. */
  readonly issues: readonly ShapeIssue[];
}

/** Each round leaves out what the one before found; what is required is then missing, and replaced. */
const maxRounds = 6;

/**
 * The parts of a broken node that can be checked all the same. What has another type than it should is left out, or replaced by an
 * empty value where the node needs one; a value of the right type that is only too long, too small or oddly written stays.
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

/** A list is copied by its items, without other properties. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copyOf(member)]));
}

/** Whether a value has the right type, and is too long, too small, too large or oddly written. */
function isOnlyUnfit(issue: ShapeIssue): boolean {
  if (issue.code === "invalid_format") return true;
  // Zod looks into no list that is too long.
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
      if (meant !== undefined && owner[meant] === undefined) broken.add(pointerTo(...path, meant));
      delete owner[key];
    }
    return;
  }
  broken.add(pointerTo(...path));
  const name = path.at(-1) ?? "";
  const owner = memberAt(node, path.slice(0, -1)) as Record<string | number, unknown>;
  if (issue.code === "too_big" && Array.isArray(owner[name])) owner[name] = owner[name].slice(0, Number(issue.maximum));
  else if (issue.input !== undefined && !Array.isArray(owner)) delete owner[name];
  else owner[name] = placeholder(issue);
}

/** Looking for a similar name takes a while; a place with more unknown fields has another problem. */
export const maxHints = 50;

/** An empty value of the type that is expected. */
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
