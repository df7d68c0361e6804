import { isExactLiteral } from "../numbers/exact-literal.ts";
import { ExactNumber, plainNumber } from "../numbers/exact-number.ts";
import { fail } from "./evaluation-failure.ts";

/** Maximum number of digits of a decimal. Thirty digits hold any amount, and sixty hold a product of two. */
export const decimalDigits = 100;

/** An exact decimal number: `units` × 10^-`scale`. The scale is kept, so that 12.50 is written as 12.50 again. */
export class Decimal {
  readonly units: bigint;
  readonly scale: number;

  constructor(units: bigint, scale: number) {
    this.units = units;
    this.scale = scale;
  }
}

const grammar = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?$/;

/**
 * Reads `-12.50`: digits, a point, digits. An exponent, a `+` sign, spaces, separators and leading zeros are refused,
 * because they would not be written back unchanged.
 */
export function decimalFromText(text: string): Decimal {
  const parts = text.length > decimalDigits + 2 ? null : grammar.exec(text);
  if (parts === null)
    return fail(`decimal() takes digits with an optional point, such as "-12.50", of ${decimalDigits} digits at most`);
  const [, sign = "", whole = "", fraction = ""] = parts;
  return bounded(BigInt(sign + whole + fraction), fraction.length);
}

/**
 * The digits of a JSON number. For a double, they are the shortest digits that parse to it, which is how the JSON text
 * had them.
 */
export function decimalFromNumber(value: number | ExactNumber): Decimal {
  const [mantissa = "", exponent = "0"] = String(value).toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const scale = fraction.length - Number(exponent);
  if (mantissa.length > 2 * decimalDigits || scale > decimalDigits || scale < -decimalDigits) return tooLong();
  const units = BigInt(whole + fraction);
  return scale >= 0 ? bounded(units, scale) : bounded(units * power(-scale), 0);
}

/** The number with a decimal's digits: a double if it holds all of them. */
export function numberFromDecimal(value: Decimal): number | ExactNumber {
  const digits = decimalToText(value);
  return isExactLiteral(digits) ? Number(digits) : plainNumber(new ExactNumber(digits));
}

/**
 * A whole number beside a decimal is exact, and so is a number beyond a double. A fraction may differ from the digits
 * that were written, so it is refused.
 */
export function decimalOperand(value: Decimal | ExactNumber | number): Decimal {
  if (value instanceof ExactNumber) return decimalFromNumber(value);
  if (typeof value !== "number") return value;
  if (Number.isSafeInteger(value)) return new Decimal(BigInt(value), 0);
  return fail("mixes a decimal with a number that is not whole: write decimal(...) around the number");
}

export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const [left, right, scale] = aligned(a, b);
  return bounded(left + right, scale);
}

export function subtractDecimals(a: Decimal, b: Decimal): Decimal {
  const [left, right, scale] = aligned(a, b);
  return bounded(left - right, scale);
}

export function multiplyDecimals(a: Decimal, b: Decimal): Decimal {
  return bounded(a.units * b.units, a.scale + b.scale);
}

/** Exact, or refused: a quotient with endless digits requires `divide(a, b, places)`, which states the rounding. */
export function divideDecimals(a: Decimal, b: Decimal): Decimal {
  if (b.units === 0n) return fail("divides by zero");
  // A finite quotient within the digits of a decimal has at most twice as many places.
  const places = 2 * decimalDigits;
  const dividend = a.units * power(places);
  if (dividend % b.units !== 0n) {
    return fail("divides decimals without an end: use divide(a, b, places) to round to a number of places");
  }
  const units = dividend / b.units;
  const scale = a.scale - b.scale + places;
  const zeros = units === 0n ? scale : (/0*$/.exec(units.toString())?.[0].length ?? 0);
  const cut = Math.min(zeros, scale - Math.max(a.scale - b.scale, 0));
  return bounded(units / power(cut), scale - cut);
}

/** The quotient with this many places, half away from zero: 0.125 is 0.13. */
export function divideToPlaces(a: Decimal, b: Decimal, places: number): Decimal {
  if (b.units === 0n) return fail("divides by zero");
  const shift = places + b.scale - a.scale;
  const [dividend, divisor] = shift >= 0 ? [a.units * power(shift), b.units] : [a.units, b.units * power(-shift)];
  return bounded(dividedHalfAway(dividend, divisor), places);
}

/** Rounds half away from zero, or pads with zeros, to this many places. */
export function roundDecimal(value: Decimal, places: number): Decimal {
  return divideToPlaces(value, new Decimal(1n, 0), places);
}

/** Truncated towards zero. */
export function truncateDecimal(value: Decimal): Decimal {
  return new Decimal(value.units / power(value.scale), 0);
}

export function negateDecimal(value: Decimal): Decimal {
  return new Decimal(-value.units, value.scale);
}

/** Negative, zero or positive, as `a` is less than, equal to or greater than `b`: 12.50 equals 12.5. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const [left, right] = aligned(a, b);
  return left < right ? -1 : left > right ? 1 : 0;
}

export function decimalToText(value: Decimal): string {
  const digits = magnitude(value.units)
    .toString()
    .padStart(value.scale + 1, "0");
  const sign = value.units < 0n ? "-" : "";
  if (value.scale === 0) return sign + digits;
  return `${sign}${digits.slice(0, -value.scale)}.${digits.slice(-value.scale)}`;
}

function aligned(a: Decimal, b: Decimal): [bigint, bigint, number] {
  if (a.scale === b.scale) return [a.units, b.units, a.scale];
  return a.scale > b.scale
    ? [a.units, b.units * power(a.scale - b.scale), a.scale]
    : [a.units * power(b.scale - a.scale), b.units, b.scale];
}

const limit = 10n ** BigInt(decimalDigits);

function bounded(units: bigint, scale: number): Decimal {
  if (scale > decimalDigits || units >= limit || units <= -limit) return tooLong();
  return new Decimal(units, scale);
}

function tooLong(): never {
  return fail(`makes a decimal of more than ${decimalDigits} digits: round(value, places) keeps it short`);
}

function dividedHalfAway(dividend: bigint, divisor: bigint): bigint {
  const quotient = magnitude(dividend) / magnitude(divisor);
  const rest = magnitude(dividend) % magnitude(divisor);
  const rounded = rest * 2n >= magnitude(divisor) ? quotient + 1n : quotient;
  return dividend < 0n === divisor < 0n ? rounded : -rounded;
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function power(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}
