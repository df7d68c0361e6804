import type { JsonObject, JsonValue } from "@procedo/contract";
import { isObject } from "./json-object.ts";
import type { References, Resolved } from "./references.ts";
import type { SchemaPurpose } from "./schema-purpose.ts";

/** A reference to a schema that is missing in the document. */
export interface LostReference {
  /** JSON pointer to the `$ref`. */
  readonly pointer: string;
  /** A complete sentence that names the `$ref`. */
  readonly message: string;
}

const lostReferences = new WeakMap<JsonObject, LostReference>();

/** Replaces a missing schema and accepts any value. In a response, it has no description. */
export function lostSchema(reference: LostReference, purpose: SchemaPurpose): JsonObject {
  const description = "Any value: the document lacks the referenced schema.";
  const schema: JsonObject = purpose === "request" ? { description } : {};
  lostReferences.set(schema, reference);
  return schema;
}

/** The reference behind a replacement schema; `undefined` for other schemas. */
export const lostReferenceOf = (schema: JsonObject): LostReference | undefined => lostReferences.get(schema);

/** The message for a lost reference that the call does not need. */
export const anyValueHere = (message: string): string => `${message} Any value is accepted here.`;

/** Components other than schemas, including those of Swagger 2.0. */
const otherComponents =
  /^\/(?:components\/(?:responses|parameters|examples|requestBodies|headers|securitySchemes|links|callbacks)|responses|securityDefinitions)\/[^/]+$/;

/** The target schema of a `$ref`. A target of another kind counts as missing. */
export function resolveSchema(references: References, ref: JsonValue): Resolved {
  const found = references.resolve(ref);
  // An empty schema accepts any value.
  if (!found.ok || found.value === null) return found;
  if (isObject(found.value) && !otherComponents.test(found.pointer)) return found;
  const shown = typeof ref === "string" ? ref.slice(0, 200) : "";
  return { ok: false, message: `$ref "${shown}" leads to ${found.pointer}, which is not a schema; correct it.` };
}
