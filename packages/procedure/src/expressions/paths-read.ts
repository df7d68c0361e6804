import type { ASTNode } from "@marcbachmann/cel-js";
import type { JsonValue } from "@procedo/contract";
import { parseExpression } from "./syntax.ts";
import { scanTemplate } from "./template-scanner.ts";

/**
 * The paths that a template reads from a run, as far as its text shows them: `input.vendorId`,
 * `nodes.invoice.output.lines[0]`. A path ends before a name that only the evaluation determines. Each path once,
 * sorted; empty if the template is constant. Pure; an expression that does not parse reads nothing.
 */
export function pathsRead(template: JsonValue): readonly string[] {
  const found = new Set<string>();
  readValue(template, found);
  return [...found].sort();
}

function readValue(value: JsonValue, found: Set<string>): void {
  if (typeof value === "object" && value !== null) {
    // Only a list's items, as in JSON: a list that was built by a program may have more properties.
    const items: Iterable<JsonValue> = Array.isArray(value) ? (value as readonly JsonValue[]) : Object.values(value);
    for (const item of items) readValue(item, found);
    return;
  }
  const scanned = typeof value === "string" ? scanTemplate(value) : { parts: [] };
  for (const part of "parts" in scanned ? scanned.parts : []) {
    const parsed = part.kind === "expression" ? parseExpression(part.source.trim()) : undefined;
    if (parsed !== undefined && "ast" in parsed) readNode(parsed.ast, found);
  }
}

function readNode(node: ASTNode, found: Set<string>): void {
  const path = pathOf(node, found);
  if (path !== undefined) found.add(path.text);
  else for (const operand of operandsOf(node)) readNode(operand, found);
}

interface Path {
  readonly text: string;
  /** Whether the next name belongs to the path. It does not after a name that only the evaluation determines. */
  readonly isExtendable: boolean;
}

/** A macro variable cannot have these names, because it would hide them. */
const roots: ReadonlySet<string> = new Set(["input", "nodes", "run"]);

/**
 * The path that a part of an expression represents; `undefined` if it is not a path. Paths within its keys are
 * collected too.
 */
function pathOf(node: ASTNode, found: Set<string>): Path | undefined {
  switch (node.op) {
    case "id":
      return roots.has(node.args) ? { text: node.args, isExtendable: true } : undefined;
    case ".":
    case ".?": {
      const path = pathOf(node.args[0], found);
      return path === undefined ? undefined : followed(path, node.args[1]);
    }
    case "[]":
    case "[?]": {
      const [operand, key] = node.args;
      const path = pathOf(operand, found);
      if (path === undefined) return undefined;
      const name = key.op === "value" ? key.args : undefined;
      if (typeof name === "string" || typeof name === "bigint" || typeof name === "number") return followed(path, name);
      readNode(key, found);
      return { ...path, isExtendable: false };
    }
    default:
      return undefined;
  }
}

function followed(path: Path, name: string | number | bigint): Path {
  if (!path.isExtendable) return path;
  if (typeof name !== "string") return { text: `${path.text}[${name}]`, isExtendable: true };
  const step = /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
  return { text: path.text + step, isExtendable: true };
}

export function operandsOf(node: ASTNode): readonly ASTNode[] {
  switch (node.op) {
    case "value":
    case "id":
      return [];
    case ".":
    case ".?":
      return [node.args[0]];
    case "call":
      return node.args[1];
    case "rcall":
      return [node.args[1], ...node.args[2]];
    case "map":
      return node.args.flat();
    case "!_":
    case "-_":
      return [node.args];
    default:
      return node.args;
  }
}
