import type { ASTNode } from "@marcbachmann/cel-js";
import { meantName, nearestName } from "@procedo/contract";
import { lowerOwner } from "./error-members.ts";
import { fail } from "./evaluation-failure.ts";
import { textOf, weigh } from "./lowering.ts";
import { spendText } from "./frame.ts";
import type { Frame } from "./frame.ts";
import type { NodeResult, RunFacts } from "./expression.ts";
import type { Lowered, Lowering } from "./lowering.ts";
import type { ScopeTypes } from "./scope-types.ts";
import { bool, describe, dyn, isNumeric, optionalOf } from "./static-type.ts";
import type { StaticType } from "./static-type.ts";
import { isList, isObject, kindNames, kindOf } from "./value.ts";
import type { Value, ValueObject } from "./value.ts";

/** The names that an expression may begin with, in addition to the variables of its macros. */
function rootsOf({ types, variables }: Lowering): readonly string[] {
  if (types.values !== undefined) return [...types.values.keys(), ...variables.keys()];
  return ["input", "nodes", "run", ...(types.args === undefined ? [] : ["args"]), ...variables.keys()];
}

/** A hint for an unknown name: an input field or a node id that lacks its prefix. */
function rootHint(name: string, lowering: Lowering): string {
  const { input, nodes, values } = lowering.types;
  if (values !== undefined) return nearestName(name, rootsOf(lowering));
  if (input.kind === "object" && input.names().includes(name)) return `did you mean input.${name}?`;
  if (nodes.has(name)) return `did you mean nodes.${name}?`;
  return nearestName(name, rootsOf(lowering));
}

/** `input`, `run`, `args` or the names of other values, and the variables of macros. */
export function lowerName(node: ASTNode & { op: "id" }, lowering: Lowering): Lowered {
  const name = node.args;
  const variable = lowering.variables.get(name);
  if (variable !== undefined) {
    const { slot, type } = variable;
    return { type, weight: 1, run: (frame) => frame.locals[slot] };
  }
  const { types } = lowering;
  const type = types.values === undefined ? runRootType(name, types) : types.values.get(name);
  if (type !== undefined) {
    lowering.reads.add(name);
    return { type, weight: 1, run: (frame) => rootOf(frame.scope, name) };
  }
  if (types.values === undefined && name === "args") {
    return lowering.problem(node, "args exists in guards and sumLimits only.");
  }
  if (types.values === undefined && name === "nodes") {
    return lowering.problem(node, "nodes is not a value of its own: name a node, such as nodes.vendor.output.");
  }
  return lowering.problem(node, `There is no "${name}" here; ${rootHint(name, lowering)}`);
}

function runRootType(name: string, { input, run, args }: ScopeTypes): StaticType | undefined {
  switch (name) {
    case "input":
      return input;
    case "run":
      return run;
    case "args":
      return args;
    default:
      return undefined;
  }
}

function rootOf(scope: Frame["scope"], name: string): Value {
  if ("values" in scope) return Object.hasOwn(scope.values, name) ? scope.values[name] : undefined;
  switch (name) {
    case "input":
      return scope.input;
    case "run":
      return asObject(scope.run);
    default:
      return scope.args ?? {};
  }
}

/** `a.b`, and `a.?b`, which is absent if `a` is null or has no `b`. */
export function lowerField(node: ASTNode & { op: "." | ".?" }, lowering: Lowering): Lowered {
  const [operandNode, name] = node.args;
  if (isNodes(operandNode, lowering)) return lowerNode(node, name, lowering);
  const operand = lowerOwner(operandNode, lowering);
  const type = fieldType(node, operandNode, operand.type, name, lowering);
  const { run } = operand;
  const weight = weigh([operand]);
  if (node.op === ".?" || operand.type.kind === "optional") {
    return { type: optionalOf(type), weight, run: (frame) => optionalField(run(frame), name, operandNode) };
  }
  return {
    type,
    weight,
    run: (frame) => {
      const value = run(frame);
      if (isObject(value) && Object.hasOwn(value, name)) return value[name];
      return missingField(value, name, operandNode);
    },
  };
}

/** `a["b"]`, `a[0]`, and `a[?"b"]`, `a[?0]`, which are absent if `a` is null or has no such item. */
export function lowerIndex(node: ASTNode & { op: "[]" | "[?]" }, lowering: Lowering): Lowered {
  const [operandNode, keyNode] = node.args;
  const key = lowering.required(keyNode);
  if (isNodes(operandNode, lowering)) {
    if (typeof key.literal === "string") return lowerNode(node, key.literal, lowering);
    return lowering.problem(
      node,
      "nodes[...] takes a node's id in quotes, so that the reads of an expression are known in advance.",
    );
  }
  const operand = lowerOwner(operandNode, lowering);
  const weight = weigh([operand, key]);
  const type = itemType(node, operand.type, key, lowering);
  const isOptional = node.op === "[?]" || operand.type.kind === "optional";
  let keyText: string | undefined;
  return {
    type: isOptional ? optionalOf(type) : type,
    weight,
    run: (frame) => {
      const value = operand.run(frame);
      const item = itemOf(value, key.run(frame), operandNode, keyNode, frame);
      if (item !== undefined || isOptional) return item;
      // Rendered once, however many of these failures `exists` and similar macros absorb.
      keyText ??= textOf(keyNode);
      return fail(`${value === null ? "is null and " : ""}has no item ${keyText}`, operandNode);
    },
  };
}

