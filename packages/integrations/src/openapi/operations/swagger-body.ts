import type { JsonObject } from "@procedo/contract";
import type { BodyPart, ImportProblem } from "../imported-api.ts";
import { errorAt, shown, warningAt } from "../problem-list.ts";
import { readBodyContent, type ReadBody } from "./body-content.ts";
import { partOf } from "./file-members.ts";
import { readFileSchema } from "./file-schema.ts";
import type { OperationSite } from "./find-operations.ts";
import { essenceOf } from "./media-type-essence.ts";
import { bestMediaType, kindOf, readMediaType } from "./media-types.ts";
import { own } from "../schema/json-object.ts";
import { listedMediaTypes } from "./listed-media-types.ts";
import { flag, readCollectionFormat } from "./parameter-encoding.ts";
import { neededBy } from "./needed-by.ts";
import { type BodyParameter, described, parameterSchema, schemaPart } from "./read-parameters.ts";
import { type Reading, takeProblems } from "./reading.ts";

/** Reads a Swagger 2.0 body, which consists of parameters: one with `in: body`, or the members of a form. */
export function readSwaggerBody(
  reading: Reading,
  site: OperationSite,
  parameters: readonly BodyParameter[],
  problems: ImportProblem[],
): ReadBody | undefined {
  const [body, ...more] = parameters.filter((parameter) => parameter.in === "body");
  const form = parameters.filter((parameter) => parameter.in === "formData");
  for (const parameter of body === undefined ? [] : [...more, ...form]) {
    problems.push(
      errorAt(parameter.pointer, `The body is already described at ${body?.pointer}; a request has only one.`),
    );
  }
  const consumes = listedMediaTypes(reading, site, "consumes", problems);
  if (body !== undefined) return readBodyParameter(reading, body, consumes, problems);
  return form.length === 0 ? undefined : readForm(reading, form, consumes, problems);
}

function readBodyParameter(
  reading: Reading,
  { value, pointer }: BodyParameter,
  consumes: readonly string[],
  problems: ImportProblem[],
): ReadBody | undefined {
  const given = own(value, "schema");
  if (given === undefined) {
    const what = own(value, "type") === undefined ? "any value is accepted" : "its own type is taken";
    problems.push(warningAt(pointer, `has no "schema"; ${what}.`));
  }
  const mediaType = bestMediaType(consumes) ?? "application/json";
  const isOpenType = !consumes.some((each) => essenceOf(each) === essenceOf(mediaType));
  const description = own(value, "description");
  const body = {
    mediaType,
    kind: kindOf(mediaType),
    isOpenType,
    required: flag(value, "required", false, pointer, problems),
    description: typeof description === "string" ? description : undefined,
    schema: given ?? schemaPart(value),
    schemaPointer: given === undefined ? pointer : `${pointer}/schema`,
    encoding: undefined,
    encodingPointer: pointer,
  };
  return readBodyContent(reading, body, problems);
}

function readForm(
  reading: Reading,
  form: readonly BodyParameter[],
  consumes: readonly string[],
  problems: ImportProblem[],
): ReadBody {
  const consumed = new Set(consumes.map((each) => essenceOf(readMediaType(each) ?? "")));
  const onlyMultipart = consumed.has("multipart/form-data") && !consumed.has("application/x-www-form-urlencoded");
  const properties = new Map<string, JsonObject>();
  const required: string[] = [];
  const parts: [string, BodyPart][] = [];
  for (const { name, value, pointer } of form) {
    const isRequired = flag(value, "required", false, pointer, problems);
    if (isRequired) required.push(name);
    const requiredAs = isRequired ? `The form parameter ${shown(name)}` : undefined;
    const member = readMember(reading, value, pointer, requiredAs, problems);
    properties.set(name, member.schema);
    if (member.part !== undefined) parts.push([name, member.part]);
  }
  // Only multipart can carry files, regardless of `consumes`.
  const hasFile = parts.some(([, part]) => part.binary === true);
  return {
    shape: "members",
    mediaType: hasFile || onlyMultipart ? "multipart/form-data" : "application/x-www-form-urlencoded",
    required: required.length > 0,
    members: { properties, required, alternatives: [] },
    additional: false,
    parts: Object.fromEntries(parts),
  };
}

function readMember(
  reading: Reading,
  value: JsonObject,
  pointer: string,
  requiredAs: string | undefined,
  problems: ImportProblem[],
): { schema: JsonObject; part?: BodyPart } {
  const { schema: given, at } = parameterSchema(reading, value, pointer, problems);
  const translated = reading.requests.translate(given, at);
  const needed = requiredAs === undefined ? [] : neededBy(requiredAs, reading, translated.schema);
  takeProblems(reading, translated, problems, needed);
  const file = readFileSchema(reading, translated.schema);
  if (file !== undefined) return { schema: described(file.schema(!file.orPlain), value), part: partOf(file.orPlain) };
  const schema = described(translated.schema, value);
  if (own(value, "type") !== "array") return { schema };
  // Always explicit, because the default for lists differs from OpenAPI 3.0.
  const encoding = readCollectionFormat(value, "query", pointer);
  if (encoding.ok) return { schema, part: { encoding: encoding.encoding } };
  problems.push(...encoding.problems);
  return { schema };
}
