import type { JsonObject, JsonValue } from "@procedo/contract";
import { isObject, own } from "./json-object.ts";
import type { Resolved } from "./references.ts";

/** What a discriminator demands of an alternative that is this `$ref`; `undefined`: nothing. */
export type AlternativeRule = (ref: JsonValue) => JsonObject | undefined;

const noRule: AlternativeRule = () => undefined;

/**
 * An explicit mapping gives each alternative the names by which it is told: each then has to carry one of its own. Names that
 * are not mapped, and a mapping that contradicts what an alternative itself says of the property, change nothing.
 */
export function alternativeRule(
  schema: JsonObject,
  resolve: (ref: JsonValue) => Resolved,
  schemasAt: string,
): AlternativeRule {
  const discriminator = own(schema, "discriminator");
  const property = isObject(discriminator) ? own(discriminator, "propertyName") : undefined;
  const mapping = isObject(discriminator) ? own(discriminator, "mapping") : undefined;
  if (typeof property !== "string" || property === "__proto__" || !isObject(mapping)) return noRule;
  const names = new Map<string, string[]>();
  for (const [name, target] of Object.entries(mapping)) {
    if (typeof target !== "string") continue;
    const found = resolve(/[#/]/.test(target) ? target : `#${schemasAt}/${target}`);
    if (found.ok) names.set(found.pointer, [...(names.get(found.pointer) ?? []), name]);
  }
  return (ref) => {
    const found = resolve(ref);
    const own = found.ok ? names.get(found.pointer) : undefined;
    if (!found.ok || own === undefined || contradicts(found.value, property, own)) return undefined;
    return { properties: { [property]: { enum: own } }, required: [property] };
  };
}

function contradicts(alternative: JsonValue, property: string, names: readonly string[]): boolean {
  const properties = isObject(alternative) ? own(alternative, "properties") : undefined;
  const schema = isObject(properties) ? own(properties, property) : undefined;
  const allowed = isObject(schema) ? own(schema, "enum") : undefined;
  return Array.isArray(allowed) && !names.some((name) => allowed.includes(name));
}
