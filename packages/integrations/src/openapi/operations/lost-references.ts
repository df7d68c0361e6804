import type { JsonValue } from "@procedo/contract";
import type { ImportProblem } from "../imported-api.ts";
import { warningAt } from "../problem-list.ts";
import { isObject, own } from "../schema/json-object.ts";
import { anyValueHere, resolveSchema } from "../schema/lost-schema.ts";
import type { References } from "../schema/references.ts";
import { isList } from "./is-list.ts";
import { jsonPointer } from "@procedo/contract/syntax";
import type { WrittenReferences } from "./written-references.ts";

/** Finds references without a target in schemas that are not translated yet. */
export interface LostReferences {
  /** The references that the schema at `pointer` reaches for the first time. */
  name(schema: JsonValue, pointer: string, problems: ImportProblem[]): void;
}

const parts = ["items", "additionalProperties", "not", "allOf", "anyOf", "oneOf"];

export function createLostReferences(references: References, { areLost }: WrittenReferences): LostReferences {
  const seen = new Set<string>();
  return {
    name(schema, pointer, problems) {
      if (!areLost) return;
      const unread: [value: JsonValue, pointer: string][] = [[schema, pointer]];
      for (let next = unread.pop(); next !== undefined; next = unread.pop()) {
        const [value, at] = next;
        if (isList(value)) {
          for (const [index, item] of value.entries()) unread.push([item, `${at}/${index}`]);
        } else if (isObject(value)) {
          if (Object.hasOwn(value, "$ref")) {
            const found = resolveSchema(references, own(value, "$ref") ?? null);
            if (!found.ok) problems.push(warningAt(`${at}/$ref`, anyValueHere(found.message)));
            else if (!seen.has(found.pointer)) {
              seen.add(found.pointer);
              unread.push([found.value, found.pointer]);
            }
            continue;
          }
          for (const keyword of parts) unread.push([own(value, keyword) ?? null, `${at}/${keyword}`]);
          const properties = own(value, "properties");
          if (!isObject(properties)) continue;
          for (const [name, property] of Object.entries(properties)) {
            unread.push([property, `${at}/properties${jsonPointer([name])}`]);
          }
        }
      }
    },
  };
}
