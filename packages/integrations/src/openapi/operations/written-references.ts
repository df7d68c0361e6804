import { isObject } from "../schema/json-object.ts";
import type { References } from "../schema/references.ts";

/** What a document's references are like, told of its text: nearly always that there is nothing to look for. */
export interface WrittenReferences {
  /** Some may lead to nothing; where none does, nobody needs to look which. */
  readonly areLost: boolean;
  /** Some may lead out of the document. */
  readonly leadOut: boolean;
}

/** Up to the end of plain JSON and YAML texts; what is written otherwise looks lost, and is looked at. */
const written = /\$ref["']?\s*:\s*["']?([^"'\s,}]*)/g;

/** One quick look over the text, where to walk through all values would take many times longer. */
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
