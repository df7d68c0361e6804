/*
 * Holds the requests of an integration to the document of its service: each one has an operation there, its required
 * fields, and no field that the document does not describe.
 *
 *   documented-requests.ts  the operation of a request, and the parts of it
 *   documented-values.ts    a value and its schema
 *   written-fields.ts       the fields of a query or a form
 */
import type { JsonObject, JsonValue } from "@procedo/contract";
import type { IntegrationProbe, ProbedCall, ProbedExchange } from "@procedo/integrations/testing";
import { readFileSync } from "node:fs";
import { readDocument } from "../packages/integrations/src/openapi/document/read-document.ts";
import {
  isObject,
  listOf,
  objectOf,
  resolved,
  textOf,
  undescribed,
  type ApiDocument,
  type ValueRules,
} from "./documented-values.ts";
import { pathOf } from "./shared-documents.ts";
import { writtenFields } from "./written-fields.ts";

/** Reads a document of a publisher, in JSON or YAML. */
export function readApiDocument(file: string): ApiDocument {
  const text = readFileSync(pathOf("real", file), "utf8");
  if (file.endsWith(".json")) return JSON.parse(text) as ApiDocument;
  const read = readDocument(text);
  if (!read.ok) throw new Error(`${file}: ${read.problems[0]?.message ?? ""}`);
  return read.document.root;
}

/** The requests of a probe with their answers: for the account, of each call, and for past events. */
export function exchangesOf({ account, calls, inbound }: IntegrationProbe): readonly ProbedExchange[] {
  return [
    ...(account?.exchanges ?? []),
    ...Object.values(calls)
      .flat()
      .flatMap(({ exchanges }: ProbedCall) => exchanges),
    ...(inbound?.list?.exchanges ?? []),
  ];
}

/** The parts of requests and answers that the document does not describe, as sentences; empty when there are none. */
export function undocumented(document: ApiDocument, exchanges: readonly ProbedExchange[]): readonly string[] {
  return exchanges.flatMap((exchange) => {
    const operation = operationOf(document, exchange.request);
    const problems =
      operation === undefined
        ? ["has no operation"]
        : [...queryProblems(document, operation, exchange), ...bodyProblems(document, operation, exchange)];
    const answered = operation === undefined ? [] : answerProblems(document, operation, exchange);
    return [
      ...problems.map((problem) => `${exchange.request}: ${problem}`),
      ...answered.map((problem) => `${exchange.request}: its answer: ${problem}`),
    ];
  });
}

/** An operation, with the parameters that its path has too. */
function operationOf(document: ApiDocument, request: string): JsonObject | undefined {
  const [method = "", target = ""] = request.split(" ");
  const path = withoutBase(document, target.split("?")[0] ?? "");
  const templates = Object.keys(objectOf(document["paths"])).filter((template) => fits(template, path));
  // A path without parameters comes before one whose parameter fits too.
  const [template = ""] = templates.toSorted((a, b) => a.split("{").length - b.split("{").length);
  const item = objectOf(objectOf(document["paths"])[template]);
  const operation = item[method.toLowerCase()];
  if (!isObject(operation)) return undefined;
  return { ...operation, parameters: [...listOf(item["parameters"]), ...listOf(operation["parameters"])] };
}

/** A path below the one of the document's server. */
function withoutBase(document: ApiDocument, path: string): string {
  const { url = "" } = objectOf(listOf(document["servers"])[0]);
  const base = textOf(url)
    .replace(/^https?:\/\/[^/]*/, "")
    .replace(/\/$/, "");
  return path.startsWith(`${base}/`) ? path.slice(base.length) : path;
}

function fits(template: string, path: string): boolean {
  const [wanted, given] = [template.split("/"), path.split("/")];
  return (
    wanted.length === given.length &&
    wanted.every((part, index) => part === given[index] || (part.startsWith("{") && given[index] !== ""))
  );
}

const inText: ValueRules = { isComplete: true, isText: true };
const inJson: ValueRules = { isComplete: true, isText: false };

function queryProblems(document: ApiDocument, operation: JsonObject, { request }: ProbedExchange): readonly string[] {
  const parameters = listOf(operation["parameters"])
    .map((parameter) => resolved(document, parameter))
    .filter((parameter) => parameter["in"] === "query");
  const schema = {
    type: "object",
    properties: Object.fromEntries(
      parameters.map(({ name = "", schema: ofName = {} }) => [textOf(name).replace(/\[\]$/, ""), ofName]),
    ),
    required: parameters.filter(({ required }) => required === true).map(({ name = "" }) => name),
  };
  const query = writtenFields(request.split("?").slice(1).join("?"));
  const inOne = parameters.filter(({ explode }) => explode === false).map(({ name = "" }) => textOf(name));
  const fields = Object.entries(query).map(([name, value]) => [
    name,
    inOne.includes(name) ? textOf(value).split(",") : value,
  ]);
  return undescribed(document, Object.fromEntries(fields) as JsonObject, schema, inText, "query ");
}

function bodyProblems(document: ApiDocument, operation: JsonObject, { sent }: ProbedExchange): readonly string[] {
  const body = resolved(document, operation["requestBody"]);
  const content = objectOf(body["content"]);
  if (sent === undefined) return body["required"] === true ? ["has no body"] : [];
  const isForm = typeof sent === "string";
  const mediaType = isForm ? "application/x-www-form-urlencoded" : "application/json";
  const described = content[mediaType];
  if (!isObject(described)) return [`has a body of the type ${mediaType}`];
  const value = isForm ? writtenFields(sent) : sent;
  return undescribed(document, value, described["schema"], isForm ? inText : inJson, "body ");
}

/** An answer of a probe has only the members that matter. */
function answerProblems(
  document: ApiDocument,
  operation: JsonObject,
  { answer, status = 200 }: ProbedExchange,
): readonly string[] {
  const responses = objectOf(operation["responses"]);
  const response = resolved(document, responses[String(status)]);
  const content = objectOf(objectOf(response["content"])["application/json"]);
  if (response["description"] === undefined) return [`has the status ${status}`];
  return undescribed(document, answer, content["schema"], { isComplete: false, isText: false });
}

/** The parts of an object that the document's schema of this name does not describe. */
export function undocumentedObject(document: ApiDocument, name: string, value: JsonValue): readonly string[] {
  const schemas = objectOf(objectOf(document["components"])["schemas"]);
  if (!Object.hasOwn(schemas, name)) return [`There is no schema "${name}".`];
  return undescribed(document, value, schemas[name], { isComplete: false, isText: false }, name);
}
