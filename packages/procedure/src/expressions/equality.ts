import { compareNumbers, ExactNumber } from "../numbers/exact-number.ts";
import { decimalSteps } from "./arithmetic.ts";
import { compareDecimals, Decimal, decimalOperand } from "./decimal.ts";
import { fail } from "./evaluation-failure.ts";
import { exactNumbers } from "./exact-arithmetic.ts";
import { keysOf, spend, spendText } from "./frame.ts";
import type { Frame } from "./frame.ts";
import { Duration, Timestamp } from "./time.ts";
import { isList, isObject } from "./value.ts";
import type { Value, ValueObject } from "./value.ts";

/**
 * CEL's equality: by value, deep, and false between kinds. A decimal equals the whole number and the decimal of the
 * same amount. Beside text or a fraction it is refused, because the answer "not equal" would hide a mistake.
 */
export function equal(left: Value, right: Value, frame: Frame): boolean {
  if (typeof left === "string" && typeof right === "string") {
    if (left.length !== right.length) return false;
    spendText(frame, left.length);
    return left === right;
  }
  if (left === right) return true;
  if (left instanceof ExactNumber || right instanceof ExactNumber) return exactEqual(left, right, frame);
  if (left instanceof Decimal) return decimalEqual(left, right, frame);
  if (right instanceof Decimal) return decimalEqual(right, left, frame);
  if (left instanceof Timestamp) return right instanceof Timestamp && left.ms === right.ms;
  if (left instanceof Duration) return right instanceof Duration && left.ms === right.ms;
  if (isList(left)) return isList(right) && listEqual(left, right, frame);
  if (isObject(left)) return isObject(right) && objectEqual(left, right, frame);
  return false;
}

/** A text that does not contain a number's digits equals no number. */
function exactEqual(left: Value, right: Value, frame: Frame): boolean {
  const numbers = exactNumbers(left, right, frame);
  return numbers !== undefined && compareNumbers(...numbers) === 0;
}

function decimalEqual(left: Decimal, right: Value, frame: Frame): boolean {
  const numbers = exactNumbers(left, right, frame);
  if (numbers !== undefined) return compareNumbers(...numbers) === 0;
  if (typeof right === "string") return fail("compares a decimal with text: write decimal(...) around the text");
  if (typeof right !== "number" && !(right instanceof Decimal)) return false;
  spend(frame, decimalSteps);
  return compareDecimals(left, decimalOperand(right)) === 0;
}

function listEqual(left: readonly Value[], right: readonly Value[], frame: Frame): boolean {
  if (left.length !== right.length) return false;
  return left.every((item, index) => {
    spend(frame, 1);
    return equal(item, right[index], frame);
  });
}

function objectEqual(left: ValueObject, right: ValueObject, frame: Frame): boolean {
  const keys = keysOf(left, frame);
  if (keys.length !== keysOf(right, frame).length) return false;
  return keys.every((key) => {
    spend(frame, 1);
    return Object.hasOwn(right, key) && equal(left[key], right[key], frame);
  });
}
