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
  /** See `ParameterInput`. */
  readonly fallback?: string;
}

/** A parameter independent of its operation. */
export interface ParameterShape {
  /** `undefined` when the parameter is refused, with the reasons in `problems`. */
  readonly shape: Omit<ReadParameter, "in" | "name"> | undefined;
  readonly problems: readonly ImportProblem[];
}
