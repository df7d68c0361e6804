import type { JsonObject, JsonValue } from "@procedo/contract";
import type { ImportProblem } from "../imported-api.ts";
import { asWarning, shown, warningAt } from "../problem-list.ts";
import type { OperationSite } from "./find-operations.ts";
import { bestMediaType, chooseMediaType, kindOf } from "./media-types.ts";
import { isObject, own } from "../schema/json-object.ts";
import { isList } from "./is-list.ts";
import { token } from "../json-pointer.ts";
import type { Output } from "./outputs.ts";
import { followReference, type Reading } from "./reading.ts";

const unknown: Output = () => undefined;

/** The schema of the first 2xx answer's JSON. A call does without: whatever is wrong here is a warning. */
export function readOutput(reading: Reading, site: OperationSite, problems: ImportProblem[]): Output {
  const pointer = `${site.pointer}/responses`;
  const responses = own(site.value, "responses");
  if (!isObject(responses)) {
    const fault = responses === undefined ? "is missing" : `must be an object, not ${shown(responses)}`;
    problems.push(warningAt(pointer, `${fault}; what the operation answers is not known.`));
    return unknown;
  }
  const faults: ImportProblem[] = [];
  const answers = readResponses(reading, responses, pointer, faults);
  const [first] = answers
    .filter(({ code }) => /^2(?:\d\d|XX)$/.test(code))
    .toSorted((a, b) => (a.code < b.code ? -1 : 1));
  const output = first === undefined ? unknown : outputOf(reading, site, first, faults);
  for (const fault of faults) problems.push(asWarning(fault));
  return output;
}

interface Answer {
  readonly code: string;
  readonly value: JsonObject;
  readonly pointer: string;
}

function readResponses(reading: Reading, responses: JsonObject, at: string, faults: ImportProblem[]): Answer[] {
  return Object.entries(responses).flatMap(([code, value]) => {
    if (code.startsWith("x-")) return [];
    const found = followReference(reading, value, at + token(code), "an object that describes an answer");
    if (found.ok) return [{ code, value: found.value, pointer: found.pointer }];
    faults.push(found.problem);
    return [];
  });
}

function outputOf(reading: Reading, site: OperationSite, { value, pointer }: Answer, faults: ImportProblem[]): Output {
  const { schema, at } =
    reading.dialect === "swagger-2.0" ? ofSwagger(reading, site, value, pointer) : ofContent(value, pointer, faults);
  if (schema === undefined) return unknown;
  reading.lostReferences.name(schema, at, faults);
  return reading.outputs.of(schema, at);
}

interface AnswerSchema {
  readonly schema: JsonValue | undefined;
  readonly at: string;
}

function ofSwagger(reading: Reading, site: OperationSite, value: JsonObject, pointer: string): AnswerSchema {
  const produces = own(site.value, "produces") ?? own(reading.root, "produces");
  const mediaType = isList(produces) ? bestMediaType(produces) : undefined;
  const isJson = mediaType === undefined || kindOf(mediaType) === "json";
  return { schema: isJson ? own(value, "schema") : undefined, at: `${pointer}/schema` };
}

function ofContent(value: JsonObject, pointer: string, faults: ImportProblem[]): AnswerSchema {
  const content = own(value, "content");
  const chosen = content === undefined ? undefined : chooseMediaType(content, `${pointer}/content`, faults);
  if (chosen?.kind !== "json") return { schema: undefined, at: pointer };
  return { schema: own(chosen.value, "schema"), at: `${chosen.pointer}/schema` };
}
