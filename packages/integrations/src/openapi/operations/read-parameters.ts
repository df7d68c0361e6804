import type { JsonObject } from "@procedo/contract";
import type { ImportProblem, ParameterEncoding } from "../imported-api.ts";
import { errorAt, isError, shown, warningAt } from "../problem-list.ts";
import { type Declared, declaredParameters } from "./declared-parameters.ts";
import type { OperationSite } from "./find-operations.ts";
import { own } from "../schema/json-object.ts";
import { flag, type Place, readCollectionFormat, readStyle } from "./parameter-encoding.ts";
import { isOwnHeader } from "./own-headers.ts";
import { readParameterContent } from "./parameter-content.ts";
import { neededBy } from "./needed-by.ts";
import { type Reading, takeProblems } from "./reading.ts";

/** A parameter that becomes an argument. */
export interface ReadParameter {
  readonly in: Place;
  readonly name: string;
  readonly required: boolean;
  readonly encoding: ParameterEncoding;
  readonly schema: JsonObject;
  /** As `ParameterInput` says. */
  readonly fallback?: string;
}

/** A parameter of Swagger 2.0 that describes the body, or a part of it. */
export interface BodyParameter {
  readonly in: "body" | "formData";
  readonly name: string;
  readonly value: JsonObject;
  readonly pointer: string;
}

export interface ReadParameters {
  readonly parameters: readonly ReadParameter[];
  readonly body: readonly BodyParameter[];
}

/** The path's parameters and the operation's, which win by name and place. */
export function readParameters(reading: Reading, site: OperationSite, problems: ImportProblem[]): ReadParameters {
  const ofPath = declaredParameters(reading, site.item, site.itemPointer, problems);
  const ofOperation = declaredParameters(reading, site.value, site.pointer, problems);
  const parameters: ReadParameter[] = [];
  const body: BodyParameter[] = [];
  const merged = ofPath.size === 0 ? ofOperation : new Map([...ofPath, ...ofOperation]);
  for (const parameter of merged.values()) {
    const { in: place, name, value, pointer } = parameter;
    if (place === "body" || place === "formData") body.push({ in: place, name, value, pointer });
    else parameters.push(...readParameter(reading, parameter, site, problems));
  }
  for (const name of site.templateNames) {
    if (merged.has(`path ${name}`)) continue;
    const message = `The path has the parameter ${shown(name)}, which is not declared; add it to "parameters" with "in": "path".`;
    problems.push(errorAt(site.pointer, message));
  }
  return { parameters, body };
}

/** None or one. */
function readParameter(
  reading: Reading,
  declared: Declared,
  site: OperationSite,
  problems: ImportProblem[],
): readonly ReadParameter[] {
  const { name, value, pointer } = declared;
  const place = declared.in as Place;
  if (place === "header" && isOwnHeader(name, reading.dialect)) {
    const message = `The header ${name} is no argument: each request has it from its body, its address or the connection.`;
    problems.push(warningAt(pointer, message));
    return [];
  }
  if (place === "header" && !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) {
    problems.push(errorAt(`${pointer}/name`, `${shown(name)} is not the name of a header (RFC 9110, section 5.1).`));
    return [];
  }
  if (place === "path" && !site.templateNames.has(name)) {
    const message = `The path ${shown(site.path)} has no {${name}} to put this parameter into; add it, or remove the parameter.`;
    problems.push(errorAt(pointer, message));
    return [];
  }
  const known = reading.parameters.get(pointer) ?? readShape(reading, value, place, pointer);
  // Of the operation itself, nobody else asks.
  if (!pointer.startsWith(`${site.pointer}/`)) reading.parameters.set(pointer, known);
  problems.push(...known.problems);
  return known.shape === undefined ? [] : [{ in: place, name, ...known.shape }];
}

/** What a parameter is, whichever operation has it. */
export interface ParameterShape {
  /** `undefined`: it is refused, and `problems` say why. */
  readonly shape: Omit<ReadParameter, "in" | "name"> | undefined;
  readonly problems: readonly ImportProblem[];
}

function readShape(reading: Reading, value: JsonObject, place: Place, pointer: string): ParameterShape {
  const problems: ImportProblem[] = [];
  const required = requiredOf(value, place, pointer, problems);
  const requiredAs = required ? `The ${place} parameter ${shown(own(value, "name"))}` : undefined;
  const content = own(value, "content");
  const shape =
    reading.dialect === "openapi-3.0" && content !== undefined && !Object.hasOwn(value, "schema")
      ? readParameterContent(reading, content, `${pointer}/content`, requiredAs, problems)
      : readParameterSchema(reading, value, place, pointer, requiredAs, problems);
  if (shape === undefined || problems.some(isError)) return { shape: undefined, problems };
  return { shape: { required, encoding: shape.encoding, schema: described(shape.schema, value) }, problems };
}

function requiredOf(value: JsonObject, place: Place, pointer: string, problems: ImportProblem[]): boolean {
  const required = flag(value, "required", false, pointer, problems);
  if (place !== "path") return required;
  const given = own(value, "required");
  if (given === undefined || given === false) {
    problems.push(warningAt(pointer, 'A path parameter is always required; write "required": true.'));
  }
  return true;
}

function readParameterSchema(
  reading: Reading,
  value: JsonObject,
  place: Place,
  pointer: string,
  requiredAs: string | undefined,
  problems: ImportProblem[],
): { encoding: ParameterEncoding; schema: JsonObject } | undefined {
  const swagger = reading.dialect === "swagger-2.0";
  const given = swagger ? schemaPart(value) : own(value, "schema");
  if (given === undefined) {
    problems.push(errorAt(pointer, 'has neither "schema" nor "content", so that nobody knows what it takes.'));
    return undefined;
  }
  if (swagger && own(value, "type") === undefined) {
    problems.push(errorAt(pointer, 'has no "type", so that nobody knows what it takes.'));
    return undefined;
  }
  const translated = reading.requests.translate(given, swagger ? pointer : `${pointer}/schema`);
  const needed = requiredAs === undefined ? [] : neededBy(requiredAs, reading, translated.schema);
  takeProblems(reading, translated, problems, needed);
  const encoding = swagger ? readCollectionFormat(value, place, pointer) : readStyle(value, place, pointer);
  if (!encoding.ok) {
    problems.push(...encoding.problems);
    return undefined;
  }
  return { encoding: encoding.encoding, schema: translated.schema };
}

/** A parameter of Swagger 2.0 as a schema: its `required` is a boolean, which no schema has. */
export function schemaPart(parameter: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(parameter).filter(([name]) => name !== "required"));
}

/** What the parameter itself says of an argument stands before what its schema says. */
export function described(schema: JsonObject, owner: JsonObject): JsonObject {
  const description = own(owner, "description");
  return {
    ...schema,
    ...(typeof description === "string" && description !== "" && { description }),
    ...(own(owner, "deprecated") === true && { deprecated: true }),
  };
}
