import type { JsonObject, JsonValue } from "@procedo/contract";
import { pointerTokens } from "@procedo/contract/syntax";

/** The value at a JSON pointer (RFC 6901); `undefined` where there is none. Members of the prototype are none. */
export function valueAt(root: object, pointer: string): JsonValue | undefined {
  let value = root as JsonValue | undefined;
  for (const name of pointerTokens(pointer)) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as JsonObject)[name];
  }
  return value;
}

/** Sets the value at a JSON pointer, also under a name like `__proto__`, and creates missing objects on the way. */
export function setValueAt(root: object, pointer: string, value: JsonValue): void {
  const names = pointerTokens(pointer);
  let target = root;
  for (const name of names.slice(0, -1)) {
    if (!Object.hasOwn(target, name)) define(target, name, {});
    target = (target as Record<string, object>)[name] as object;
  }
  define(target, names.at(-1) ?? "", value);
}

function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
}