/**
 * `has(a.b)`: whether `a` has a field `b`, null or not. False for null and for an absent value; a missing `a` is an
 * error, as in CEL.
 */
export function lowerHas(node: ASTNode & { op: "call" }, lowering: Lowering): Lowered {
  const argument = node.args[1][0];
  if (argument === undefined || node.args[1].length !== 1 || (argument.op !== "." && argument.op !== ".?")) {
    return lowering.problem(node, "has() takes one field, such as has(input.note).");
  }
  const [operandNode, name] = argument.args;
  const operand = lowerOwner(operandNode, lowering);
  fieldType(argument, operandNode, operand.type, name, lowering);
  return {
    type: bool,
    weight: weigh([operand]),
    run: (frame) => optionalField(operand.run(frame), name, operandNode) !== undefined,
  };
}

function isNodes(operand: ASTNode, lowering: Lowering): boolean {
  if (lowering.types.values !== undefined || lowering.variables.has("nodes")) return false;
  return operand.op === "id" && operand.args === "nodes";
}

function lowerNode(node: ASTNode, nodeId: string, lowering: Lowering): Lowered {
  const { nodes, otherNodes } = lowering.types;
  const known = nodes.get(nodeId);
  const type = known ?? (meantName(nodeId, [...nodes.keys()]) === undefined ? otherNodes : undefined);
  if (type === undefined) {
    return lowering.problem(
      node,
      `There is no node "${nodeId}"; ${nearestName(nodeId, [...lowering.types.nodes.keys()])}`,
    );
  }
  lowering.reads.add(`nodes.${nodeId}`);
  const unvisited = {};
  return {
    type,
    weight: 1,
    run: ({ scope }) => {
      const node = "values" in scope || !Object.hasOwn(scope.nodes, nodeId) ? undefined : scope.nodes[nodeId];
      return asObject(node ?? unvisited);
    },
  };
}

function fieldType(
  node: ASTNode,
  operandNode: ASTNode,
  operand: StaticType,
  name: string,
  lowering: Lowering,
): StaticType {
  const type = operand.kind === "optional" ? operand.of : operand;
  if (type.kind === "dyn" || type.kind === "null") return dyn;
  if (type.kind !== "object") {
    const hint = type.kind === "list" ? ": take an item, such as [0], or use all, exists, filter or map" : "";
    return lowering.problem(node, `${textOf(operandNode)} is ${describe(type)} and has no field "${name}"${hint}.`)
      .type;
  }
  const field = type.field(name);
  if (field !== undefined) return field;
  return lowering.problem(node, `${textOf(operandNode)} has no field "${name}"; ${nearestName(name, type.names())}`)
    .type;
}

function itemType(
  node: ASTNode & { op: "[]" | "[?]" },
  operand: StaticType,
  key: Lowered,
  lowering: Lowering,
): StaticType {
  const type = operand.kind === "optional" ? operand.of : operand;
  const [operandNode, keyNode] = node.args;
  if (type.kind === "dyn" || type.kind === "null") return dyn;
  if (type.kind === "list") {
    if (isNumeric(key.type) || key.type.kind === "dyn") return type.items;
    return lowering.problem(keyNode, `${textOf(operandNode)} is a list: its items have numbers, from 0.`).type;
  }
  if (type.kind !== "object") {
    return lowering.problem(node, `${textOf(operandNode)} is ${describe(type)} and has no items.`).type;
  }
  if (typeof key.literal === "string") return fieldType(node, operandNode, type, key.literal, lowering);
  if (key.type.kind === "string" || key.type.kind === "dyn") return dyn;
  return lowering.problem(keyNode, `${textOf(operandNode)} is an object: its fields have names, in quotes.`).type;
}

function optionalField(value: Value, name: string, operandNode: ASTNode): Value {
  if (value === undefined || value === null) return undefined;
  if (isObject(value)) return Object.hasOwn(value, name) ? value[name] : undefined;
  return missingField(value, name, operandNode);
}

function itemOf(value: Value, key: Value, operandNode: ASTNode, keyNode: ASTNode, frame: Frame): Value {
  if (value === undefined || value === null) return undefined;
  if (isList(value)) {
    if (typeof key === "number" && Number.isInteger(key)) return value[key];
    return fail("is not a whole number, as the index of a list must be", keyNode);
  }
  if (!isObject(value)) return fail(`is ${kindNames[kindOf(value)]} and has no items`, operandNode);
  if (typeof key === "string") {
    spendText(frame, key.length);
    return Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return fail("is not text, as the name of a field must be", keyNode);
}

function missingField(value: Value, name: string, operandNode: ASTNode): never {
  if (!isObject(value)) return fail(`is ${kindNames[kindOf(value)]} and has no field "${name}"`, operandNode);
  const isNode = (operandNode.op === "." || operandNode.op === "[]") && operandNode.args[0].args === "nodes";
  return fail(
    `has no field "${name}"${isNode && Object.keys(value).length === 0 ? ": the node was not visited" : ""}`,
    operandNode,
  );
}

/** These are JSON objects by their fields, but an interface has no index signature to express that. */
function asObject(facts: RunFacts | NodeResult): ValueObject {
  return facts as unknown as ValueObject;
}
