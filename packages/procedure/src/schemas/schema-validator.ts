import type { JsonObject, JsonValue } from "@procedo/contract";
import type { Violation } from "./violation.ts";

/** A compiled JSON Schema. */
export interface SchemaValidator {
  /** The JSON Schema as given. */
  readonly schema: JsonObject;
  /** Every violation with its JSON pointer; empty if the value fits. */
  validate(value: JsonValue): readonly Violation[];
}
