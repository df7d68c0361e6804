import type { JsonObject, JsonValue } from "@procedo/contract";
import type { ImportProblem } from "../imported-api.ts";
import { asWarning, shown, warningAt } from "../problem-list.ts";
import { acceptOf, anyAnswer } from "./accept.ts";
import type { OperationSite } from "./find-operations.ts";
import { essenceOf } from "./media-type-essence.ts";
import { bestFirst, chooseMediaType, kindOf, mayBeJson, mediaTypesOf, readMediaType } from "./media-types.ts";
import { isObject, own } from "../schema/json-object.ts";
import { listedMediaTypes } from "./listed-media-types.ts";
import { jsonPointer } from "@procedo/contract/syntax";
import type { Output } from "./outputs.ts";
import { followReference, type Reading } from "./reading.ts";

/** The response of an operation. */
export interface ReadAnswers {
  readonly output: Output;
  /** The header `Accept` for the response. */
  readonly accept: string;
  /** Whether the document describes the response as JSON. */
  readonly answersJson: boolean;
}

const unknown: Output = () => undefined;

/**
 * Reads the schema of the first 2xx response's JSON, and the media types to request. A call does not depend on it, so
 * each fault is a warning.
 */
export function readOutput(reading: Reading, site: OperationSite, problems: ImportProblem[]): ReadAnswers {
  const pointer = `${site.pointer}/responses`;
  const responses = own(site.value, "responses");
  if (!isObject(responses)) {
    const fault = responses === undefined ? "is missing" : `must be an object, not ${shown(responses)}`;
    problems.push(warningAt(pointer, `${fault}; the operation's response is not known.`));
    return { output: unknown, accept: anyAnswer, answersJson: false };
  }
  const faults: ImportProblem[] = [];
  const produced =
    reading.dialect === "swagger-2.0" ? bestFirst(listedMediaTypes(reading, site, "produces", faults)) : undefined;
  const answers = readResponses(reading, responses, pointer, faults).map((read) => answerOf(read, produced));
  const succeeded = answers
    .filter(({ code }) => /^2(?:\d\d|XX)$/i.test(code))
    .toSorted((a, b) => (a.code < b.code ? -1 : 1));
  // Without a success status, `default` includes success.
  const success = succeeded.length > 0 ? succeeded : answers.filter(({ code }) => code === "default");
  const [first] = succeeded;
  const described = first === undefined ? undefined : described2xx(reading, first, faults);
  for (const fault of faults) problems.push(asWarning(fault));
  const named = success.flatMap(({ types }) => types);
  const best = described?.written === undefined ? [] : [described.written];
  const failure = answers.filter((answer) => !success.includes(answer)).flatMap(({ types }) => types);
  return {
    output: described?.output ?? unknown,
    accept: acceptOf({ success: [...best, ...named], failure }),
    answersJson: described?.isJson ?? named.some((mediaType) => kindOf(mediaType) === "json"),
  };
}

interface ReadResponse {
  readonly code: string;
  readonly value: JsonObject;
  readonly pointer: string;
}

interface Answer extends ReadResponse {
  /** The media types of the response in their notation, in order of preference. */
  readonly types: readonly string[];
}

function readResponses(reading: Reading, responses: JsonObject, at: string, faults: ImportProblem[]): ReadResponse[] {
  return Object.entries(responses).flatMap(([code, value]) => {
    if (code.startsWith("x-")) return [];
    const found = followReference(reading, value, at + jsonPointer([code]), "an object that describes an answer");
    if (found.ok) return [{ code, value: found.value, pointer: found.pointer }];
    faults.push(found.problem);
    return [];
  });
}

/** @param produced media types of the operation in Swagger 2.0. In OpenAPI 3.0, each response has its own */
function answerOf(read: ReadResponse, produced: readonly string[] | undefined): Answer {
  if (produced !== undefined) return { ...read, types: produced };
  const content = own(read.value, "content");
  return { ...read, types: isObject(content) ? bestFirst(mediaTypesOf(Object.keys(content))) : [] };
}

interface Described2xx {
  /** The preferred media type in its notation; `undefined` when the document names none. */
  readonly written: string | undefined;
  /** `undefined` when the response names no type. */
  readonly isJson: boolean | undefined;
  readonly output: Output;
}

function described2xx(reading: Reading, answer: Answer, faults: ImportProblem[]): Described2xx {
  const { types } = answer;
  const { written, schema, at } = reading.dialect === "swagger-2.0" ? ofSwagger(answer) : ofContent(answer, faults);
  if (written === undefined && schema === undefined) return { written, isJson: undefined, output: unknown };
  if (!isJson(reading, { written, schema, at }, types)) return { written, isJson: false, output: unknown };
  if (schema === undefined) return { written, isJson: true, output: unknown };
  reading.lostReferences.name(schema, at, faults);
  return { written, isJson: true, output: reading.outputs.of(schema, at) };
}

interface AnswerSchema {
  readonly written: string | undefined;
  readonly schema: JsonValue | undefined;
  readonly at: string;
}

function ofSwagger({ value, pointer, types: [written] }: Answer): AnswerSchema {
  return { written, schema: own(value, "schema"), at: `${pointer}/schema` };
}

function ofContent({ value, pointer }: Answer, faults: ImportProblem[]): AnswerSchema {
  const content = own(value, "content");
  const chosen = content === undefined ? undefined : chooseMediaType(content, `${pointer}/content`, faults);
  if (chosen === undefined) return { written: undefined, schema: undefined, at: pointer };
  const asked: AnswerSchema = {
    written: chosen.written,
    schema: own(chosen.value, "schema"),
    at: `${chosen.pointer}/schema`,
  };
  return asked.schema === undefined && isObject(content) ? { ...asked, ...jsonSchemaOf(content, pointer) } : asked;
}

/** The schema under another JSON type or a range. Some documents give the preferred type only examples. */
function jsonSchemaOf(content: JsonObject, at: string): Pick<AnswerSchema, "schema" | "at"> | undefined {
  for (const written of bestFirst(mediaTypesOf(Object.keys(content)))) {
    const mediaType = own(content, written) ?? null;
    const schema = isObject(mediaType) ? own(mediaType, "schema") : undefined;
    if (schema !== undefined && kindOf(readMediaType(written) ?? "") === "json") {
      return { schema, at: `${at}/content${jsonPointer([written])}/schema` };
    }
  }
  return undefined;
}

/** Decides by the media type. An object or a list under a vendor type or plain text is also JSON; XML never is. */
function isJson(reading: Reading, { written, schema, at }: AnswerSchema, types: readonly string[]): boolean {
  const mediaType = written === undefined ? "application/json" : (readMediaType(written) ?? "");
  if (kindOf(mediaType) === "json") return true;
  const isText = essenceOf(mediaType) === "text/plain" && !types.some((each) => essenceOf(each).endsWith("xml"));
  return schema !== undefined && (isText || mayBeJson(mediaType)) && isStructure(reading, schema, at);
}

function isStructure(reading: Reading, schema: JsonValue, at: string): boolean {
  const found = followReference(reading, schema, at);
  if (!found.ok) return false;
  const type = own(found.value, "type");
  if (type !== undefined) return type === "object" || type === "array";
  return ["properties", "items", "allOf"].some((name) => own(found.value, name) !== undefined);
}
