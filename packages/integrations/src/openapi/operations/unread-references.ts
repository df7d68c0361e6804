import type { JsonObject, JsonValue } from "@procedo/contract";
import { type ProblemList, warningAt } from "../problem-list.ts";
import { isObject } from "../schema/json-object.ts";
import type { References } from "../schema/references.ts";
import { isList } from "./is-list.ts";
import { jsonPointer } from "@procedo/contract/syntax";

const data = new Set(["example", "examples", "default", "enum"]);
/** Contains data, not parts of the document. The `default` of several responses is an exception. */
const isData = (name: string, within: string): boolean =>
  name.startsWith("x-") || (data.has(name) && !within.endsWith("/responses"));

/** Finds references out of the document in parts that no action uses, so that they are reported as well. */
export function nameUnreadReferences(root: JsonObject, references: References, problems: ProblemList): void {
  const named = new Set(problems.found.map(({ pointer }) => pointer));
  const unread: { readonly value: JsonValue; readonly pointer: string }[] = [{ value: root, pointer: "" }];
  for (let at = unread.pop(); at !== undefined && !problems.overflowed; at = unread.pop()) {
    const { value, pointer } = at;
    if (isList(value)) {
      for (const [index, item] of value.entries()) unread.push({ value: item, pointer: `${pointer}/${index}` });
    } else if (isObject(value)) {
      for (const [name, member] of Object.entries(value)) {
        if (name === "$ref" && typeof member === "string" && !member.startsWith("#")) {
          const resolved = references.resolve(member);
          if (!resolved.ok && !named.has(`${pointer}/$ref`)) {
            problems.push(warningAt(`${pointer}/$ref`, `${resolved.message} No action needs it.`));
          }
        } else if (typeof member === "object" && !isData(name, pointer)) {
          unread.push({ value: member, pointer: pointer + jsonPointer([name]) });
        }
      }
    }
  }
}
