import type { ASTNode } from "@marcbachmann/cel-js";
import { ExactNumber } from "../numbers/exact-number.ts";
import { addTexts, arithmetic, order, textOrder } from "./arithmetic.ts";
import type { ArithmeticOperator } from "./arithmetic.ts";
import { Decimal, negateDecimal } from "./decimal.ts";
import { equal } from "./equality.ts";
import { EvaluationFailure, fail } from "./evaluation-failure.ts";
import { negateExact, readNumber } from "./exact-arithmetic.ts";
import { spend, spendText } from "./frame.ts";
import type { Frame } from "./frame.ts";
import { located, textOf, weigh } from "./lowering.ts";
import type { Lowered, Lowering, Run } from "./lowering.ts";
import { arithmeticType, isOrdered } from "./operator-types.ts";
import { bool, comparable, describe, join, mayBe } from "./static-type.ts";
import { Duration } from "./time.ts";
import { isList, isObject, kindNames, kindOf } from "./value.ts";
import type { Value } from "./value.ts";

/** `+ - * / %` */
export function lowerArithmetic(node: ASTNode & { op: ArithmeticOperator }, lowering: Lowering): Lowered {
  const [left, right] = node.args.map((operand) => lowering.required(operand)) as [Lowered, Lowered];
  if (node.op === "/" && left.type.kind === "int" && right.type.kind === "int") {
    const [dividend, divisor] = node.args.map(textOf);
    const real = left.literal === undefined ? `double(${dividend})` : `${dividend}.0`;
    const message = `${textOf(node)} divides whole numbers, which CEL truncates to a whole number: write ${real} / ${divisor}.`;
    return lowering.problem(node, message);
  }
  if ((left.type.kind === "decimal" && isFraction(right)) || (right.type.kind === "decimal" && isFraction(left))) {
    return lowering.problem(node, 'A decimal and a fraction do not mix: write the fraction as decimal("...").');
  }
  const type = arithmeticType(node.op, left.type, right.type);
  if (type === undefined) return lowering.problem(node, mismatch(node, left, right));
  const joinsTexts = node.op === "+" && (left.type.kind === "string" || right.type.kind === "string");
  const operation = joinsTexts ? addTexts : arithmetic[node.op];
  const run = located(node, (frame) => operation(left.run(frame), right.run(frame), frame));
  return { type, run, weight: weigh([left, right]) };
}

/** `< <= > >=` on numbers, decimals, timestamps and durations. */
export function lowerOrder(node: ASTNode & { op: "<" | "<=" | ">" | ">=" }, lowering: Lowering): Lowered {
  const [left, right] = node.args.map((operand) => lowering.required(operand)) as [Lowered, Lowered];
  const kinds = [left.type.kind, right.type.kind];
  if (kinds.includes("string") && kinds.every((kind) => kind === "string" || kind === "dyn")) {
    return lowering.problem(node, `${textOf(node)} ${textOrder}.`);
  }
  if (!isOrdered(left.type, right.type)) return lowering.problem(node, mismatch(node, left, right));
  return { type: bool, run: located(node, orderRun(node.op, left.run, right.run)), weight: weigh([left, right]) };
}

function orderRun(operator: "<" | "<=" | ">" | ">=", left: Run, right: Run): Run {
  switch (operator) {
    case "<":
      return (frame) => order(left(frame), right(frame), frame) < 0;
    case "<=":
      return (frame) => order(left(frame), right(frame), frame) <= 0;
    case ">":
      return (frame) => order(left(frame), right(frame), frame) > 0;
    case ">=":
      return (frame) => order(left(frame), right(frame), frame) >= 0;
  }
}

/** `==` and `!=` */
export function lowerEquality(node: ASTNode & { op: "==" | "!=" }, lowering: Lowering): Lowered {
  const [left, right] = node.args.map((operand) => lowering.required(operand)) as [Lowered, Lowered];
  if (!comparable(left.type, right.type)) {
    const [one, other] = [describe(left.type), describe(right.type)];
    return lowering.problem(node, `${textOf(node)} compares ${one} with ${other}, which are never equal.`);
  }
  const isWanted = node.op === "==";
  const run = located(node, (frame) => equal(left.run(frame), right.run(frame), frame) === isWanted);
  return { type: bool, run, weight: weigh([left, right]) };
}

/** `item in list` and `"key" in object` */
export function lowerIn(node: ASTNode & { op: "in" }, lowering: Lowering): Lowered {
  const [item, container] = node.args.map((operand) => lowering.required(operand)) as [Lowered, Lowered];
  if (container.type.kind === "list" && !comparable(item.type, container.type.items)) {
    const [one, other] = [describe(item.type), describe(container.type.items)];
    return lowering.problem(node, `${textOf(node)} looks for ${one} in a list whose items are all ${other}.`);
  }
  if (!mayBe(container.type, "list") && !(mayBe(container.type, "object") && mayBe(item.type, "string"))) {
    return lowering.problem(node, mismatch(node, item, container));
  }
  const run = located(node, (frame) => isIn(item.run(frame), container.run(frame), frame));
  return { type: bool, run, weight: weigh([item, container]) };
}

