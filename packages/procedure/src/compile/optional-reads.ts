import type { ASTNode } from "@marcbachmann/cel-js";
import type { JsonObject, JsonValue } from "@procedo/contract";
import { jsonPointer } from "@procedo/contract/syntax";
import { operandsOf } from "../expressions/paths-read.ts";
import { parseExpression } from "../expressions/syntax.ts";
import { scanTemplate } from "../expressions/template-scanner.ts";
import { isObject } from "../schemas/schema-walk.ts";

/** The schemas and paths that the reads of one node are checked against. */
export interface ReadableSchemas {
  /** JSON Schema of the run's input. */
  readonly input: JsonObject | undefined;
  /** JSON Schema of a node's output, as far as it is known. */
  output(nodeId: string): JsonObject | undefined;
  /**
   * Whether a missing `required` list in an output's schema means that every field may be missing. Third-party schemas
   * seldom list `required`, so that its absence says little.
   */
  mayLeaveOutAll(nodeId: string): boolean;
  /** Whether every path to the reading node passes this one. */
  isAlwaysVisited(nodeId: string): boolean;
  /** Paths whose presence the document's conditions check, with their names joined by `/`. */
  readonly asked: ReadonlySet<string>;
}

/** A read that fails if a value is missing. */
export interface OptionalRead {
  /** JSON pointer within the template. */
  readonly path: string;
  readonly message: string;
}

/**
 * Reads of an expression that fail if an optional value is missing, unless the expression checks its presence first.
 */
export function optionalReads(source: string, schemas: ReadableSchemas): readonly string[] {
  const parsed = parseExpression(source.trim());
  if (!("ast" in parsed)) return [];
  const asked = new Set(schemas.asked);
  collectAsked(parsed.ast, asked);
  const found = new Map<string, string>();
  visit(parsed.ast, schemas, asked, found);
  return [...found.values()];
}

/** The paths whose presence an expression checks, with their names joined by `/`. */
export function pathsAskedFor(source: string): ReadonlySet<string> {
  const asked = new Set<string>();
  const parsed = parseExpression(source.trim());
  if ("ast" in parsed) collectAsked(parsed.ast, asked);
  return asked;
}

/** The same for every expression of a template, each with its path. */
export function optionalReadsOfTemplate(
  value: JsonValue,
  schemas: ReadableSchemas,
  path = "",
): readonly OptionalRead[] {
  if (typeof value === "string") {
    const scanned = scanTemplate(value);
    const parts = "parts" in scanned ? scanned.parts : [];
    return parts.flatMap((part) =>
      part.kind === "expression" ? optionalReads(part.source, schemas).map((message) => ({ path, message })) : [],
    );
  }
  if (typeof value !== "object" || value === null) return [];
  // The entries of an array would include properties that are not items.
  const items: readonly (readonly [string | number, JsonValue])[] = Array.isArray(value)
    ? value.map((item, index) => [index, item])
    : Object.entries(value);
  return items.flatMap(([name, item]) => optionalReadsOfTemplate(item, schemas, path + jsonPointer([name])));
}

interface Path {
  readonly names: readonly string[];
  /** Number of leading names that must be present: those before the first `.?`. */
  readonly required: number;
}

/** `input.a.b` and `nodes.x.output.a`; `undefined` if the node is not a path of names. */
function pathOf(node: ASTNode): Path | undefined {
  if (node.op === "id") return ["input", "nodes"].includes(node.args) ? { names: [node.args], required: 1 } : undefined;
  if (node.op !== "." && node.op !== ".?" && node.op !== "[]" && node.op !== "[?]") return undefined;
  const [operand, key] = node.args;
  const name =
    typeof key === "string" ? key : key.op === "value" && typeof key.args === "string" ? key.args : undefined;
  const before = name === undefined ? undefined : pathOf(operand);
  if (before === undefined || name === undefined) return undefined;
  const isRequired = before.required === before.names.length && (node.op === "." || node.op === "[]");
  return { names: [...before.names, name], required: before.required + (isRequired ? 1 : 0) };
}

