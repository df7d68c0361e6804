import type { JsonValue } from "../values/json-lines.ts";

/** A member in two versions of an object; `undefined` where it is absent. */
export interface ComparedMember {
  readonly name: string;
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
  readonly hasChanged: boolean;
}

type JsonObject = { readonly [name: string]: JsonValue };

/** The members of two versions, those that differ first. */
export function comparedMembers(before: JsonObject, after: JsonObject): readonly ComparedMember[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const members = names.map((name): ComparedMember => {
    const [old, present] = [memberOf(before, name), memberOf(after, name)];
    return { name, before: old, after: present, hasChanged: JSON.stringify(old) !== JSON.stringify(present) };
  });
  return members.toSorted((a, b) => Number(b.hasChanged) - Number(a.hasChanged));
}

function memberOf(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
