import type { JsonObject, JsonValue } from "@procedo/contract";
import { isObject, own } from "./json-object.ts";
import type { Resolved } from "./references.ts";

/** The constraint that a discriminator adds to the alternative with this `$ref`; `undefined` when there is none. */
export type AlternativeRule = (ref: JsonValue) => JsonObject | undefined;

const noRule: AlternativeRule = () => undefined;

/**
 * An explicit mapping assigns names to each alternative, which must then carry one of them. Names without a mapping,
 * and a mapping that contradicts the alternative's own property, have no effect.
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
