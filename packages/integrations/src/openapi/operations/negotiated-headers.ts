import type { JsonObject } from "@procedo/contract";
import type { ImportProblem } from "../imported-api.ts";
import { warningAt } from "../problem-list.ts";
import type { ReadBody } from "./body-content.ts";
import { isWrittenSo } from "./body-format.ts";
import { isList } from "./is-list.ts";
import { kindOf, readMediaType } from "./media-types.ts";
import type { ReadParameter } from "./read-parameters.ts";

/**
 * Header parameters `Accept`, `Content-Type` and `Authorization` of Swagger 2.0 as arguments. Where the document itself says
 * what one of the first two is, by a default or by the only value of its enum, a call may leave it out. Values of
 * `Content-Type` in which the body is not written are no choice.
 *
 * @param pointer of the operation
 */
export function negotiatedHeaders(
  parameters: readonly ReadParameter[],
  body: ReadBody | undefined,
  pointer: string,
  problems: ImportProblem[],
): readonly ReadParameter[] {
  return parameters.flatMap((parameter) => {
    if (parameter.in !== "header") return [parameter];
    switch (parameter.name.toLowerCase()) {
      case "accept":
        return [withFallback(parameter, preferred(mediaTypesIn(parameter.schema)))];
      case "content-type":
        return contentType(parameter, body, pointer, problems);
      case "authorization":
        problems.push(warningAt(pointer, authorizationIsArgument));
        return [parameter];
      default:
        return [parameter];
    }
  });
}

const authorizationIsArgument =
  "The header Authorization is an argument where the connection's authentication does not set it, and an argument is part " +
  "of the run's record. Give the credential to the connection.";

function contentType(
  parameter: ReadParameter,
  body: ReadBody | undefined,
  pointer: string,
  problems: ImportProblem[],
): readonly ReadParameter[] {
  const said = mediaTypesIn(parameter.schema);
  if (body === undefined) return [withFallback(parameter, preferred(said))];
  const fits = (mediaType: string): boolean => isWrittenSo(body, mediaType);
  const choice = said.choice?.filter(fits);
  if (choice?.length === 0) {
    const message = `The header ${parameter.name} has no value in which the body is written (${body.mediaType}); it is no argument.`;
    problems.push(warningAt(pointer, message));
    return [];
  }
  const fallback = said.fallback !== undefined && fits(said.fallback) ? said.fallback : undefined;
  const schema = choice === undefined ? parameter.schema : { ...withoutDefault(parameter.schema), enum: choice };
  return [withFallback({ ...parameter, schema }, fallback ?? only(choice))];
}

interface SaidTypes {
  /** The enum's media types. */
  readonly choice: readonly string[] | undefined;
  readonly fallback: string | undefined;
}

function mediaTypesIn(schema: JsonObject): SaidTypes {
  const { enum: choice, default: fallback } = schema;
  return {
    choice: isList(choice) ? choice.filter((value) => typeof value === "string") : undefined,
    fallback: typeof fallback === "string" && isMediaTypes(fallback) ? fallback : undefined,
  };
}

/** One or several, as `Accept` takes them. */
function isMediaTypes(text: string): boolean {
  return text.split(",").every((each) => readMediaType(each) !== undefined);
}

/** Of a choice that has one type of JSON, that; else the default, or the one that there is. */
function preferred({ choice, fallback }: SaidTypes): string | undefined {
  const json = choice?.filter((mediaType) => kindOf(mediaType) === "json");
  return fallback !== undefined && (kindOf(fallback) === "json" || json === undefined || json.length === 0)
    ? fallback
    : (only(json) ?? (json?.length === 0 ? only(choice) : undefined) ?? fallback);
}

function only(choice: readonly string[] | undefined): string | undefined {
  const [first] = choice ?? [];
  return choice?.length === 1 && first !== undefined && isMediaTypes(first) ? first : undefined;
}

function withFallback(parameter: ReadParameter, fallback: string | undefined): ReadParameter {
  return fallback === undefined ? parameter : { ...parameter, required: false, fallback };
}

function withoutDefault({ default: _default, ...schema }: JsonObject): JsonObject {
  return schema;
}
