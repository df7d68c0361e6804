import type { JsonObject, JsonValue } from "@procedo/contract";
import type { ImportProblem, ParameterEncoding } from "../imported-api.ts";
import { errorAt, shown, warningAt } from "../problem-list.ts";
import { chooseMediaType } from "./media-types.ts";
import { isObject, own } from "../schema/json-object.ts";
import { neededBy } from "./needed-by.ts";
import { type Reading, takeProblems } from "./reading.ts";

/**
 * Reads a parameter whose value is text of a media type: OpenAPI 3.0's `content`, with one entry.
 *
 * @param requiredAs - a required parameter, as the subject of a sentence
 */
export function readParameterContent(
  reading: Reading,
  content: JsonValue,
  pointer: string,
  requiredAs: string | undefined,
  problems: ImportProblem[],
): { encoding: ParameterEncoding; schema: JsonObject } | undefined {
  const chosen = chooseMediaType(content, pointer, problems);
  if (chosen === undefined) {
    if (isObject(content)) problems.push(errorAt(pointer, "must have one media type."));
    return undefined;
  }
  if (isObject(content) && Object.keys(content).length > 1) {
    problems.push(warningAt(pointer, `must have one media type only; ${shown(chosen.mediaType)} is used.`));
  }
  const schema = own(chosen.value, "schema");
  const translated =
    schema === undefined
      ? { schema: {}, problems: [] }
      : reading.requests.translate(schema, `${chosen.pointer}/schema`);
  const needed = requiredAs === undefined ? [] : neededBy(requiredAs, reading, translated.schema);
  takeProblems(reading, translated, problems, needed);
  return { encoding: { kind: "content", mediaType: chosen.mediaType }, schema: translated.schema };
}
