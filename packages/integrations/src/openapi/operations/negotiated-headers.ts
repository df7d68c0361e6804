import type { JsonObject } from "@procedo/contract";
import type { ImportProblem } from "../imported-api.ts";
import { warningAt } from "../problem-list.ts";
import type { ReadBody } from "./body-content.ts";
import { isWrittenSo } from "./body-format.ts";
import type { OperationSite } from "./find-operations.ts";
import { isList } from "./is-list.ts";
import { listedMediaTypes } from "./listed-media-types.ts";
import { bestMediaType, isMediaTypeList, kindOf } from "./media-types.ts";
import type { ReadParameter } from "./parameter-shape.ts";
import type { Reading } from "./reading.ts";

/** The known parts of an operation when its headers are read. */
interface Negotiating {
  readonly parameters: readonly ReadParameter[];
  readonly body: ReadBody | undefined;
  /** The header `Accept` for its responses. */
  readonly accept: string;
}

/**
 * Reads the header parameters `Accept`, `Content-Type` and `Authorization` of Swagger 2.0 as arguments. The first two
 * are never required, because every request has a value: the default, the only value of an enum, or `produces` and
 * `consumes`. Their descriptions state the value that is sent without an argument. Values of `Content-Type` with
 * another format than the body are removed.
 */
export function negotiatedHeaders(
  reading: Reading,
  site: OperationSite,
  { parameters, body, accept }: Negotiating,
  problems: ImportProblem[],
): readonly ReadParameter[] {
  return parameters.flatMap((parameter) => {
    if (parameter.in !== "header") return [parameter];
    switch (parameter.name.toLowerCase()) {
      case "accept":
        return [optional(parameter, preferred(mediaTypesIn(parameter.schema)), accept)];
      case "content-type":
        return body === undefined
          ? [withoutBody(reading, site, parameter)]
          : contentType(parameter, body, site.pointer, problems);
      case "authorization":
        problems.push(warningAt(site.pointer, authorizationIsArgument));
        return [parameter];
      default:
        return [parameter];
    }
  });
}

const authorizationIsArgument =
  "The header Authorization is an argument where the connection's authentication does not set it, and an argument is part " +
  "of the run's record. Give the credential to the connection.";

/** A request without a body has no `Content-Type`. If the document requires the header, it comes from `consumes`. */
function withoutBody(reading: Reading, site: OperationSite, parameter: ReadParameter): ReadParameter {
  const said = mediaTypesIn(parameter.schema);
  const fallback = preferred(said);
  if (fallback !== undefined || !parameter.required) return optional(parameter, fallback, undefined);
  // Problems of the list are reported with the body.
  const consumed = said.choice ?? listedMediaTypes(reading, site, "consumes", []);
  return optional(parameter, bestMediaType(consumed) ?? "application/json", undefined);
}

function contentType(
  parameter: ReadParameter,
  body: ReadBody,
  pointer: string,
  problems: ImportProblem[],
): readonly ReadParameter[] {
  const said = mediaTypesIn(parameter.schema);
  const fits = (mediaType: string): boolean => isWrittenSo(body, mediaType);
  const choice = said.choice?.filter(fits);
  if (choice?.length === 0) {
    const message = `The header ${parameter.name} has no value with the format of the body (${body.mediaType}); it is not an argument.`;
    problems.push(warningAt(pointer, message));
    return [];
  }
  const fallback = said.fallback !== undefined && fits(said.fallback) ? said.fallback : undefined;
  const schema = choice === undefined ? parameter.schema : { ...withoutDefault(parameter.schema), enum: choice };
  return [optional({ ...parameter, schema }, fallback ?? only(choice), body.mediaType)];
}

interface SaidTypes {
  /** The media types of the enum. */
  readonly choice: readonly string[] | undefined;
  readonly fallback: string | undefined;
}

function mediaTypesIn(schema: JsonObject): SaidTypes {
  const { enum: choice, default: fallback } = schema;
  return {
    choice: isList(choice) ? choice.filter((value) => typeof value === "string") : undefined,
    fallback: typeof fallback === "string" && isMediaTypeList(fallback) ? fallback : undefined,
  };
}

/** The only JSON type of a choice, otherwise the default or the only value. */
function preferred({ choice, fallback }: SaidTypes): string | undefined {
  const json = choice?.filter((mediaType) => kindOf(mediaType) === "json");
  return fallback !== undefined && (kindOf(fallback) === "json" || json === undefined || json.length === 0)
    ? fallback
    : (only(json) ?? (json?.length === 0 ? only(choice) : undefined) ?? fallback);
}

function only(choice: readonly string[] | undefined): string | undefined {
  const [first] = choice ?? [];
  return choice?.length === 1 && first !== undefined && isMediaTypeList(first) ? first : undefined;
}

/** @param otherwise the value that is sent when the document's header has no value */
function optional(
  parameter: ReadParameter,
  fallback: string | undefined,
  otherwise: string | undefined,
): ReadParameter {
  const sent = fallback ?? otherwise;
  const without = sent === undefined ? "it is not sent" : `"${sent}" is sent`;
  const { description } = parameter.schema;
  const text = typeof description === "string" ? `${description.trimEnd()}\n\n` : "";
  return {
    ...parameter,
    required: false,
    schema: { ...parameter.schema, description: `${text}If omitted, ${without}.` },
    ...(fallback !== undefined && { fallback }),
  };
}

function withoutDefault({ default: _default, ...schema }: JsonObject): JsonObject {
  return schema;
}
