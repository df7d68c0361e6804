import type { JsonValue } from "@procedo/contract";
import type { ImportProblem } from "../imported-api.ts";
import { asWarning, isError, warningAt } from "../problem-list.ts";
import { type DescribedBody, isEmptyBody, readBodyContent, type ReadBody } from "./body-content.ts";
import { filesOf } from "./file-members.ts";
import { readFileSchema } from "./file-schema.ts";
import type { OperationSite } from "./find-operations.ts";
import { mediaTypeInFull } from "./media-type-names.ts";
import { type ChosenMediaType, chooseMediaType, kindOf } from "./media-types.ts";
import { isObject, own } from "../schema/json-object.ts";
import { flag } from "./parameter-encoding.ts";
import type { BodyParameter } from "./read-parameters.ts";
import { followReference, type Reading } from "./reading.ts";
import { readSwaggerBody } from "./swagger-body.ts";

/** The body of an operation in either dialect; `undefined` when none is sent. */
export function readBody(
  reading: Reading,
  site: OperationSite,
  parameters: readonly BodyParameter[],
  problems: ImportProblem[],
): ReadBody | undefined {
  if (!hasNoBody(site)) return readDescribedBody(reading, site, parameters, problems);
  // The call has no body even when its description is faulty.
  const faults: ImportProblem[] = [];
  const body = readDescribedBody(reading, site, parameters, faults);
  for (const fault of faults) problems.push(asWarning(fault));
  return body;
}

function readDescribedBody(
  reading: Reading,
  site: OperationSite,
  parameters: readonly BodyParameter[],
  problems: ImportProblem[],
): ReadBody | undefined {
  if (reading.dialect === "swagger-2.0") {
    const read = readSwaggerBody(reading, site, parameters, problems);
    return read === undefined ? undefined : unlessWithout(site, `${site.pointer}/parameters`, read, false, problems);
  }
  const given = own(site.value, "requestBody");
  if (given === null) {
    problems.push(warningAt(`${site.pointer}/requestBody`, "is empty; no body is sent."));
    return undefined;
  }
  return given === undefined ? undefined : readRequestBody(reading, site, given, problems);
}

function readRequestBody(
  reading: Reading,
  site: OperationSite,
  given: JsonValue,
  problems: ImportProblem[],
): ReadBody | undefined {
  const at = `${site.pointer}/requestBody`;
  const found = followReference(reading, given, at, "an object that describes a body");
  if (!found.ok) {
    const { problem } = found;
    problems.push(isObject(given) ? { ...problem, message: `${problem.message} The body may be required.` } : problem);
    return undefined;
  }
  const { value, pointer } = found;
  const required = flag(value, "required", false, pointer, problems);
  const content = own(value, "content") ?? null;
  if (content === null) {
    problems.push(warningAt(pointer, 'has no "content"; no body is sent.'));
    return undefined;
  }
  const chosen = chooseMediaType(content, `${pointer}/content`, problems);
  if (chosen === undefined) {
    if (required && !problems.some(isError)) {
      problems.push(warningAt(`${pointer}/content`, "The body is required and has no media type; none is sent."));
    }
    return undefined;
  }
  const description = own(value, "description");
  const bodyOf = (of: ChosenMediaType): DescribedBody => ({
    mediaType: of.mediaType,
    kind: of.kind,
    isOpenType: of.written.includes("*"),
    required,
    description: typeof description === "string" ? description : undefined,
    schema: own(of.value, "schema"),
    schemaPointer: `${of.pointer}/schema`,
    encoding: own(of.value, "encoding"),
    encodingPointer: `${of.pointer}/encoding`,
  });
  const body = bodyOf(chosen);
  const read = readBodyContent(reading, body, problems);
  if (read === undefined) return undefined;
  const multipart = hasFiles(reading, body, read) ? multipartIn(content, `${pointer}/content`) : undefined;
  const ofMultipart: ImportProblem[] = [];
  const withFiles = multipart && readBodyContent(reading, bodyOf(multipart), ofMultipart);
  const isBetter = withFiles !== undefined && takesFiles(withFiles) && !ofMultipart.some(isError);
  if (isBetter) problems.push(...ofMultipart);
  return unlessWithout(site, pointer, isBetter ? withFiles : read, isEmptyBody(body, read), problems);
}

const takesFiles = (read: ReadBody): boolean =>
  read.shape === "members" && Object.values(read.parts).some(({ binary }) => binary === true);

/** Whether a URL-encoded form or a JSON body has files, which only multipart can carry. */
function hasFiles(reading: Reading, { kind }: DescribedBody, read: ReadBody): boolean {
  if (read.shape === "whole") return kind === "json" && readFileSchema(reading, read.schema) !== undefined;
  return (
    (kind === "form" || kind === "json") &&
    read.shape === "members" &&
    filesOf(reading, read.members, {}).parts.size > 0
  );
}

function multipartIn(content: JsonValue, pointer: string): ChosenMediaType | undefined {
  const types = isObject(content) ? Object.entries(content) : [];
  const multipart = types.filter(([written]) => kindOf(mediaTypeInFull(written)) === "multipart");
  return chooseMediaType(Object.fromEntries(multipart), pointer, []);
}

/** RFC 9110, section 9.3.1: content of a GET or HEAD request has no meaning, and clients refuse to send it. */
const hasNoBody = ({ method }: OperationSite): boolean => method === "get" || method === "head";

function unlessWithout(
  site: OperationSite,
  pointer: string,
  body: ReadBody,
  empty: boolean,
  problems: ImportProblem[],
): ReadBody | undefined {
  if (!hasNoBody(site)) return body;
  if (!empty) {
    const message = `A ${site.method.toUpperCase()} request has no body (RFC 9110, 9.3.1); it is left out, and so are its members.`;
    problems.push(warningAt(pointer, message));
  }
  return undefined;
}
