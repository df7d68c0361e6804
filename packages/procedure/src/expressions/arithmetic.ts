import { compareNumbers, exactFromNumber, ExactNumber } from "../numbers/exact-number.ts";
import {
  addDecimals,
  compareDecimals,
  Decimal,
  decimalOperand,
  divideDecimals,
  multiplyDecimals,
  subtractDecimals,
} from "./decimal.ts";
import { fail } from "./evaluation-failure.ts";
import { calculateExactly, exactNumbers, readNumber } from "./exact-arithmetic.ts";
import { made, spend, spendMadeText } from "./frame.ts";
import type { Frame } from "./frame.ts";
import { Duration, durationOf, Timestamp, timestampAt } from "./time.ts";
import { isList, kindNames, kindOf } from "./value.ts";
import type { Value } from "./value.ts";

export type ArithmeticOperator = "+" | "-" | "*" | "/" | "%";

export type Operation = (left: Value, right: Value, frame: Frame) => Value;

/**
 * The five operators over values. Numbers are those of JSON, so `/` is true division. Only these operators refuse a
 * result that is not finite, or one that lost the exactness of its operands.
 */
export const arithmetic: Readonly<Record<ArithmeticOperator, Operation>> = {
  "+": (left, right, frame) => {
    if (typeof left === "number" && typeof right === "number") return whole(left + right, "+", left, right, frame);
    if (typeof left === "string" && typeof right === "string") {
      if (exactNumbers(left, right, frame) !== undefined) return fail(unclearSum);
      return concatenated(left, right, frame);
    }
    if (isList(left) && isList(right)) {
      spend(frame, left.length + right.length);
      return made(frame, [...left, ...right]);
    }
    if (left instanceof Timestamp && right instanceof Duration) return timestampAt(left.ms + right.ms);
    if (left instanceof Duration && right instanceof Timestamp) return timestampAt(left.ms + right.ms);
    if (left instanceof Duration && right instanceof Duration) return durationOf(left.ms + right.ms);
    return onDecimals("+", addDecimals, left, right, frame);
  },
  "-": (left, right, frame) => {
    if (typeof left === "number" && typeof right === "number") return whole(left - right, "-", left, right, frame);
    if (left instanceof Timestamp && right instanceof Duration) return timestampAt(left.ms - right.ms);
    if (left instanceof Timestamp && right instanceof Timestamp) return durationOf(left.ms - right.ms);
    if (left instanceof Duration && right instanceof Duration) return durationOf(left.ms - right.ms);
    return onDecimals("-", subtractDecimals, left, right, frame);
  },
  "*": (left, right, frame) => {
    if (typeof left === "number" && typeof right === "number") return whole(left * right, "*", left, right, frame);
    return onDecimals("*", multiplyDecimals, left, right, frame);
  },
  "/": (left, right, frame) => {
    if (typeof left !== "number" || typeof right !== "number")
      return onDecimals("/", divideDecimals, left, right, frame);
    return right === 0 ? fail("divides by zero") : exact(left / right, left, right);
  },
  "%": (left, right, frame) => {
    if (typeof left !== "number" || typeof right !== "number") {
      const numbers = exactNumbers(left, right, frame);
      if (numbers === undefined || left instanceof Decimal || right instanceof Decimal)
        return mismatch("%", left, right);
      spend(frame, decimalSteps);
      return calculateExactly("%", numbers);
    }
    if (right === 0) return fail("divides by zero");
    if (!Number.isInteger(left) || !Number.isInteger(right)) return fail("takes % of numbers that are not whole");
    if (!isLarge(left) && !isLarge(right)) return left % right;
    spend(frame, decimalSteps);
    return calculateExactly("%", [exactFromNumber(left), exactFromNumber(right)]);
  },
};

/** `+` if the type of one side is text. */
export function addTexts(left: Value, right: Value, frame: Frame): Value {
  if (typeof left !== "string" || typeof right !== "string") return mismatch("+", left, right);
  return concatenated(left, right, frame);
}

