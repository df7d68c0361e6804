import type { JsonValue } from "@procedo/contract";
import { isObject, own } from "../schema/json-object.ts";
import { isList } from "./is-list.ts";
import type { Reading } from "./reading.ts";

const maxSteps = 20;

/**
 * Whether a schema has a discriminator and no alternatives. Other schemas then extend it with `allOf`, and their values
 * have members that the schema does not name (OpenAPI 3.0.3, 4.7.25; Swagger 2.0, "Models with Polymorphism Support").
 */
export function isBaseOfOthers({ references }: Pick<Reading, "references">, schema: JsonValue | undefined): boolean {
  let at = schema;
  for (let steps = 0; steps < maxSteps && isObject(at); steps++) {
    const found = references.follow(at, "");
    if (!found.ok || !isObject(found.value)) return false;
    const { value } = found;
    if (own(value, "discriminator") !== undefined) {
      return own(value, "oneOf") === undefined && own(value, "anyOf") === undefined;
    }
    // A single part in `allOf` only adds a description to a reference.
    const parts = own(value, "allOf");
    if (!isList(parts) || parts.length !== 1 || own(value, "properties") !== undefined) return false;
    at = parts[0];
  }
  return false;
}
