import type { JsonObject } from "@procedo/contract";
import type { ImportProblem, ParameterEncoding } from "../imported-api.ts";
import type { Place } from "./parameter-encoding.ts";

/** A parameter that becomes an argument. */
export interface ReadParameter {
  readonly in: Place;
  readonly name: string;
  readonly required: boolean;
  readonly encoding: ParameterEncoding;
  readonly schema: JsonObject;
  /** As `ParameterInput` says. */
  readonly fallback?: string;
}

/** What a parameter is, whichever operation has it. */
export interface ParameterShape {
  /** `undefined`: it is refused, and `problems` say why. */
  readonly shape: Omit<ReadParameter, "in" | "name"> | undefined;
  readonly problems: readonly ImportProblem[];
}
