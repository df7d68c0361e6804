import type { ASTNode } from "@marcbachmann/cel-js";
import type { JsonValue } from "@procedo/contract";
import { parseExpression } from "./syntax.ts";
import { scanTemplate } from "./template-scanner.ts";

/**
 * What a template reads of a run, as far as its text tells: `input.vendorId`, `nodes.invoice.output.lines[0]`. Where a name is
 * only known when it is evaluated, the path ends before it. Each once, in order; none where the template only says what
 * it says. Pure; what does not parse reads nothing.
 */
export function pathsRead(template: JsonValue): readonly string[] {
  const found = new Set<string>();
  readValue(template, found);
  return [...found].sort();
}

function readValue(value: JsonValue, found: Set<string>): void {
  if (typeof value === "object" && value !== null) {
    // A list's items only, as JSON has them: one that was built in a program may carry more.
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
  /** Whether what follows is part of it; not behind a name that is only known when it is evaluated. */
  readonly goesOn: boolean;
}

/** No macro has a variable of these names: it would hide what they mean. */
const roots: ReadonlySet<string> = new Set(["input", "nodes", "run"]);

/** The path that a part of an expression is; `undefined` where it is none. What its keys read is found on the way. */
function pathOf(node: ASTNode, found: Set<string>): Path | undefined {
  switch (node.op) {
    case "id":
      return roots.has(node.args) ? { text: node.args, goesOn: true } : undefined;
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
      return { ...path, goesOn: false };
    }
    default:
      return undefined;
  }
}

function followed(path: Path, name: string | number | bigint): Path {
  if (!path.goesOn) return path;
  if (typeof name !== "string") return { text: `${path.text}[${name}]`, goesOn: true };
  const step = /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
  return { text: path.text + step, goesOn: true };
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
