import type { JsonObject, JsonValue } from "@procedo/contract";
import type { ImportedOperation, ImportProblem } from "../imported-api.ts";
import { errorAt, type ProblemSink, shown, warningAt } from "../problem-list.ts";
import { isObject, own } from "../schema/json-object.ts";
import { jsonPointer } from "@procedo/contract/syntax";
import { type PathKeyPlace, warnOfPathKeys } from "./path-key-warnings.ts";
import { type PathTemplate, readPathTemplate } from "./path-template.ts";
import { followReference, type Reading } from "./reading.ts";

/** The place of an operation in the document, whether or not it can be imported. */
export interface OperationSite {
  readonly method: ImportedOperation["method"];
  readonly path: string;
  readonly pointer: string;
  readonly value: JsonObject;
  readonly item: JsonObject;
  readonly itemPointer: string;
  /** Names in the path's template. */
  readonly templateNames: ReadonlySet<string>;
  /** Parameters of the key's query, by name. */
  readonly queryNames: ReadonlyMap<string, string>;
  readonly operationId: string | undefined;
  readonly problems: readonly ImportProblem[];
}

const methods = ["get", "put", "post", "delete", "options", "head", "patch"] as const;
const itemMembers = {
  "openapi-3.0": new Set(["$ref", "summary", "description", "servers", "parameters"]),
  "swagger-2.0": new Set(["$ref", "parameters"]),
};

/** All operations in the document's order. Other values in their places are problems. */
export function findOperations(reading: Reading, paths: JsonObject, problems: ProblemSink): OperationSite[] {
  const sites: OperationSite[] = [];
  const places: PathKeyPlace[] = [];
  for (const [path, value] of Object.entries(paths)) {
    if (path.startsWith("x-")) continue;
    const pointer = `/paths${jsonPointer([path])}`;
    const template = readPathTemplate(path);
    if (!template.ok) {
      problems.push(errorAt(pointer, `The path ${template.message}; its operations are not imported.`));
    }
    const item = pathItem(reading, value, pointer, problems);
    if (item === undefined) continue;
    const found = operationsOf(reading, path, item, template, problems);
    if (found.length > 0) places.push({ key: path, pointer });
    sites.push(...found);
  }
  warnOfPathKeys(places, problems);
  return sites;
}

interface PathItem {
  readonly value: JsonObject;
  readonly pointer: string;
}

function pathItem(reading: Reading, value: JsonValue, pointer: string, problems: ProblemSink): PathItem | undefined {
  if (!isObject(value)) {
    const message = `must be an object of operations, not ${shown(value)}.`;
    problems.push(value === null ? warningAt(pointer, message) : errorAt(pointer, message));
    return undefined;
  }
  if (!Object.hasOwn(value, "$ref")) return { value, pointer };
  const ignored = methods.filter((method) => Object.hasOwn(value, method));
  if (ignored.length > 0) {
    problems.push(
      errorAt(pointer, `has "$ref" and ${ignored.join(", ")} side by side; only the target of "$ref" is read.`),
    );
  }
  const found = followReference(reading, value, pointer);
  if (found.ok) return found;
  problems.push(found.problem);
  return undefined;
}

/** The operations of a path. A refused path has none, but the faults of its operations are still reported. */
function operationsOf(
  reading: Reading,
  path: string,
  item: PathItem,
  template: PathTemplate,
  problems: ProblemSink,
): OperationSite[] {
  const sites: OperationSite[] = [];
  for (const [member, value] of Object.entries(item.value)) {
    if (member.startsWith("x-") || itemMembers[reading.dialect].has(member)) continue;
    const pointer = item.pointer + jsonPointer([member]);
    const method = methodOf(member, item.value);
    if (method === undefined) {
      // A member that describes no operation can be skipped without loss.
      const isOperation = isObject(value) && ["responses", "operationId"].some((name) => Object.hasOwn(value, name));
      problems.push(isOperation ? errorAt(pointer, noMethod(member)) : warningAt(pointer, noMethod(member)));
      continue;
    }
    if (method !== member) problems.push(warningAt(pointer, `${shown(member)} is read as ${shown(method)}.`));
    const operation = operationAt(reading, value, pointer);
    problems.push(...operation.problems);
    if (operation.value === undefined || !template.ok) continue;
    sites.push({
      method,
      path,
      pointer: operation.pointer,
      value: operation.value,
      item: item.value,
      itemPointer: item.pointer,
      templateNames: template.names,
      queryNames: template.queryNames,
      ...operationIdOf(operation.value, operation.pointer),
    });
  }
  return sites;
}

/** Methods are lower case. Another case is accepted unless both exist. */
function methodOf(member: string, item: JsonObject): OperationSite["method"] | undefined {
  const method = methods.find((known) => known === member.trim().toLowerCase());
  return method === undefined || (method !== member && Object.hasOwn(item, method)) ? undefined : method;
}

function noMethod(member: string): string {
  if (member === "trace") return "A TRACE request has neither input nor output for an action; remove it.";
  return `${shown(member)} is not a method of an operation; use ${methods.join(", ")}, in lower case.`;
}

interface FoundOperation {
  readonly value: JsonObject | undefined;
  readonly pointer: string;
  readonly problems: readonly ImportProblem[];
}

/** The specification does not allow `$ref` for an operation, but documents use it. */
function operationAt(reading: Reading, value: JsonValue, pointer: string): FoundOperation {
  if (!isObject(value)) {
    const message = `must be an object that describes an operation, not ${shown(value)}.`;
    const problem = value === null ? warningAt(pointer, message) : errorAt(pointer, message);
    return { value: undefined, pointer, problems: [problem] };
  }
  if (!Object.hasOwn(value, "$ref")) return { value, pointer, problems: [] };
  const found = followReference(reading, value, pointer);
  if (!found.ok) return { value: undefined, pointer, problems: [found.problem] };
  return {
    ...found,
    problems: [warningAt(pointer, 'An operation cannot be a "$ref"; it was read all the same. Write it out.')],
  };
}

function operationIdOf(value: JsonObject, pointer: string): Pick<OperationSite, "operationId" | "problems"> {
  const operationId = own(value, "operationId") ?? undefined;
  if (operationId === undefined || typeof operationId === "string") return { operationId, problems: [] };
  const isWord = typeof operationId === "number" || typeof operationId === "boolean";
  const what = isWord ? "it is read as one. Put it in quotes" : "the action is named by method and path";
  const problem = warningAt(`${pointer}/operationId`, `must be a text, not ${shown(operationId)}; ${what}.`);
  return { operationId: isWord ? String(operationId) : undefined, problems: [problem] };
}
