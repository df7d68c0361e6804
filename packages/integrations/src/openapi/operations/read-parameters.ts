import type { JsonObject, JsonValue } from "@procedo/contract";
import { isHttpToken } from "@procedo/contract/syntax";
import type { ImportProblem, ParameterEncoding } from "../imported-api.ts";
import { asWarning, errorAt, isError, shown, warningAt } from "../problem-list.ts";
import { type Declared, declaredParameters, unlessDispensable } from "./declared-parameters.ts";
import type { OperationSite } from "./find-operations.ts";
import { own } from "../schema/json-object.ts";
import { flag, type Place, plainEncoding, readCollectionFormat, readStyle } from "./parameter-encoding.ts";
import { isOwnHeader } from "./own-headers.ts";
import { readParameterContent } from "./parameter-content.ts";
import { neededBy } from "./needed-by.ts";
import { type Reading, takeProblems } from "./reading.ts";
import type { ReadParameter, ParameterShape } from "./parameter-shape.ts";

/** A parameter of Swagger 2.0 that describes the body or a part of it. */
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

/** The parameters of the path and of the operation. The operation's take precedence by name and place. */
export function readParameters(reading: Reading, site: OperationSite, problems: ImportProblem[]): ReadParameters {
  const { templateNames } = site;
  const ofPath = declaredParameters(reading, { owner: site.item, pointer: site.itemPointer, templateNames }, problems);
  const ofOperation = declaredParameters(
    reading,
    { owner: site.value, pointer: site.pointer, templateNames },
    problems,
  );
  const parameters: ReadParameter[] = [];
  const body: BodyParameter[] = [];
  const declared = ofPath.size === 0 ? ofOperation : new Map([...ofPath, ...ofOperation]);
  const merged = placedInPath(placedInQuery(declared, site), site, problems);
  for (const parameter of merged.values()) {
    const { in: place, name, value, pointer } = parameter;
    if (place === "body" || place === "formData") body.push({ in: place, name, value, pointer });
    else parameters.push(...readParameter(reading, parameter, site, problems));
  }
  for (const name of templateNames) {
    if (merged.has(`path ${name}`)) continue;
    const message = `The path has the parameter ${shown(name)}, which is not declared; it is read as a text or a whole number. Add it to "parameters" with "in": "path".`;
    problems.push(warningAt(site.pointer, message));
    parameters.push({ in: "path", name, required: true, encoding: plainEncoding("path"), schema: undeclared });
  }
  for (const name of site.queryNames.keys()) {
    if (merged.has(`query ${name}`)) continue;
    const message = `The query of the path has the parameter ${shown(name)}, which is not declared; it is read as an optional text or number. Add it to "parameters" with "in": "query".`;
    problems.push(warningAt(site.pointer, message));
    const schema = { type: ["string", "number"] };
    parameters.push({ in: "query", name, required: false, encoding: plainEncoding("query"), schema });
  }
  return { parameters: parameters.map(asLabel), body };
}

/** RFC 6570's `/report{.format}` becomes `/report.pdf`: the dot is part of the value, as in OpenAPI's style `label`. */
function asLabel(parameter: ReadParameter): ReadParameter {
  const { in: place, name, encoding } = parameter;
  const isLabel = place === "path" && name.startsWith(".") && encoding.kind === "style" && encoding.style === "simple";
  return isLabel ? { ...parameter, encoding: { ...encoding, style: "label" } } : parameter;
}

const undeclared: JsonObject = { type: ["string", "integer"] };

/**
 * Parameters in the query of a path key, `?q={text}`, as query parameters with the names of their pairs. Most documents
 * declare them with `in: path`.
 */
function placedInQuery(
  declared: ReadonlyMap<string, Declared>,
  { queryNames, templateNames }: OperationSite,
): ReadonlyMap<string, Declared> {
  if (queryNames.size === 0) return declared;
  const placed = new Map(declared);
  for (const [name, parameter] of queryNames) {
    const places = templateNames.has(parameter) ? ["query"] : ["path", "query"];
    const key = places.map((place) => `${place} ${parameter}`).find((each) => declared.has(each));
    const meant = key === undefined ? undefined : declared.get(key);
    if (key === undefined || meant === undefined || placed.has(`query ${name}`)) continue;
    placed.delete(key);
    // With `in: path`, a list is written as one value, as in a path segment: 1,2.
    const inPath = meant.in === "path" ? { ...meant, value: { ...meant.value, style: "form", explode: false } } : meant;
    placed.set(`query ${name}`, { ...inPath, in: "query", name });
  }
  return placed;
}

/**
 * Maps parameters of the path to the names in its template, for example `userid` to `{userId}`. A parameter that is not
 * in the path is left out.
 */
function placedInPath(
  declared: ReadonlyMap<string, Declared>,
  { path, templateNames }: OperationSite,
  problems: ImportProblem[],
): ReadonlyMap<string, Declared> {
  const isPlaced = ({ in: place, name }: Declared): boolean => place !== "path" || templateNames.has(name);
  if ([...declared.values()].every(isPlaced)) return declared;
  const placed = new Map<string, Declared>();
  for (const [key, parameter] of declared) {
    if (isPlaced(parameter)) {
      placed.set(key, parameter);
      continue;
    }
    const { name, pointer } = parameter;
    const [meant, ...others] = [...templateNames].filter((other) => plain(nameIn(other)) === plain(name));
    if (meant !== undefined && others.length === 0 && !declared.has(`path ${meant}`)) {
      problems.push(warningAt(pointer, `The path ${shown(path)} has no {${name}}; it is read as {${meant}}.`));
      placed.set(`path ${meant}`, { ...parameter, name: meant });
    } else {
      const message = `The path ${shown(path)} has no {${name}} to put this parameter into; it is left out.`;
      problems.push(warningAt(pointer, message));
    }
  }
  return placed;
}

