import type { JsonValue } from "@procedo/contract";
import { jsonPointer } from "@procedo/contract/syntax";
import type { ImportProblem } from "../imported-api.ts";
import type { Position } from "./api-document.ts";
import type { PositionIndex } from "./position-index.ts";

/** A parsed text: its value and, on demand, the positions of its parts. */
export type TextRead =
  | {
      readonly ok: true;
      readonly value: JsonValue;
      readonly positions: () => PositionIndex;
      /** Offset of the value at a JSON pointer, found without an index. Not available for YAML. */
      readonly offsetOf?: (pointer: string) => number;
    }
  | { readonly ok: false; readonly problems: readonly ImportProblem[] };

/** The problem of a duplicate name. Most readers keep the last member, but the author may have meant the first. */
export function doubledName(path: readonly (string | number)[], first: Position, second: Position): ImportProblem {
  const name = JSON.stringify(path.at(-1));
  const message = `The name ${name} appears twice in one object, first on line ${first.line}; remove one, or rename it.`;
  return { severity: "error", pointer: jsonPointer(path), message, ...second };
}
