/** A number other than 0 in a normal form, the same for all notations of it: `0.digits` × 10^power. */
export interface DecimalParts {
  /** Whether the number is below 0. */
  readonly isNegative: boolean;
  /** Without zeros at either end; `""` for 0. */
  readonly digits: string;
  /** The power of ten. */
  readonly power: number;
}

/**
 * Whether a JSON number keeps its digits when it is read as a double and written again: `0.1`, `1.50` and `1e3` do,
 * `9007199254740993`, `0.1000000000000000055` and `1e400` do not.
 */
export function isExactLiteral(literal: string): boolean {
  const value = Number(literal);
  if (!Number.isFinite(value)) return false;
  // A number that rounds to 0 is exact only if all its digits are 0.
  if (value === 0) return !/[1-9]/.test(literal.split(/[eE]/, 1)[0] ?? "");
  return isSame(partsOf(literal), partsOf(String(value)));
}

/** The parts of a number in JSON notation. */
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

/** A loop, because a regular expression for trailing zeros takes quadratic time. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === "0") end -= 1;
  return digits.slice(0, end);
}
