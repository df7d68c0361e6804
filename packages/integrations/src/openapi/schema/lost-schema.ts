import type { JsonObject, JsonValue } from "@procedo/contract";
import { isObject } from "./json-object.ts";
import type { References, Resolved } from "./references.ts";
import type { SchemaPurpose } from "./schema-purpose.ts";

/** A reference to a schema that the document does not have. */
export interface LostReference {
  /** JSON pointer to the `$ref`. */
  readonly pointer: string;
  /** A whole sentence that names the `$ref`. */
  readonly message: string;
}

const lostReferences = new WeakMap<JsonObject, LostReference>();

/** Stands for a schema that the document does not have: any value is taken. An answer's says nothing about it. */
export function lostSchema(reference: LostReference, purpose: SchemaPurpose): JsonObject {
  const description = "Any value: the document lacks the schema that it refers to here.";
  const schema: JsonObject = purpose === "request" ? { description } : {};
  lostReferences.set(schema, reference);
  return schema;
}

/** The reference that a translated schema stands for; `undefined`: the document has the schema. */
export const lostReferenceOf = (schema: JsonObject): LostReference | undefined => lostReferences.get(schema);

/** What is said of a lost reference where the call can do without. */
export const anyValueHere = (message: string): string => `${message} Any value is taken here.`;

/** Components that are not schemas, and the places of Swagger 2.0 for the same. */
const otherComponents =
  /^\/(?:components\/(?:responses|parameters|examples|requestBodies|headers|securitySchemes|links|callbacks)|responses|securityDefinitions)\/[^/]+$/;

/** The schema that a `$ref` names; another thing in its place is as good as none. */
export function resolveSchema(references: References, ref: JsonValue): Resolved {
  const found = references.resolve(ref);
  // An empty schema takes any value.
  if (!found.ok || found.value === null) return found;
  if (isObject(found.value) && !otherComponents.test(found.pointer)) return found;
  const shown = typeof ref === "string" ? ref.slice(0, 200) : "";
  return { ok: false, message: `$ref "${shown}" leads to ${found.pointer}, which is not a schema; correct it.` };
}