function concatenated(left: string, right: string, frame: Frame): string {
  spendMadeText(frame, left.length + right.length);
  return left + right;
}

const unclearSum =
  "adds two texts of digits that may be numbers: write decimal(...) of both for their sum, or string(...) of both to join them";

/** Negative, zero or positive as the left is less than, equal to or greater than the right. */
export function order(left: Value, right: Value, frame: Frame): number {
  if (typeof left === "number" && typeof right === "number") return left < right ? -1 : left > right ? 1 : 0;
  if (left instanceof Timestamp && right instanceof Timestamp) return left.ms - right.ms;
  if (left instanceof Duration && right instanceof Duration) return left.ms - right.ms;
  const numbers = exactNumbers(left, right, frame);
  if (numbers !== undefined) {
    spend(frame, decimalSteps);
    return compareNumbers(...numbers);
  }
  if (typeof left === "string" && typeof right === "string") return fail(textOrder);
  const decimals = decimalsOf(left, right);
  if (decimals === undefined) return mismatch("a comparison by size", left, right);
  spend(frame, decimalSteps);
  return compareDecimals(...decimals);
}

export const textOrder =
  'compares texts by size, and as text "900" is more than "1000": compare double(...), decimal(...) or timestamp(...) of both';

/**
 * For a double beyond 2^53, the calculation uses the digits that JSON shows, because the binary value differs. The same
 * applies to each result of whole numbers, and to each result beyond 2^53.
 */
function whole(result: number, operator: "+" | "-" | "*", left: number, right: number, frame: Frame): Value {
  const hasLarge = isLarge(left) || isLarge(right);
  const areWhole = Number.isInteger(left) && Number.isInteger(right);
  if (!hasLarge || !(areWhole || isLarge(result)) || !Number.isFinite(result)) return exact(result, left, right);
  spend(frame, decimalSteps);
  return calculateExactly(operator, [exactFromNumber(left), exactFromNumber(right)]);
}

function isLarge(value: number): boolean {
  return Math.abs(value) > Number.MAX_SAFE_INTEGER;
}

/** Refuses an infinite result, and a result beyond 2^53 from exact whole numbers. */
export function exact(result: number, left: number, right: number): number {
  if (result <= Number.MAX_SAFE_INTEGER && result >= Number.MIN_SAFE_INTEGER) return result;
  if (!Number.isFinite(result)) return fail("makes a number that is too large");
  if (Number.isSafeInteger(left) && Number.isSafeInteger(right)) {
    return fail("makes a whole number beyond 9007199254740991, which would not be exact: use decimal(...)");
  }
  return result;
}

/** A decimal has at most a hundred digits, so that one price suits all. */
export const decimalSteps = 8;

function onDecimals(
  operator: Exclude<ArithmeticOperator, "%">,
  operation: (left: Decimal, right: Decimal) => Decimal,
  left: Value,
  right: Value,
  frame: Frame,
): Value {
  spend(frame, decimalSteps);
  if (!(left instanceof Decimal || right instanceof Decimal)) {
    const numbers = exactNumbers(left, right, frame);
    return numbers === undefined ? mismatch(operator, left, right) : calculateExactly(operator, numbers);
  }
  const decimals = decimalsOf(readNumber(left, frame), readNumber(right, frame));
  return decimals === undefined ? mismatch(operator, left, right) : operation(...decimals);
}

/** Both as decimals, if one is a decimal and the other is an amount. */
function decimalsOf(left: Value, right: Value): [Decimal, Decimal] | undefined {
  if (!(left instanceof Decimal || right instanceof Decimal)) return undefined;
  if (!isAmount(left) || !isAmount(right)) return undefined;
  return [decimalOperand(left), decimalOperand(right)];
}

function isAmount(value: Value): value is Decimal | ExactNumber | number {
  return typeof value === "number" || value instanceof Decimal || value instanceof ExactNumber;
}

function mismatch(operation: string, left: Value, right: Value): never {
  return fail(`uses ${operation} on ${kindNames[kindOf(left)]} and ${kindNames[kindOf(right)]}`);
}
