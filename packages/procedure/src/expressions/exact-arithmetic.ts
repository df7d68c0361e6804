import { exactFromNumber, ExactNumber, isExactDigits } from "../numbers/exact-number.ts";
import {
  addDecimals,
  Decimal,
  decimalFromNumber,
  decimalToText,
  divideDecimals,
  multiplyDecimals,
  numberFromDecimal,
  subtractDecimals,
} from "./decimal.ts";
import { fail } from "./evaluation-failure.ts";
import { spend } from "./frame.ts";
import type { Frame } from "./frame.ts";
import type { Value } from "./value.ts";

/**
 * Numbers beyond a double. JSON stores one as the text of its digits. An expression reads it as a number if its type
 * says so, or if it meets a number.
 */
const operations = {
  "+": addDecimals,
  "-": subtractDecimals,
  "*": multiplyDecimals,
  "/": divideDecimals,
  "%": remainder,
} as const;

/** The value at a place that holds a number. */
export function readNumber(value: Value, frame: Frame): Value {
  return (typeof value === "string" ? exactOf(value, frame) : undefined) ?? value;
}

/** Both as numbers with all of their digits, if one of them is beyond a double and both are numbers. */
export function exactNumbers(left: Value, right: Value, frame: Frame): readonly [ExactNumber, ExactNumber] | undefined {
  if (!mayBeBeyond(left) && !mayBeBeyond(right)) return undefined;
  const [one, other] = [exactOf(left, frame), exactOf(right, frame)];
  return one === undefined || other === undefined ? undefined : [one, other];
}

function mayBeBeyond(value: Value): boolean {
  return typeof value === "string" || value instanceof ExactNumber;
}

function exactOf(value: Value, frame: Frame): ExactNumber | undefined {
  if (typeof value === "number") return exactFromNumber(value);
  if (value instanceof Decimal) return new ExactNumber(decimalToText(value));
  if (value instanceof ExactNumber) return spentFor(value, frame);
  if (typeof value !== "string") return undefined;
  spend(frame, value.length >>> 4);
  return isExactDigits(value) ? new ExactNumber(value) : undefined;
}

function spentFor(value: ExactNumber, frame: Frame): ExactNumber {
  spend(frame, value.literal.length >>> 4);
  return value;
}

/** Exact, or refused. A result is a double if a double holds its digits. */
export function calculateExactly(
  operator: keyof typeof operations,
  [left, right]: readonly [ExactNumber, ExactNumber],
): number | ExactNumber {
  return numberFromDecimal(operations[operator](decimalFromNumber(left), decimalFromNumber(right)));
}

export function negateExact({ literal }: ExactNumber): ExactNumber {
  return new ExactNumber(literal.startsWith("-") ? literal.slice(1) : `-${literal}`);
}

function remainder(left: Decimal, right: Decimal): Decimal {
  if (right.units === 0n) return fail("divides by zero");
  const [a, b] = [wholeUnits(left), wholeUnits(right)];
  return a === undefined || b === undefined ? fail("takes % of numbers that are not whole") : new Decimal(a % b, 0);
}

function wholeUnits({ units, scale }: Decimal): bigint | undefined {
  const unit = 10n ** BigInt(scale);
  return units % unit === 0n ? units / unit : undefined;
}