function isIn(item: Value, container: Value, frame: Frame): boolean {
  if (isList(container)) {
    return container.some((other) => {
      spend(frame, 1);
      return equal(item, other, frame);
    });
  }
  if (isObject(container) && typeof item === "string") {
    spendText(frame, item.length);
    return Object.hasOwn(container, item);
  }
  return fail(`uses "in" on ${kindNames[kindOf(item)]} and ${kindNames[kindOf(container)]}`);
}

/**
 * `&&` and `||`. As in CEL, if one side decides the result, a failure of the other side does not matter, whichever
 * comes first.
 */
export function lowerLogic(node: ASTNode & { op: "&&" | "||" }, lowering: Lowering): Lowered {
  const [left, right] = node.args.map((operand) => lowerBool(operand, lowering)) as [Lowered, Lowered];
  const deciding = node.op === "||";
  const run: Run = (frame) => {
    let first: Value;
    try {
      first = left.run(frame);
    } catch (error) {
      absorb(error, frame);
      if (right.run(frame) === deciding) return deciding;
      throw error;
    }
    return first === deciding ? deciding : right.run(frame);
  };
  return { type: bool, run, weight: weigh([left, right]) };
}

/** Absorbs a failure if another part may still decide the result. A failure costs far more than other steps. */
export function absorb(error: unknown, frame: Frame): void {
  if (!(error instanceof EvaluationFailure) || error.isFatal) throw error;
  spend(frame, 50);
}

/** `condition ? a : b` */
export function lowerChoice(node: ASTNode & { op: "?:" }, lowering: Lowering): Lowered {
  const [conditionNode, yesNode, noNode] = node.args;
  const condition = lowerBool(conditionNode, lowering);
  const [yes, no] = [lowering.optional(yesNode), lowering.optional(noNode)];
  return {
    type: join(yes.type, no.type),
    run: (frame) => (condition.run(frame) === true ? yes.run(frame) : no.run(frame)),
    weight: weigh([condition, yes, no]),
  };
}

export function lowerNot(node: ASTNode & { op: "!_" }, lowering: Lowering): Lowered {
  const operand = lowerBool(node.args, lowering);
  return { type: bool, run: (frame) => operand.run(frame) !== true, weight: weigh([operand]) };
}

export function lowerMinus(node: ASTNode & { op: "-_" }, lowering: Lowering): Lowered {
  const operand = lowering.required(node.args);
  if (!["dyn", "int", "number", "decimal", "duration"].includes(operand.type.kind)) {
    return lowering.problem(node, `${textOf(node)} takes the negative of ${describe(operand.type)}.`);
  }
  const weight = weigh([operand]);
  if (typeof operand.literal === "number") {
    const literal = -operand.literal;
    return { type: operand.type, run: () => literal, weight, literal };
  }
  const run = located(node, (frame) => negated(readNumber(operand.run(frame), frame)));
  return { type: operand.type, run, weight };
}

function negated(value: Value): Value {
  if (typeof value === "number") return -value;
  if (value instanceof Decimal) return negateDecimal(value);
  if (value instanceof ExactNumber) return negateExact(value);
  if (value instanceof Duration) return new Duration(-value.ms);
  return fail(`takes the negative of ${kindNames[kindOf(value)]}`);
}

/** A part that yields true or false, or fails. */
export function lowerBool(node: ASTNode, lowering: Lowering): Lowered {
  const operand = lowering.required(node);
  if (!mayBe(operand.type, "bool")) {
    return lowering.problem(node, `${textOf(node)} must be true or false, but is ${describe(operand.type)}.`);
  }
  const { run, weight } = operand;
  return {
    type: bool,
    weight,
    run: (frame) => {
      const value = run(frame);
      return typeof value === "boolean" ? value : fail(`is ${kindNames[kindOf(value)]} and not true or false`, node);
    },
  };
}

function isFraction(operand: Lowered): boolean {
  return typeof operand.literal === "number" && !Number.isSafeInteger(operand.literal);
}

function mismatch(node: ASTNode & { op: string }, left: Lowered, right: Lowered): string {
  const kinds = [left.type.kind, right.type.kind];
  const hint =
    kinds.includes("string") && kinds.some((kind) => kind !== "string")
      ? ": convert one side with string(...), double(...) or decimal(...)"
      : "";
  return `${textOf(node)} uses ${node.op} on ${describe(left.type)} and ${describe(right.type)}${hint}.`;
}
