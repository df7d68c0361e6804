/** A number other than 0 in one form for all ways to write it: `0.digits` × 10^power. */
export interface DecimalParts {
  readonly isNegative: boolean;
  /** Without zeros at either end; `""` is 0. */
  readonly digits: string;
  readonly power: number;
}

/**
 * Whether a JSON number keeps its digits when it is read as a double and written again: `0.1`, `1.50` and `1e3` do,
 * `9007199254740993`, `0.1000000000000000055` and `1e400` do not.
 */
export function isExactLiteral(literal: string): boolean {
  const value = Number(literal);
  if (!Number.isFinite(value)) return false;
  // What rounds to nothing was nothing only if its digits say so.
  if (value === 0) return !/[1-9]/.test(literal.split(/[eE]/, 1)[0] ?? "");
  return isSame(partsOf(literal), partsOf(String(value)));
}

/** The parts of a number as JSON writes it. */
export function partsOf(literal: string): DecimalParts {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(literal) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  if (digits === "") return { isNegative: false, digits: "", power: 0 };
  const power = Number(exponent) + digits.length - fraction.length;
  return { isNegative: sign === "-", digits: withoutTrailingZeros(digits), power };
}

function isSame(a: DecimalParts, b: DecimalParts): boolean {
  return a.isNegative === b.isNegative && a.digits === b.digits && a.power === b.power;
}

/** By hand: a regular expression that looks for zeros at the end takes quadratic time. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === "0") end -= 1;
  return digits.slice(0, end);
}
