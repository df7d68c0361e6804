import type { JsonValue } from "@procedo/contract";
import { jsonPointer } from "../json-pointer.ts";
import type { ImportProblem } from "../imported-api.ts";
import type { Position } from "./api-document.ts";
import type { PositionIndex } from "./position-index.ts";

/** A text that was read: its value and, made on demand, where everything stands. */
export type TextRead =
  | {
      readonly ok: true;
      readonly value: JsonValue;
      readonly positions: () => PositionIndex;
      /** Offset of what a JSON pointer names, found without an index; not of YAML. */
      readonly offsetOf?: (pointer: string) => number;
    }
  | { readonly ok: false; readonly problems: readonly ImportProblem[] };

/** The problem of a name that an object has twice: most readers keep the last, and the author may have meant the first. */
export function doubledName(path: readonly (string | number)[], first: Position, second: Position): ImportProblem {
  const name = JSON.stringify(path.at(-1));
  const message = `The name ${name} stands twice in one object, first on line ${first.line}; remove one, or rename it.`;
  return { severity: "error", pointer: jsonPointer(path), message, ...second };
}
