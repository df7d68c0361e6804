import type { JsonObject, JsonValue } from "@procedo/contract";

/** The name of a member as a token of a JSON pointer (RFC 6901). */
export function pointerToken(name: string): string {
  return name.includes("~") || name.includes("/") ? name.replaceAll("~", "~0").replaceAll("/", "~1") : name;
}

/** The value at a JSON pointer (RFC 6901); `undefined` where there is none. Members of the prototype are none. */
export function valueAt(root: object, pointer: string): JsonValue | undefined {
  let value = root as JsonValue | undefined;
  for (const name of namesOf(pointer)) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as JsonObject)[name];
  }
  return value;
}

/** Sets the value at a JSON pointer, also under a name like `__proto__`, and creates missing objects on the way. */
export function setValueAt(root: object, pointer: string, value: JsonValue): void {
  const names = namesOf(pointer);
  const last = names.pop() ?? "";
  let target = root;
  for (const name of names) {
    if (!Object.hasOwn(target, name)) define(target, name, {});
    target = (target as Record<string, object>)[name] as object;
  }
  define(target, last, value);
}

function namesOf(pointer: string): string[] {
  const tokens = pointer.slice(1).split("/");
  if (!pointer.includes("~")) return tokens;
  return tokens.map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
}
