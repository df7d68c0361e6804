import type { ASTNode } from "@marcbachmann/cel-js";
import type { JsonObject, JsonValue } from "@procedo/contract";
import { operandsOf } from "../expressions/paths-read.ts";
import { parseExpression } from "../expressions/syntax.ts";
import { items, mapExpressionsOfNode, mapTemplate, members } from "./node-references.ts";

/** A name that expressions read. */
export type ReadName =
  /** The name of a branch, where an expression compares it with the branch that a Condition took. */
  | { readonly kind: "branch"; readonly nodeId: string; readonly name: string }
  /** A member of the input. */
  | { readonly kind: "input"; readonly name: string };

/**
 * Replaces a name wherever an expression or template of a document reads it: `nodes.size.output.branch == "large"`, or
 * `input.amount`. The name itself, at its branch or in the input schema, is left to the caller. An expression that does
 * not parse stays as it is. Pure.
 *
 * @example
 * ```ts
 * import type { JsonObject } from "@procedo/contract";
 * import { renameReads } from "@procedo/procedure";
 *
 * function readTotal(document: JsonObject): JsonObject {
 *   return renameReads(document, { kind: "input", name: "amount" }, "total");
 * }
 * ```
 */
export function renameReads(document: JsonObject, read: ReadName, to: string): JsonObject {
  const rename = (source: string): string => renamed(source, read, to);
  return members(document, {
    reference: (reference: JsonValue) => mapTemplate(reference, rename),
    nodes: (nodes) => items(nodes, (node) => mapExpressionsOfNode(node, rename)),
  });
}

/** A part of a source and its replacement. */
interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function renamed(source: string, read: ReadName, to: string): string {
  const parsed = parseExpression(source);
  if ("problem" in parsed) return source;
  return partsOf(parsed.ast)
    .flatMap((node) => (read.kind === "input" ? inputRead(node, read.name, to) : comparedNames(node, read, to)))
    .filter((one, _, all) => !all.some((other) => isWithin(one, other)))
    .toSorted((a, b) => b.start - a.start)
    .reduce((text, { start, end, text: next }) => text.slice(0, start) + next + text.slice(end), source);
}

/** Whether a replacement lies within another, which replaces it as well. */
function isWithin(one: Replacement, other: Replacement): boolean {
  return one !== other && other.start <= one.start && one.end <= other.end;
}

/** A part of an expression, and all parts of it. */
function partsOf(node: ASTNode): readonly ASTNode[] {
  return [node, ...operandsOf(node).flatMap(partsOf)];
}

/** `input.amount`, `input.?amount`, `input["amount"]`, and `has(input.amount)`. */
function inputRead(node: ASTNode, name: string, to: string): readonly Replacement[] {
  // `has` takes a field by its name. Of another name, the object is asked for its key.
  if (node.op === "call" && node.args[0] === "has" && !isReadable(to)) {
    const [field] = node.args[1];
    const isRead = field?.op === "." && nameRead(field) === name && isRoot(ownerOf(field), "input");
    return isRead ? [{ start: node.start, end: node.end, text: `(${JSON.stringify(to)} in input)` }] : [];
  }
  if (nameRead(node) !== name || !isRoot(ownerOf(node), "input")) return [];
  if (node.op === "[]" || node.op === "[?]") return [literal(node.args[1], to)];
  const start = node.end - name.length;
  if (isReadable(to)) return [{ start, end: node.end, text: to }];
  // A name such as "invoice-no" is read by its key.
  const dot = /\.\s*(\??)\s*$/.exec(node.input.slice(0, start));
  return dot === null ? [] : [{ start: dot.index, end: node.end, text: `[${dot[1]}${JSON.stringify(to)}]` }];
}

function isReadable(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && "ast" in parseExpression(`input.${name}`);
}

/** The name where it is compared with the branch of the node: as a text, in a list, or as the key of an object. */
function comparedNames(
  node: ASTNode,
  { nodeId, name }: Extract<ReadName, { readonly kind: "branch" }>,
  to: string,
): readonly Replacement[] {
  const others = comparedWith(node, (part) => isBranchOf(part, nodeId));
  const texts = others.flatMap(textsOf).filter((part) => part.op === "value" && part.args === name);
  return texts.map((part) => literal(part, to));
}

/** The parts with which an expression compares a value. */
function comparedWith(node: ASTNode, isValue: (part: ASTNode) => boolean): readonly ASTNode[] {
  switch (node.op) {
    case "==":
    case "!=":
    case "in":
    case "[]":
    case "[?]": {
      const [left, right] = node.args;
      return isValue(left) ? [right] : isValue(right) ? [left] : [];
    }
    // The value in place of a branch that was not taken.
    case "rcall":
      return node.args[0] === "orValue" && isValue(node) ? node.args[2] : [];
    default:
      return [];
  }
}

/** The texts that a part may be: itself, the items of a list, the keys of an object, and those of a choice. */
function textsOf(node: ASTNode): readonly ASTNode[] {
  switch (node.op) {
    case "list":
      return node.args.flatMap(textsOf);
    case "map":
      return node.args.flatMap(([key]) => textsOf(key));
    case "?:":
      return [node.args[1], node.args[2]].flatMap(textsOf);
    default:
      return [node];
  }
}

/** `nodes.size.output.branch`, with `?` and keys in place of names, and with the value for none. */
function isBranchOf(node: ASTNode, nodeId: string): boolean {
  if (node.op === "call")
    return ["string", "dyn"].includes(node.args[0]) && node.args[1].some((one) => isBranchOf(one, nodeId));
  if (node.op === "rcall") return ["orValue", "value"].includes(node.args[0]) && isBranchOf(node.args[1], nodeId);
  let at: ASTNode | undefined = node;
  for (const name of ["branch", "output", nodeId]) {
    if (at === undefined || nameRead(at) !== name) return false;
    at = ownerOf(at);
  }
  return isRoot(at, "nodes");
}

function isRoot(node: ASTNode | undefined, name: string): boolean {
  return node?.op === "id" && node.args === name;
}

/** The name that a part reads from its owner; `undefined` for another part. */
function nameRead(node: ASTNode): string | undefined {
  switch (node.op) {
    case ".":
    case ".?":
      return node.args[1];
    case "[]":
    case "[?]": {
      const [, key] = node.args;
      return key.op === "value" && typeof key.args === "string" ? key.args : undefined;
    }
    default:
      return undefined;
  }
}

function ownerOf(node: ASTNode): ASTNode | undefined {
  switch (node.op) {
    case ".":
    case ".?":
    case "[]":
    case "[?]":
      return node.args[0];
    default:
      return undefined;
  }
}

/** A text in the quotes of the one that it replaces. */
function literal({ input, start, end }: ASTNode, to: string): Replacement {
  const isSingle = input.charAt(start) === "'" && !/['\\\n]/.test(to);
  return { start, end, text: isSingle ? `'${to}'` : JSON.stringify(to) };
}
