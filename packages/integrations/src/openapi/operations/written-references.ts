import { isObject } from "../schema/json-object.ts";
import type { References } from "../schema/references.ts";

/** Facts about a document's references from its text. Usually they show that no search is necessary. */
export interface WrittenReferences {
  /** Some references may have no target. Otherwise the search for them is skipped. */
  readonly areLost: boolean;
  /** Some references may leave the document. */
  readonly leadOut: boolean;
}

/** Matches plain JSON and YAML notation. A reference in another notation counts as possibly lost and is resolved. */
const written = /\$ref["']?\s*:\s*["']?([^"'\s,}]*)/g;

/** Scans the text once, which is many times faster than walking all values. */
export function writtenReferences(text: string, references: References): WrittenReferences {
  const different = new Set<string>();
  for (let found = written.exec(text); found !== null; found = written.exec(text)) different.add(found[1] ?? "");
  let areLost = false;
  let leadOut = false;
  for (const ref of different) {
    leadOut ||= !ref.startsWith("#");
    const found = references.resolve(ref);
    areLost ||= !found.ok || !isObject(found.value);
  }
  return { areLost, leadOut };
}
