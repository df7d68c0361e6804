import type { JsonObject } from "@procedo/contract";
import type { Alternatives, MemberRules, Members } from "./members.ts";

/**
 * The schema of an object with these members, without its type. A required member without a description accepts any
 * value.
 */
export function schemaOfMembers(members: Members): JsonObject {
  const { required, alternatives, additional } = members;
  const undescribed = requiredAnywhere(members).filter((name) => !members.properties.has(name) && name !== "__proto__");
  const properties = [...members.properties, ...undescribed.map((name): [string, JsonObject] => [name, {}])];
  return {
    properties: Object.fromEntries(properties),
    ...requiredOf(required),
    ...(additional !== undefined && { additionalProperties: additional }),
    ...alternativesOf(alternatives),
  };
}

/** All names that the members or one of their alternatives require. */
export function requiredAnywhere({
  required,
  alternatives,
}: Pick<Members, "required" | "alternatives">): readonly string[] {
  return [...required, ...alternatives.flatMap(({ of }) => of.flatMap(requiredAnywhere))];
}

export const requiredOf = (names: readonly string[]): { required?: readonly string[] } =>
  names.length === 0 ? {} : { required: names };

/** The additional constraints of the members. @param nameOf - the name of a member in the schema */
export function alternativesOf(
  alternatives: readonly Alternatives[],
  nameOf: (member: string) => string = (member) => member,
): JsonObject {
  const schemas = alternatives.map(({ kind, of }): JsonObject => ({
    [kind]: of.map((rules) => rulesOf(rules, nameOf)),
  }));
  return schemas.length === 1 ? (schemas[0] ?? {}) : schemas.length === 0 ? {} : { allOf: schemas };
}

function rulesOf(rules: MemberRules, nameOf: (member: string) => string): JsonObject {
  return {
    properties: Object.fromEntries([...rules.properties].map(([name, schema]) => [nameOf(name), schema])),
    ...requiredOf(rules.required.map(nameOf)),
    ...alternativesOf(rules.alternatives, nameOf),
  };
}