/** Collects paths whose presence the expression checks: `has(input.a)`, `"a" in input`, `input.?a`. */
function collectAsked(node: ASTNode, asked: Set<string>): void {
  if (node.op === "call" && node.args[0] === "has" && node.args[1][0] !== undefined)
    add(asked, pathOf(node.args[1][0]));
  if (node.op === "in" && node.args[0].op === "value" && typeof node.args[0].args === "string") {
    const owner = pathOf(node.args[1]);
    if (owner !== undefined) add(asked, { ...owner, names: [...owner.names, node.args[0].args] });
  }
  const path = pathOf(node);
  if (path !== undefined && path.required < path.names.length) add(asked, path, path.required);
  for (const operand of operandsOf(node)) collectAsked(operand, asked);
}

/** A check for a field also checks its owners. `input.a.?b` does not check `input.a`, which must be present. */
function add(asked: Set<string>, path: Path | undefined, required = 0): void {
  const { names } = path ?? { names: [] };
  for (let length = required + 1; length <= names.length; length++) asked.add(names.slice(0, length).join("/"));
}

function visit(node: ASTNode, schemas: ReadableSchemas, asked: ReadonlySet<string>, found: Map<string, string>): void {
  if (node.op === "call" && node.args[0] === "has") return;
  const path = pathOf(node);
  if (path === undefined) {
    // Only the first operand of these is always evaluated; the others may depend on it.
    const isConditional = node.op === "?:" || node.op === "&&" || node.op === "||";
    const operands = isConditional ? operandsOf(node).slice(0, 1) : operandsOf(node);
    for (const operand of operands) visit(operand, schemas, asked, found);
    return;
  }
  const missing = firstOptional(path.names.slice(0, path.required), schemas, asked);
  if (missing !== undefined) found.set(missing.names.join("/"), missing.message);
}

function firstOptional(
  names: readonly string[],
  schemas: ReadableSchemas,
  asked: ReadonlySet<string>,
): { readonly names: readonly string[]; readonly message: string } | undefined {
  const isAsked = (length: number): boolean => asked.has(names.slice(0, length).join("/"));
  const [root, nodeId] = names;
  if (root === "nodes") {
    if (nodeId === undefined || names[2] !== "output") return undefined;
    if (!schemas.isAlwaysVisited(nodeId)) {
      if (isAsked(3)) return undefined;
      const message = `If the node "${nodeId}" was not visited, reading its output fails. Write ${optionalPath(names, 2)}, with .orValue(...) where a value is needed, or check has(nodes.${nodeId}.output) first.`;
      return { names: names.slice(0, 3), message };
    }
  }
  const start = root === "nodes" ? 3 : 1;
  let schema = root === "nodes" ? schemas.output(nodeId ?? "") : schemas.input;
  for (let index = start; index < names.length && schema !== undefined; index++) {
    const name = names[index] ?? "";
    const { properties, required } = schema;
    if (!isObject(properties) || !Object.hasOwn(properties, name)) return undefined;
    if (required === undefined && root === "nodes" && !schemas.mayLeaveOutAll(nodeId ?? "")) return undefined;
    const isRequired = Array.isArray(required) && namesIn(required).has(name);
    if (!isRequired) {
      if (isAsked(index + 1)) return undefined;
      const text = textOf(names.slice(0, index + 1));
      const message = `${text} may be left out; reading it then fails. Write ${optionalPath(names, index)}, with .orValue(...) where a value is needed, or check has(${text}) first.`;
      return { names: names.slice(0, index + 1), message };
    }
    const next: JsonValue | undefined = properties[name];
    schema = isObject(next) ? next : undefined;
  }
  return undefined;
}

/** Each read looks up one name in a list that may have thousands. */
const nameSets = new WeakMap<readonly JsonValue[], ReadonlySet<JsonValue>>();

function namesIn(required: readonly JsonValue[]): ReadonlySet<JsonValue> {
  const known = nameSets.get(required) ?? new Set(required);
  nameSets.set(required, known);
  return known;
}

/** The path with `.?` before every name from `index` on. */
function optionalPath(names: readonly string[], index: number): string {
  return names.slice(index).reduce((text, name) => text + step(name, true), textOf(names.slice(0, index)));
}

function textOf([root = "", ...names]: readonly string[]): string {
  return names.reduce((text, name) => text + step(name, false), root);
}

function step(name: string, isOptional: boolean): string {
  if (/^[A-Za-z_]\w*$/.test(name)) return `.${isOptional ? "?" : ""}${name}`;
  return `[${isOptional ? "?" : ""}${JSON.stringify(name)}]`;
}
