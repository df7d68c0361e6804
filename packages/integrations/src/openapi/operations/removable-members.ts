import type { JsonObject, JsonValue } from "@procedo/contract";
import type { ImportedInput } from "../imported-api.ts";
import { isObject } from "../schema/json-object.ts";
import { nullableSchema } from "../schema/nullable.ts";
import { isList } from "./is-list.ts";

/** RFC 7396: null removes a member of any type. */
export function isMergePatch(mediaType: string): boolean {
  return /^application\/merge-patch\+json\s*(?:;|$)/i.test(mediaType);
}

/**
 * Allows null for each optional member of a merge patch, at every depth of objects, because documents describe members
 * as in the resource. A patch replaces a list as a whole, so its items stay unchanged.
 */
export function withRemovableMembers(schema: JsonObject, inputs: readonly ImportedInput[]): JsonObject {
  const { $defs, ...others } = schema;
  const ofBody = inputs.filter((input) => input.in === "body");
  const whole = ofBody.find(({ name }) => name === "");
  const reached = new Set<string>();
  const root =
    whole === undefined
      ? removable(others, reached, new Set(ofBody.map(({ input }) => input)))
      : withBody(others, whole.input, reached);
  if (!isObject($defs)) return root;
  const patched: Record<string, JsonValue> = {};
  // The loop also visits definitions that this one adds.
  for (const name of reached) {
    const definition = $defs[name];
    if (isObject(definition)) patched[name] = removable(definition, reached);
  }
  return { ...root, $defs: { ...$defs, ...patched } };
}

function withBody(schema: JsonObject, input: string, reached: Set<string>): JsonObject {
  const { properties } = schema;
  const body = isObject(properties) ? properties[input] : undefined;
  if (!isObject(properties) || !isObject(body)) return schema;
  return { ...schema, properties: { ...properties, [input]: removable(body, reached) } };
}

/**
 * @param reached - collects the definitions to which the schema refers
 * @param names - the members of the patch; `undefined` for all
 */
function removable(schema: JsonObject, reached: Set<string>, names?: ReadonlySet<string>): JsonObject {
  const { $ref: ref, properties, additionalProperties, required } = schema;
  if (typeof ref === "string" && ref.startsWith(definitions)) reached.add(ref.slice(definitions.length));
  const kept: { [keyword: string]: JsonValue } = { ...schema };
  if (isObject(properties)) {
    kept["properties"] = Object.fromEntries(
      Object.entries(properties).map(([name, member]) => {
        if (names?.has(name) === false || !isObject(member)) return [name, member];
        const inside = removable(member, reached);
        return [name, isList(required) && required.includes(name) ? inside : withNull(inside)];
      }),
    );
  }
  if (isObject(additionalProperties)) kept["additionalProperties"] = withNull(removable(additionalProperties, reached));
  for (const keyword of ["allOf", "anyOf", "oneOf"]) {
    const parts = schema[keyword];
    if (isList(parts)) kept[keyword] = parts.map((part) => (isObject(part) ? removable(part, reached, names) : part));
  }
  return kept;
}

const definitions = "#/$defs/";

function withNull(schema: JsonObject): JsonObject {
  if (schema["$ref"] === undefined && schema["const"] === undefined) return nullableSchema(schema);
  const { description, ...inside } = schema;
  return { ...(description !== undefined && { description }), anyOf: [inside, { type: "null" }] };
}
