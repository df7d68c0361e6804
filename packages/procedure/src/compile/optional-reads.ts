import type { ASTNode } from "@marcbachmann/cel-js";
import type { JsonObject, JsonValue } from "@procedo/contract";
import { operandsOf } from "../expressions/paths-read.ts";
import { parseExpression } from "../expressions/syntax.ts";
import { scanTemplate } from "../expressions/template-scanner.ts";
import { pointerTo } from "../pointer.ts";
import { isObject } from "../schemas/schema-walk.ts";

/** What the reads of one node are held to. */
export interface ReadableSchemas {
  /** JSON Schema of the run's input. */
  readonly input: JsonObject | undefined;
  /** JSON Schema of a node's output, as far as it is known. */
  output(nodeId: string): JsonObject | undefined;
  /**
   * Whether an output's schema that lists no `required` means that everything may be missing. Documents of strangers seldom
   * list it.
   */
  mayLeaveOutAll(nodeId: string): boolean;
  /** Whether every way to the node that reads leads through this one. */
  isAlwaysVisited(nodeId: string): boolean;
  /** Paths, their names joined by `/`, for which the document's conditions ask. */
  readonly asked: ReadonlySet<string>;
}

/** A read that fails where something was left out. */
export interface OptionalRead {
  /** JSON pointer within the template. */
  readonly path: string;
  readonly message: string;
}

/** Reads of an expression that fail where something is missing which may be missing, unless the expression asks for it first. */
export function optionalReads(source: string, schemas: ReadableSchemas): readonly string[] {
  const parsed = parseExpression(source.trim());
  if (!("ast" in parsed)) return [];
  const asked = new Set(schemas.asked);
  collectAsked(parsed.ast, asked);
  const found = new Map<string, string>();
  visit(parsed.ast, schemas, asked, found);
  return [...found.values()];
}

/** The paths whose presence an expression asks for, their names joined by `/`. */
export function pathsAskedFor(source: string): ReadonlySet<string> {
  const asked = new Set<string>();
  const parsed = parseExpression(source.trim());
  if ("ast" in parsed) collectAsked(parsed.ast, asked);
  return asked;
}

/** The same for every expression of a template, each with its place. */
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
  // Entries of an array would include properties that are no items.
  const items: readonly (readonly [string | number, JsonValue])[] = Array.isArray(value)
    ? value.map((item, index) => [index, item])
    : Object.entries(value);
  return items.flatMap(([name, item]) => optionalReadsOfTemplate(item, schemas, path + pointerTo(name)));
}

interface Path {
  readonly names: readonly string[];
  /** How many of the names, from the first on, have to be there: those before the first `.?`. */
  readonly required: number;
}

/** `input.a.b` and `nodes.x.output.a`; `undefined` for what is no path of names. */
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

/** Paths whose presence the expression asks for: `has(input.a)`, `"a" in input`, `input.?a`. */
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

/** A check for a field is a check for its owners, too; `input.a.?b` is none for `input.a`, which has to be there. */
function add(asked: Set<string>, path: Path | undefined, required = 0): void {
  const { names } = path ?? { names: [] };
  for (let length = required + 1; length <= names.length; length++) asked.add(names.slice(0, length).join("/"));
}

function visit(node: ASTNode, schemas: ReadableSchemas, asked: ReadonlySet<string>, found: Map<string, string>): void {
  if (node.op === "call" && node.args[0] === "has") return;
  const path = pathOf(node);
  if (path === undefined) {
    // Only the first operand of these is evaluated in any case; the others may well depend on it.
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
      const message = `The node "${nodeId}" may not have been visited, and then reading its output fails. Write ${optionalPath(names, 2)}, with .orValue(...) where a value is needed, or ask has(nodes.${nodeId}.output) first.`;
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
      const message = `${text} may be left out, and then reading it fails. Write ${optionalPath(names, index)}, with .orValue(...) where a value is needed, or ask has(${text}) first.`;
      return { names: names.slice(0, index + 1), message };
    }
    const next: JsonValue | undefined = properties[name];
    schema = isObject(next) ? next : undefined;
  }
  return undefined;
}

/** Each read asks for one name of a list that may have thousands. */
const nameSets = new WeakMap<readonly JsonValue[], ReadonlySet<JsonValue>>();

function namesIn(required: readonly JsonValue[]): ReadonlySet<JsonValue> {
  const known = nameSets.get(required) ?? new Set(required);
  nameSets.set(required, known);
  return known;
}

/** The path with `.?` from the name at `index` on. */
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
