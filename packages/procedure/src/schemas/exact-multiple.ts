/**
 * Whether `value` is a multiple of `factor`, calculated with the decimal digits as written: 19.99 is a multiple of
 * 0.01, although the quotient of the two doubles is 1998.9999999999998.
 *
 * @param spend - called with the steps for the digits, before the division
 */
export function isExactMultiple(value: number, factor: number, spend: (steps: number) => void): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(factor)) return value % factor === 0;
  const a = decimalOf(value);
  const b = decimalOf(factor);
  // The difference of the scales is limited by the exponent range of doubles, about 650 digits.
  const exponent = Math.min(a.exponent, b.exponent);
  spend(fixedSteps + Math.ceil(Math.abs(a.exponent - b.exponent) / digitsPerStep));
  const scaled = ({ digits, exponent: own }: Decimal) => digits * 10n ** BigInt(own - exponent);
  return scaled(a) % scaled(b) === 0n;
}

const fixedSteps = 60;
const digitsPerStep = 2;

interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

function decimalOf(value: number): Decimal {
  const [mantissa = "0", exponent = "0"] = String(value).split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}
