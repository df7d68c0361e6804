import type { ImportedBody, ImportedOperation, ImportProblem } from "../imported-api.ts";
import { errorAt, isError, shown, warningAt } from "../problem-list.ts";
import { arrangeInputs } from "./arrange-inputs.ts";
import { warnOfOwnServers } from "./base-url.ts";
import type { ReadBody } from "./body-content.ts";
import type { OperationSite } from "./find-operations.ts";
import { own } from "../schema/json-object.ts";
import { negotiatedHeaders } from "./negotiated-headers.ts";
import { readBody } from "./read-body.ts";
import { flag } from "./parameter-encoding.ts";
import { readOutput } from "./read-output.ts";
import { readParameters } from "./read-parameters.ts";
import { isMergePatch, withRemovableMembers } from "./removable-members.ts";
import type { Reading } from "./reading.ts";
import { stepsOfInput } from "./reading-room.ts";
import type { SecuritySchemes } from "./security.ts";

/** Maximum number of inputs of one action. */
export const maxInputs = 1_000;
const maxDescriptionLength = 10_000;

const effects = {
  get: "read",
  head: "read",
  options: "read",
  put: "idempotent",
  delete: "idempotent",
  post: "once",
  patch: "once",
} as const;

export interface ReadOperation {
  /** `undefined` when the operation is refused, with the reasons in `problems`. */
  readonly operation: ImportedOperation | undefined;
  readonly problems: readonly ImportProblem[];
}

export function readOperation(
  reading: Reading,
  site: OperationSite,
  name: string,
  security: SecuritySchemes,
): ReadOperation {
  const problems: ImportProblem[] = [...site.problems];
  const { parameters: declared, body: bodyParameters } = readParameters(reading, site, problems);
  const body = readBody(reading, site, bodyParameters, problems);
  const { output, accept, answersJson } = readOutput(reading, site, problems);
  const parameters = negotiatedHeaders(reading, site, { parameters: declared, body, accept }, problems);
  const inputs =
    parameters.length + (body === undefined ? 0 : body.shape === "whole" ? 1 : body.members.properties.size);
  reading.room.charge(inputs * stepsOfInput);
  if (inputs > maxInputs) {
    problems.push(errorAt(site.pointer, `has ${inputs} inputs; an action takes at most ${maxInputs}.`));
  }
  if (body?.shape === "members" && body.members.properties.has("")) {
    problems.push(errorAt(site.pointer, "The body has a member without a name, which cannot be an input."));
  }
  const description = descriptionOf(site, problems);
  const deprecated = deprecatedOf(site, problems);
  security.check(site.value, site.pointer, reading.problems);
  problems.push(...warnOfOwnServers(site.item, site.itemPointer), ...warnOfOwnServers(site.value, site.pointer));
  const cause = problems.find(isError);
  if (cause !== undefined)
    return { operation: undefined, problems: [...problems, ...listedHere(site, problems, cause)] };
  const arranged = arrangeInputs(parameters, body);
  const input = reading.requests.assemble(arranged.schema, reading.room.boundsOf());
  const operation: ImportedOperation = {
    name,
    operationId: site.operationId,
    method: site.method,
    path: site.path,
    pointer: site.pointer,
    description,
    deprecated,
    effect: effects[site.method],
    input: reading.room.keep(
      body !== undefined && isMergePatch(body.mediaType) ? withRemovableMembers(input, arranged.inputs) : input,
    ),
    get output() {
      return output();
    },
    accept,
    answersJson,
    inputs: arranged.inputs,
    body: body === undefined ? undefined : importedBody(body),
  };
  return { operation, problems };
}

/** Lists each refused operation, even when the fault is in a shared part. */
function listedHere(
  { pointer, method, path }: OperationSite,
  problems: readonly ImportProblem[],
  cause: ImportProblem,
): ImportProblem[] {
  const isHere = (problem: ImportProblem): boolean =>
    problem.pointer === pointer || problem.pointer.startsWith(`${pointer}/`);
  if (problems.some((problem) => isError(problem) && isHere(problem))) return [];
  const message = `${method.toUpperCase()} ${path} is not imported, because of ${cause.pointer}: ${cause.message}`;
  return [errorAt(pointer, message)];
}

function descriptionOf(site: OperationSite, problems: ImportProblem[]): string {
  const summary = textOf(site, "summary", problems);
  const description = textOf(site, "description", problems);
  const separate = summary !== "" && description !== "" && summary !== description;
  const whole = separate ? `${summary}\n\n${description}` : summary || description;
  return whole.length > maxDescriptionLength ? `${whole.slice(0, maxDescriptionLength).trimEnd()}…` : whole;
}

function textOf(site: OperationSite, member: string, problems: ImportProblem[]): string {
  const text = own(site.value, member);
  if (text === undefined || typeof text === "string") return text?.trim() ?? "";
  problems.push(warningAt(`${site.pointer}/${member}`, `must be a text, not ${shown(text)}; it was left out.`));
  return "";
}

function deprecatedOf(site: OperationSite, problems: ImportProblem[]): boolean {
  const deprecated = own(site.value, "deprecated");
  if (deprecated === undefined || typeof deprecated === "boolean") return deprecated ?? false;
  return flag(site.value, "deprecated", false, site.pointer, problems);
}

function importedBody(body: ReadBody): ImportedBody {
  const { mediaType, required, shape, asJson } = body;
  const open = shape === "members" && body.additional !== false;
  const parts = shape === "members" ? body.parts : {};
  const otherParts = shape === "members" ? body.otherParts : undefined;
  return { required, mediaType, ...(asJson && { asJson }), shape, open, parts, ...(otherParts && { otherParts }) };
}
