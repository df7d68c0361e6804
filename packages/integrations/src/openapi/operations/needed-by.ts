import type { JsonObject } from "@procedo/contract";
import type { ImportProblem } from "../imported-api.ts";
import { errorAt } from "../problem-list.ts";
import type { Reading } from "./reading.ts";

/**
 * Errors for references without a target on which a required value depends.
 *
 * @param owner - the required value, as the subject of a sentence: `The body`, `The query parameter "page"`
 * @param member - the name of the member of `owner` that the schema describes
 */
export function neededBy(
  owner: string,
  { requests }: Pick<Reading, "requests">,
  schema: JsonObject,
  member = "",
): readonly ImportProblem[] {
  return requests.neededReferences(schema).map(({ reference: { pointer, message }, path }) => {
    const way = member === "" ? path : path === "" || path.startsWith("[") ? member + path : `${member}.${path}`;
    const reason = way === "" ? `${owner} is required.` : `${owner} requires ${JSON.stringify(way.slice(0, 200))}.`;
    return errorAt(pointer, `${message} ${reason}`);
  });
}
