import type { JsonObject, JsonValue } from "@procedo/contract";
import { unescapePointerToken } from "@procedo/contract/syntax";
import type { ArgumentNames } from "./argument-names.ts";
import { targetOf } from "./schema-target.ts";

/** A longer chain of references is left unresolved. */
const maxReferences = 16;

/**
 * An action's schema with the names that a model is offered, in all parts that describe the arguments themselves:
 * alternatives, conditions and the targets of their references. Members of the arguments keep their names. The
 * description of a renamed argument states its own name. Pure.
 */
export function offeredSchema(schema: JsonObject, names: ArgumentNames): JsonObject {
  if (!names.differ) return schema;
  return withOfferedTargets(renamed(schema, { names, root: schema }, 0), names, schema);
}

interface Renaming {
  readonly names: ArgumentNames;
  readonly root: JsonObject;
}

function renamed(schema: JsonObject, renaming: Renaming, references: number): JsonObject {
  const { names, root } = renaming;
  const inside = (part: JsonValue): JsonValue => (isObject(part) ? renamed(part, renaming, references) : part);
  const all = (parts: JsonValue): JsonValue => (isList(parts) ? parts.map(inside) : parts);
  const keyed = (value: JsonValue, each: (member: JsonValue, name: string) => JsonValue): JsonValue =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, member]) => [names.offered(name), each(member, name)]))
      : value;
  const listed = (value: JsonValue): JsonValue =>
    isList(value) ? value.map((name) => (typeof name === "string" ? names.offered(name) : name)) : value;
  const kept: { [keyword: string]: JsonValue } = {};
  for (const [keyword, value] of Object.entries(schema)) {
    switch (keyword) {
      case "properties":
        kept[keyword] = keyed(value, (member, name) =>
          names.offered(name) === name ? member : described(member, name),
        );
        break;
      case "required":
        kept[keyword] = listed(value);
        break;
      case "dependentRequired":
        kept[keyword] = keyed(value, listed);
        break;
      case "dependentSchemas":
        kept[keyword] = keyed(value, inside);
        break;
      case "dependencies":
        kept[keyword] = keyed(value, (one) => (isList(one) ? listed(one) : inside(one)));
        break;
      case "allOf":
      case "anyOf":
      case "oneOf":
        kept[keyword] = all(value);
        break;
      case "if":
      case "then":
      case "else":
      case "not":
        kept[keyword] = inside(value);
        break;
      // Left out: it applies to the own names, which the model does not use.
      case "propertyNames":
        break;
      default:
        kept[keyword] = value;
    }
  }
  const target = references < maxReferences ? targetOf(schema, root) : undefined;
  if (target === undefined) return kept;
  const { $ref: _followed, ...rest } = kept;
  const parts = isList(rest["allOf"]) ? rest["allOf"] : [];
  return { ...rest, allOf: [...parts, renamed(target, renaming, references + 1)] };
}

function described(member: JsonValue, name: string): JsonValue {
  if (member === false) return member;
  const { description, ...rest } = isObject(member) ? member : {};
  const sent = `Sent as ${JSON.stringify(name)}.`;
  return { description: typeof description === "string" ? `${sent} ${description}` : sent, ...rest };
}

/**
 * Adjusts references from members to the arguments, or to the whole schema, so that their targets stay the same. The
 * whole schema has other names now, so its original is added to the definitions.
 */
function withOfferedTargets(offered: JsonObject, names: ArgumentNames, schema: JsonObject): JsonObject {
  const definitions = isObject(schema["$defs"]) ? schema["$defs"] : {};
  const whole = Array.from(
    { length: Object.keys(definitions).length + 1 },
    (_, index) => `arguments${index || ""}`,
  ).find((name) => !Object.hasOwn(definitions, name));
  let isWholeAsked = false;
  const moved = (value: JsonValue): JsonValue => {
    if (isList(value)) return value.map(moved);
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([keyword, part]) => {
        if (keyword !== "$ref" || typeof part !== "string") return [keyword, moved(part)];
        if (part === "#") isWholeAsked = true;
        return [keyword, part === "#" ? `#/$defs/${whole}` : movedPointer(part, names)];
      }),
    );
  };
  const result = moved(offered) as JsonObject;
  if (!isWholeAsked || whole === undefined) return result;
  const { $defs: _definitions, $schema: _dialect, ...asItWas } = schema;
  const others = isObject(result["$defs"]) ? result["$defs"] : {};
  return { ...result, $defs: { ...others, [whole]: moved(asItWas) } };
}

function movedPointer(pointer: string, names: ArgumentNames): string {
  const [root, keyword, token, ...rest] = pointer.split("/");
  if (root !== "#" || keyword !== "properties" || token === undefined) return pointer;
  const name = unescapePointerToken(decoded(token));
  return names.offered(name) === name ? pointer : [root, keyword, names.offered(name), ...rest].join("/");
}

function decoded(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
