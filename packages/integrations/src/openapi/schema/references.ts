import type { JsonObject, JsonValue } from "@procedo/contract";
import { jsonPointer, unescapePointerToken } from "@procedo/contract/syntax";
import { isObject } from "./json-object.ts";

/** Resolves `$ref` within the document. External targets are never fetched or opened. */
export interface References {
  /** The final target of a `$ref`, through chains of references. */
  resolve(ref: JsonValue): Resolved;
  /** `value` itself, or its target when it is an object with a `$ref`. `pointer` is the place of `value`. */
  follow(value: JsonValue, pointer: string): Resolved;
}

export type Resolved =
  | { readonly ok: true; readonly value: JsonValue; /** Where `value` stands. */ readonly pointer: string }
  | { readonly ok: false; /** A whole sentence; belongs at the place of the `$ref`. */ readonly message: string };

/** A pointer may lead through references. Each of them costs one level of recursion. */
const maxDetours = 50;

/** Creates the references of one document. Targets are cached, so that long chains cost linear time. */
export function createReferences(root: JsonObject): References {
  const known = new Map<string, Resolved>();

  function resolve(ref: JsonValue, detours: number): Resolved {
    if (typeof ref !== "string") return refuse(`A $ref must be text, not ${typeof ref}.`);
    const passed: string[] = [];
    let next: string = ref;
    let found: Resolved | undefined;
    const seen = new Set<string>();
    while (found === undefined) {
      found = known.get(next);
      if (found !== undefined) break;
      if (seen.has(next)) {
        found = refuse(`$ref "${shown(ref)}" leads in a circle and to nothing; remove one of its links.`);
        break;
      }
      seen.add(next);
      passed.push(next);
      const at = lookUp(next, detours);
      const onward = at.ok && isObject(at.value) && Object.hasOwn(at.value, "$ref") ? at.value["$ref"] : undefined;
      if (typeof onward === "string") next = onward;
      else found = onward === undefined ? at : refuse(`A $ref must be text, not ${typeof onward}.`);
    }
    for (const link of passed) known.set(link, found);
    return found;
  }

  /** One step: the direct target of a pointer, which may be a reference. */
  function lookUp(ref: string, detours: number): Resolved {
    if (!ref.startsWith("#")) {
      return refuse(
        `$ref "${shown(ref)}" leads out of the document and is never followed; copy its target into the document.`,
      );
    }
    const written = ref.slice(1);
    const fragment = decoded(written);
    const found = lookUpFragment(ref, fragment, detours);
    // Some names contain "%20" literally, and are referred to in that form.
    if (found.ok || fragment === written) return found;
    const asWritten = lookUpFragment(ref, written, detours);
    return asWritten.ok ? asWritten : found;
  }

  function lookUpFragment(ref: string, fragment: string, detours: number): Resolved {
    if (fragment === "") return { ok: true, value: root, pointer: "" };
    if (!fragment.startsWith("/") || /~(?![01])/.test(fragment)) {
      return refuse(`$ref "${shown(ref)}" is not a JSON pointer; write it like "#/components/schemas/Name".`);
    }
    let value: JsonValue = root;
    let pointer = "";
    for (const escaped of fragment.slice(1).split("/")) {
      const token = unescapePointerToken(escaped);
      if (isObject(value) && !Object.hasOwn(value, token) && Object.hasOwn(value, "$ref")) {
        if (detours >= maxDetours) return refuse(`$ref "${shown(ref)}" leads through too many references.`);
        const detour: Resolved = resolve(value["$ref"] ?? null, detours + 1);
        if (!detour.ok) return detour;
        ({ value, pointer } = detour);
      }
      const inner = memberOf(value, token);
      if (inner === undefined) return refuse(`$ref "${shown(ref)}" leads to nothing in the document; correct it.`);
      value = inner;
      pointer += jsonPointer([token]);
    }
    return { ok: true, value, pointer };
  }

  return {
    resolve: (ref) => resolve(ref, 0),
    follow(value, pointer) {
      if (!isObject(value) || !Object.hasOwn(value, "$ref")) return { ok: true, value, pointer };
      return resolve(value["$ref"] ?? null, 0);
    },
  };
}

function memberOf(value: JsonValue, token: string): JsonValue | undefined {
  if (Array.isArray(value)) {
    return /^(?:0|[1-9]\d*)$/.test(token) ? (value as readonly JsonValue[])[Number(token)] : undefined;
  }
  return isObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
}

function decoded(fragment: string): string {
  if (!fragment.includes("%")) return fragment;
  try {
    return decodeURIComponent(fragment);
  } catch {
    // A lone % is literal.
    return fragment;
  }
}

const refuse = (message: string): Resolved => ({ ok: false, message });

const shown = (ref: string) => (ref.length > 200 ? `${ref.slice(0, 200)}…` : ref);
