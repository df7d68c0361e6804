import { decimalToText } from "./decimal.ts";
import { keysOf } from "./frame.ts";
import { jsonFunction } from "./json-function.ts";
import { moneyFunction } from "./money.ts";
import { numberFunctions } from "./number-functions.ts";
import { overload } from "./overload.ts";
import type { FunctionDeclaration } from "./overload.ts";
import { dyn, int, string } from "./static-type.ts";
import { textFunctions, textSize } from "./text-functions.ts";
import { timeFunctions } from "./time-functions.ts";
import { durationToText, timestampToText } from "./time.ts";

/** Every function of the language, except `has`, `matches`, the list macros and the methods of optionals. */
export const functions: ReadonlyMap<string, FunctionDeclaration> = new Map(
  Object.entries<FunctionDeclaration>({
    size: {
      style: "either",
      overloads: [
        overload(["string"], int, textSize),
        overload(["list"], int, (_frame, list) => list.length),
        overload(["object"], int, (frame, object) => keysOf(object, frame).length),
      ],
    },
    string: {
      style: "function",
      overloads: [
        overload(["string"], string, (_frame, text) => text),
        overload(["number"], string, (_frame, value) => String(value)),
        overload(["exact"], string, (_frame, { literal }) => literal),
        overload(["bool"], string, (_frame, value) => String(value)),
        overload(["decimal"], string, (_frame, value) => decimalToText(value)),
        overload(["timestamp"], string, (_frame, value) => timestampToText(value)),
        overload(["duration"], string, (_frame, value) => durationToText(value)),
      ],
    },
    /** Discards the schema's type of a value, for schemas that are wrong. */
    dyn: { style: "function", overloads: [overload(["any"], dyn, (_frame, value) => value)] },
    json: jsonFunction,
    money: moneyFunction,
    ...numberFunctions,
    ...textFunctions,
    ...timeFunctions,
  }),
);
