import type { ASTNode } from "@marcbachmann/cel-js";
import { fail } from "./evaluation-failure.ts";
import { keysOf, made, spend } from "./frame.ts";
import type { Frame } from "./frame.ts";
import { absorb, lowerBool } from "./lower-operators.ts";
import { located, textOf } from "./lowering.ts";
import type { Lowered, Lowering, Run } from "./lowering.ts";
import { bool, describe, dyn, listOf, string } from "./static-type.ts";
import type { StaticType } from "./static-type.ts";
import { isList, isObject, kindNames, kindOf } from "./value.ts";
import type { Value } from "./value.ts";

type MethodCall = ASTNode & { op: "rcall" };

interface Macro {
  readonly items: Lowered;
  readonly slot: number;
  readonly inner: Lowering;
}

export const macroNames = ["all", "exists", "exists_one", "filter", "map"];

/**
 * The macros over lists and over the keys of objects. Each item costs the steps of the body, so that nested macros are
 * bounded.
 */
export function lowerMacro(node: MethodCall, lowering: Lowering): Lowered {
  const [name, receiver, [variable, body, transform]] = node.args;
  if (variable?.op !== "id" || body === undefined || node.args[2].length > (name === "map" ? 3 : 2)) {
    return lowering.problem(node, `${name} takes a variable and an expression: list.${name}(item, ...).`);
  }
  if (Object.hasOwn(lowering.types, variable.args) || lowering.variables.has(variable.args)) {
    return lowering.problem(
      variable,
      `The variable "${variable.args}" would hide another value of this name: choose another name.`,
    );
  }
  const items = lowering.required(receiver);
  const itemType = itemTypeOf(items.type);
  if (itemType === undefined) {
    return lowering.problem(
      node,
      `${textOf(receiver)} is ${describe(items.type)}: ${name} goes over a list or an object's keys.`,
    );
  }
  const macro = { items, ...lowering.withVariable(variable.args, itemType) };
  const lowered = transform === undefined ? lowerTwo(name, macro, body) : lowerMap(macro, transform, body);
  return { ...lowered, run: located(node, lowered.run), weight: items.weight + 1 };
}

function lowerTwo(name: string, macro: Macro, body: ASTNode): Pick<Lowered, "type" | "run"> {
  switch (name) {
    case "all":
      return { type: bool, run: quantified(macro, lowerBool(body, macro.inner), false) };
    case "exists":
      return { type: bool, run: quantified(macro, lowerBool(body, macro.inner), true) };
    case "exists_one":
      return { type: bool, run: counted(macro, lowerBool(body, macro.inner)) };
    case "filter":
      return { type: listOf(itemTypeOf(macro.items.type) ?? dyn), run: filtered(macro, lowerBool(body, macro.inner)) };
    default:
      return lowerMap(macro, body, undefined);
  }
}

function lowerMap(
  macro: Macro,
  transformNode: ASTNode,
  predicateNode: ASTNode | undefined,
): Pick<Lowered, "type" | "run"> {
  const predicate = predicateNode === undefined ? undefined : lowerBool(predicateNode, macro.inner);
  const transform = macro.inner.required(transformNode);
  const weight = transform.weight + (predicate?.weight ?? 0);
  const run: Run = (frame) => {
    const results: Value[] = [];
    for (const item of itemsOf(macro.items.run(frame), frame)) {
      enter(frame, macro.slot, item, weight);
      if (predicate === undefined || predicate.run(frame) === true) results.push(transform.run(frame));
    }
    return made(frame, results);
  };
  return { type: listOf(transform.type), run };
}

/**
 * `exists` is decided by an item for which the predicate is true, `all` by one for which it is false. As with `||` and
 * `&&`, such an item decides even if the predicate fails for other items.
 */
function quantified({ items, slot }: Macro, predicate: Lowered, deciding: boolean): Run {
  return (frame) => {
    let failure: unknown;
    for (const item of itemsOf(items.run(frame), frame)) {
      enter(frame, slot, item, predicate.weight);
      try {
        if (predicate.run(frame) === deciding) return deciding;
      } catch (error) {
        absorb(error, frame);
        failure ??= error;
      }
    }
    if (failure !== undefined) throw failure as Error;
    return !deciding;
  };
}

function counted({ items, slot }: Macro, predicate: Lowered): Run {
  return (frame) => {
    let count = 0;
    for (const item of itemsOf(items.run(frame), frame)) {
      enter(frame, slot, item, predicate.weight);
      if (predicate.run(frame) === true) count += 1;
    }
    return count === 1;
  };
}

function filtered({ items, slot }: Macro, predicate: Lowered): Run {
  return (frame) => {
    const kept: Value[] = [];
    for (const item of itemsOf(items.run(frame), frame)) {
      enter(frame, slot, item, predicate.weight);
      if (predicate.run(frame) === true) kept.push(item);
    }
    return made(frame, kept);
  };
}

function enter(frame: Frame, slot: number, item: Value, weight: number): void {
  spend(frame, weight + 1);
  frame.locals[slot] = item;
}

function itemsOf(value: Value, frame: Frame): readonly Value[] {
  if (isList(value)) return value;
  if (!isObject(value)) return fail(`goes over ${kindNames[kindOf(value)]}, which is neither a list nor an object`);
  return keysOf(value, frame);
}

function itemTypeOf(type: StaticType): StaticType | undefined {
  switch (type.kind) {
    case "dyn":
      return dyn;
    case "list":
      return type.items;
    case "object":
      return string;
    default:
      return undefined;
  }
}
