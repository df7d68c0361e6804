import { isExactLiteral, partsOf, type DecimalParts } from "./exact-literal.ts";

/** A JSON number (RFC 8259, 6) with an exponent of at most nine digits, so that it can be calculated with. */
const grammar = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?0*\d{1,9})?$/;

/**
 * Whether a text is the stored form of a number beyond a double: a JSON number whose digits a double would change.
 * `"9007199254740993"` and `"1e400"` are; `"42"`, `"007"` and `"9007199254740992"` are plain texts.
 */
export function isExactDigits(text: string): boolean {
  return text.length > 4 && grammar.test(text) && !isExactLiteral(text);
}

/** A number with all of its digits, whether or not a double can hold them. */
export class ExactNumber {
  /** The number in JSON notation. */
  readonly literal: string;
  #parts: DecimalParts | undefined;

  constructor(literal: string) {
    this.literal = literal;
  }

  /** Sign, digits and power of ten. */
  get parts(): DecimalParts {
    return (this.#parts ??= partsOf(this.literal));
  }

  /** The same for all notations of one number. */
  get key(): string {
    const { isNegative, digits, power } = this.parts;
    return `${isNegative ? "-" : ""}${digits}e${power}`;
  }

  /** Whether the number is whole. */
  get isWhole(): boolean {
    const { digits, power } = this.parts;
    return power >= digits.length;
  }

  /** The number in JSON notation. */
  toString(): string {
    return this.literal;
  }
}

/** The exact value of a double, by the shortest digits that parse to it. */
export function exactFromNumber(value: number): ExactNumber {
  return new ExactNumber(String(value));
}

/** The number that a value represents: a JSON number, or the text of one that a double would change. */
export function exactNumberOf(value: unknown): ExactNumber | undefined {
  if (typeof value === "number") return exactFromNumber(value);
  return typeof value === "string" && isExactDigits(value) ? new ExactNumber(value) : undefined;
}

/** Negative, zero or positive as `a` is less than, equal to or greater than `b`. Takes time linear in the digits. */
export function compareNumbers(a: ExactNumber, b: ExactNumber): number {
  const [left, right] = [a.parts, b.parts];
  const [leftSign, rightSign] = [signOf(left), signOf(right)];
  if (leftSign !== rightSign || leftSign === 0) return leftSign - rightSign;
  return leftSign * compareMagnitudes(left, right);
}

function signOf({ digits, isNegative }: DecimalParts): number {
  if (digits === "") return 0;
  return isNegative ? -1 : 1;
}

/** Digits after the point compare like texts. */
function compareMagnitudes(a: DecimalParts, b: DecimalParts): number {
  if (a.power !== b.power) return a.power - b.power;
  if (a.digits === b.digits) return 0;
  return a.digits < b.digits ? -1 : 1;
}

const digitsTogether = 15;

/**
 * Whether `value` is a multiple of `factor`, which is not 0. Takes time linear in the digits, however large the
 * exponents.
 */
export function isMultipleOf(value: ExactNumber, factor: ExactNumber): boolean {
  const [a, b] = [value.parts, factor.parts];
  if (a.digits === "") return true;
  if (b.digits === "") return false;
  const zeros = a.power - a.digits.length - (b.power - b.digits.length);
  // Neither number has trailing zeros, so a factor with digits beyond the value's last digit cannot divide it.
  if (zeros < 0) return false;
  const divisor = BigInt(b.digits);
  let rest = 0n;
  for (let at = 0; at < a.digits.length; at += digitsTogether) {
    const part = a.digits.slice(at, at + digitsTogether);
    rest = (rest * 10n ** BigInt(part.length) + BigInt(part)) % divisor;
  }
  return (rest * powerOfTen(zeros, divisor)) % divisor === 0n;
}

/** 10^exponent modulo `divisor`, by squaring. */
function powerOfTen(exponent: number, divisor: bigint): bigint {
  let result = 1n;
  let base = 10n % divisor;
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = (result * base) % divisor;
    base = (base * base) % divisor;
  }
  return result;
}

/** A finite double without an exponent: `1e21` is `1000000000000000000000`, `1e-7` is `0.0000001`. */
export function plainDigits(value: number): string {
  const text = String(value);
  return text.includes("e") ? writtenOut(partsOf(text)) : text;
}

/** Maximum number of characters without an exponent; a longer number keeps its exponent. */
const maxWrittenOut = 1_000;

/** A number without an exponent and, if it is whole, without a point, as readers of integers require. */
export function plainNumber(number: ExactNumber): ExactNumber {
  const { literal, parts, isWhole } = number;
  if (!isWhole && !/e/i.test(literal)) return number;
  const isShort = Math.abs(parts.power) + parts.digits.length <= maxWrittenOut;
  return isShort ? new ExactNumber(writtenOut(parts)) : number;
}

function writtenOut({ isNegative, digits, power }: DecimalParts): string {
  const sign = isNegative ? "-" : "";
  if (power <= 0) return `${sign}0.${"0".repeat(-power)}${digits}`;
  const whole = digits.slice(0, power).padEnd(power, "0");
  return sign + (power < digits.length ? `${whole}.${digits.slice(power)}` : whole);
}
