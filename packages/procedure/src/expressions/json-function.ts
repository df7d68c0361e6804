import { fitsDepth } from "../json-bounds.ts";
import { parseKeepingExact } from "../numbers/parse-json.ts";
import { fail } from "./evaluation-failure.ts";
import { spend } from "./frame.ts";
import { overload } from "./overload.ts";
import type { FunctionDeclaration } from "./overload.ts";
import { anyObject, dyn, listOf } from "./static-type.ts";
import type { Value } from "./value.ts";

/** Number of characters that one step reads. */
const charactersPerStep = 2;

/** Maximum nesting depth of a value, the same as for an answer. */
const depthLimit = 64;

/**
 * `json(text)`: the value of a JSON text, for services that put JSON into a text. Numbers keep their digits, like those
 * of an answer. An object or a list is returned unchanged, so that an expression keeps working if the service begins to
 * return JSON as such.
 */
export const jsonFunction: FunctionDeclaration = {
  style: "function",
  checkLiterals([text]) {
    if (typeof text === "string") read(text);
  },
  overloads: [
    overload(["string"], dyn, (frame, text) => {
      spend(frame, 1 + Math.ceil(text.length / charactersPerStep));
      return read(text);
    }),
    overload(
      ["object"],
      ([object]) => (object?.kind === "object" ? object : anyObject),
      (_frame, value) => value,
    ),
    overload(
      ["list"],
      ([list]) => (list?.kind === "list" ? list : listOf(dyn)),
      (_frame, value) => value,
    ),
  ],
};

function read(text: string): Value {
  const parsed = parseKeepingExact(text.startsWith("\uFEFF") ? text.slice(1) : text);
  if (!parsed.ok) {
    return fail(`takes JSON text, but its text ${parsed.message.replace(/\.$/, "")}`);
  }
  if (!fitsDepth(parsed.value, depthLimit)) return fail(`reads JSON that nests deeper than ${depthLimit} levels`);
  return parsed.value;
}