/** Frameworks put patterns into their paths: `{id:[0-9]+}`, `{name=projects/*}`. */
const nameIn = (placeholder: string): string => placeholder.split(/[:=]/, 1)[0] ?? placeholder;

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

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
    const message = `The header ${name} is not an argument: each request gets it from its body, its address or the connection.`;
    problems.push(warningAt(pointer, message));
    return [];
  }
  if (place === "header" && !isHttpToken(name)) {
    const fault = errorAt(`${pointer}/name`, `${shown(name)} is not the name of a header (RFC 9110, section 5.1).`);
    problems.push(...unlessDispensable(value, pointer, [fault]));
    return [];
  }
  const key = `${place} ${pointer}`;
  const known = reading.parameters.get(key) ?? readShape(reading, value, place, pointer);
  // Reported once, with the operation itself.
  if (!pointer.startsWith(`${site.pointer}/`)) reading.parameters.set(key, known);
  problems.push(...known.problems);
  return known.shape === undefined ? [] : [{ in: place, name, ...known.shape }];
}

function readShape(reading: Reading, value: JsonObject, place: Place, pointer: string): ParameterShape {
  const problems: ImportProblem[] = [];
  const required = requiredOf(value, place, pointer, problems);
  const requiredAs = required ? `The ${place} parameter ${shown(own(value, "name"))}` : undefined;
  const content = own(value, "content") ?? undefined;
  const shape =
    reading.dialect === "openapi-3.0" && content !== undefined && !Object.hasOwn(value, "schema")
      ? readParameterContent(reading, content, `${pointer}/content`, requiredAs, problems)
      : readParameterSchema(reading, value, place, pointer, requiredAs, problems);
  if (shape === undefined || problems.some(isError)) {
    return { shape: undefined, problems: unlessDispensable({ ...value, required }, pointer, problems) };
  }
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
  const { schema: given, at } = parameterSchema(reading, value, pointer, problems);
  const translated = reading.requests.translate(given, at);
  const needed = requiredAs === undefined ? [] : neededBy(requiredAs, reading, translated.schema);
  takeProblems(reading, translated, problems, needed);
  const read =
    reading.dialect === "swagger-2.0" ? readCollectionFormat(value, place, pointer) : readStyle(value, place, pointer);
  if (read.ok) {
    problems.push(...read.problems);
    return { encoding: read.encoding, schema: translated.schema };
  }
  if (!isPlain(translated.schema)) {
    problems.push(...read.problems);
    return undefined;
  }
  problems.push(...read.problems.map(asWarning));
  return { encoding: read.plain, schema: translated.schema };
}

/** Whether values are neither lists nor objects, so that all styles are equal. */
const isPlain = ({ type }: JsonObject): boolean =>
  typeof type === "string" && ["string", "number", "integer", "boolean"].includes(type);

/**
 * The place of a parameter's schema. OpenAPI 3.0 has a member for it, a Swagger 2.0 parameter is the schema itself, and
 * documents mix both.
 */
export function parameterSchema(
  { dialect }: Reading,
  value: JsonObject,
  pointer: string,
  problems: ImportProblem[],
): { readonly schema: JsonValue; readonly at: string } {
  const schema = own(value, "schema");
  const [asMember, asPart] = [
    { schema: schema ?? null, at: `${pointer}/schema` },
    { schema: schemaPart(value), at: pointer },
  ];
  const hasType = (own(value, "type") ?? null) !== null;
  if (dialect === "swagger-2.0" ? hasType : schema !== undefined) return dialect === "swagger-2.0" ? asPart : asMember;
  if (dialect === "swagger-2.0" && schema !== undefined) {
    problems.push(
      warningAt(
        `${pointer}/schema`,
        'Only a parameter of "in": "body" has a schema in Swagger 2.0; it is read as in OpenAPI 3.0.',
      ),
    );
    return asMember;
  }
  if (hasType) {
    problems.push(warningAt(`${pointer}/type`, 'is beside a missing "schema"; it is read as in Swagger 2.0.'));
    return asPart;
  }
  const missing = dialect === "swagger-2.0" ? 'no "type"' : 'neither "schema" nor "content"';
  problems.push(warningAt(pointer, `has ${missing}, so that any value is accepted.`));
  return dialect === "swagger-2.0" ? asPart : { schema: {}, at: pointer };
}

/** A Swagger 2.0 parameter as a schema, without its boolean `required`. */
export function schemaPart(parameter: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(parameter).filter(([name]) => name !== "required"));
}

/** The parameter's own descriptions take precedence over those of its schema. */
export function described(schema: JsonObject, owner: JsonObject): JsonObject {
  const description = own(owner, "description");
  return {
    ...schema,
    ...(typeof description === "string" && description !== "" && { description }),
    ...(own(owner, "deprecated") === true && { deprecated: true }),
  };
}
