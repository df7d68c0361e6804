import { currencyOf } from "./currencies.ts";
import { decimalDigits, decimalFromNumber } from "./decimal.ts";
import type { Decimal } from "./decimal.ts";
import { fail } from "./evaluation-failure.ts";
import { overload } from "./overload.ts";
import type { FunctionDeclaration } from "./overload.ts";
import { string } from "./static-type.ts";

/**
 * `money(4500000, "EUR")` is `45,000.00 EUR`: an amount in minor units in readable form. Exact for whole numbers, for
 * decimals without places, and for texts of digits. An amount in major units is refused, because its digits would be
 * read as cents.
 */
export const moneyFunction: FunctionDeclaration = {
  style: "function",
  checkLiterals([amount, code]) {
    if (typeof amount === "number") unitsOfNumber(amount);
    if (typeof amount === "string") unitsOfText(amount);
    if (typeof code === "string") currencyOf(code);
  },
  overloads: [
    overload(["number", "string"], string, (_frame, amount, code) => moneyText(unitsOfNumber(amount), code)),
    overload(["exact", "string"], string, (_frame, amount, code) =>
      moneyText(unitsOfDecimal(decimalFromNumber(amount)), code),
    ),
    overload(["decimal", "string"], string, (_frame, amount, code) => moneyText(unitsOfDecimal(amount), code)),
    overload(["string", "string"], string, (_frame, amount, code) => moneyText(unitsOfText(amount), code)),
  ],
};

function moneyText(units: bigint, code: string): string {
  const currency = currencyOf(code);
  const { decimals } = currency;
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
  const fraction = decimals === 0 ? "" : `.${digits.slice(-decimals)}`;
  return `${units < 0n ? "-" : ""}${whole}${fraction} ${currency.code}`;
}

function unitsOfNumber(amount: number): bigint {
  return Number.isSafeInteger(amount) ? BigInt(amount) : notMinorUnits();
}

function unitsOfDecimal({ units, scale }: Decimal): bigint {
  return scale === 0 ? units : notMinorUnits();
}

function unitsOfText(amount: string): bigint {
  const isWhole = amount.length <= decimalDigits && /^-?(?:0|[1-9][0-9]*)$/.test(amount);
  return isWhole ? BigInt(amount) : notMinorUnits();
}

function notMinorUnits(): never {
  return fail(
    "takes a whole number of minor units, 4500000 for 45,000.00 EUR; " +
      "multiply an amount with a point first: money(round(decimal(x) * 100, 0), code)",
  );
}
