import type { ExactNumber } from "../numbers/exact-number.ts";
import { arithmetic } from "./arithmetic.ts";
import {
  decimalFromNumber,
  decimalFromText,
  decimalOperand,
  decimalToText,
  divideToPlaces,
  numberFromDecimal,
  roundDecimal,
  truncateDecimal,
} from "./decimal.ts";
import type { Decimal } from "./decimal.ts";
import { fail } from "./evaluation-failure.ts";
import { readNumber } from "./exact-arithmetic.ts";
import { spend } from "./frame.ts";
import { overload } from "./overload.ts";
import type { FunctionDeclaration } from "./overload.ts";
import { decimal, dyn, int, isNumeric, number } from "./static-type.ts";
import type { StaticType } from "./static-type.ts";
import type { Value } from "./value.ts";

/** Functions of numbers and decimals. */
export const numberFunctions: Readonly<Record<string, FunctionDeclaration>> = {
  /** Exact: the digits of a text, or the digits of a number as in JSON. */
  decimal: {
    style: "function",
    checkLiterals([text]) {
      if (typeof text === "string") decimalFromText(text);
    },
    overloads: [
      overload(["string"], decimal, (_frame, text) => decimalFromText(text)),
      overload(["number"], decimal, (_frame, value) => decimalFromNumber(value)),
      overload(["exact"], decimal, (_frame, value) => decimalFromNumber(value)),
      overload(["decimal"], decimal, (_frame, value) => value),
    ],
  },
  /** The nearest double. */
  double: {
    style: "function",
    checkLiterals([text]) {
      if (typeof text === "string") numberFromText(text);
    },
    overloads: [
      overload(["string"], number, (_frame, text) => numberFromText(text)),
      overload(["number"], number, (_frame, value) => value),
      overload(["exact"], number, (_frame, { literal }) => numberFromText(literal)),
      overload(["decimal"], number, (_frame, value) => Number(decimalToText(value))),
    ],
  },
  /** Truncated towards zero. For a time, its seconds since 1970. */
  int: {
    style: "function",
    checkLiterals([text]) {
      if (typeof text === "string") wholeFromText(text);
    },
    overloads: [
      overload(["string"], int, (_frame, text) => wholeFromText(text)),
      overload(["number"], int, (_frame, value) => whole(Math.trunc(value))),
      overload(["exact"], int, (_frame, value) => numberFromDecimal(truncateDecimal(decimalFromNumber(value)))),
      overload(["decimal"], int, (_frame, value) => whole(Math.trunc(Number(decimalToText(value))))),
      overload(["timestamp"], int, (_frame, { ms }) => Math.floor(ms / 1000)),
    ],
  },
  /** Rounds to a number of places, half away from zero: 2.345 to two places is 2.35, -2.345 is -2.35. */
  round: {
    style: "function",
    overloads: [
      overload(["decimal", "number"], decimal, (_frame, value, places) => roundDecimal(value, placesOf(places))),
      overload(["number", "number"], number, (_frame, value, places) =>
        Number(decimalToText(roundDecimal(decimalFromNumber(value), placesOf(places)))),
      ),
      overload(["exact", "number"], number, (_frame, value, places) =>
        numberFromDecimal(roundDecimal(decimalFromNumber(value), placesOf(places))),
      ),
    ],
  },
  /** The decimal quotient, rounded to a number of places, half away from zero. */
  divide: {
    style: "function",
    overloads: [
      overload(["decimal", "decimal", "number"], decimal, (_frame, a, b, places) => quotient(a, b, places)),
      overload(["decimal", "number", "number"], decimal, (_frame, a, b, places) => quotient(a, b, places)),
      overload(["number", "decimal", "number"], decimal, (_frame, a, b, places) => quotient(a, b, places)),
      overload(["decimal", "exact", "number"], decimal, (_frame, a, b, places) => quotient(a, b, places)),
      overload(["exact", "decimal", "number"], decimal, (_frame, a, b, places) => quotient(a, b, places)),
    ],
  },
  /** The sum of a list's numbers and decimals; 0 for an empty list. */
  sum: {
    style: "either",
    overloads: [
      overload(["list"], sumType, (frame, list) => {
        spend(frame, list.length);
        return list.reduce((sum, item) => added(sum, item, frame), 0);
      }),
    ],
  },
};

function added(sum: Value, item: Value, frame: Parameters<(typeof arithmetic)["+"]>[2]): Value {
  const number = readNumber(item, frame);
  if (typeof number === "string" || Array.isArray(number)) return fail("adds items that are not numbers or decimals");
  return arithmetic["+"](sum, number, frame);
}

function quotient(a: Decimal | ExactNumber | number, b: Decimal | ExactNumber | number, places: number): Decimal {
  return divideToPlaces(decimalOperand(a), decimalOperand(b), placesOf(places));
}

function sumType([list]: readonly StaticType[]): StaticType {
  return list?.kind === "list" && isNumeric(list.items) ? list.items : dyn;
}

/** Accepts the same texts as a JSON number. */
function numberFromText(text: string): number {
  if (text.length <= 400 && /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/.test(text)) {
    const value = Number(text);
    if (Number.isFinite(value)) return value;
  }
  return fail('takes text that is a number, such as "-12.5"');
}

function wholeFromText(text: string): number {
  return whole(/^-?[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN);
}

function whole(value: number): number {
  if (Number.isSafeInteger(value)) return value;
  return fail("takes a whole number between -9007199254740991 and 9007199254740991");
}

function placesOf(places: number): number {
  return Number.isInteger(places) && places >= 0 && places <= 30 ? places : fail("takes 0 to 30 places");
}
