import type { ApiAuthentication, JsonObject, JsonValue } from "@procedo/contract";
import type { Exchange, Redactor, Secrets } from "@procedo/engine";
import type { ImportedOperation, ParameterInput } from "../openapi/imported-api.ts";
import { kindOf } from "../openapi/operations/media-types.ts";
import { splitPathKey } from "../openapi/operations/path-template.ts";
import { credentialsOf, hidden, type Credentials } from "./authentication.ts";
import { ownMember } from "./body-members.ts";
import type { WantedTypes } from "./body-type.ts";
import { exactArguments } from "./exact-arguments.ts";
import { fixedPairs } from "./fixed-query.ts";
import { jsonText } from "./json-text.ts";
import { pairsOf, pathText, simpleText, type Pair } from "./parameter-styles.ts";
import { encodePathPart } from "./path-segment.ts";
import { asItIs, encodeStrictly } from "./percent-encoding.ts";
import { recordedBody } from "./recorded-body.ts";
import { requestBody } from "./request-body.ts";
import { requestHeaders } from "./request-headers.ts";
import { targetUrl } from "./target-url.ts";
import { unsendable } from "./unsendable.ts";

/** The part of a request that comes from the connection. */
export interface CallingConnection {
  /** The base of all paths, without query or fragment. */
  readonly baseUrl: string;
  readonly authentication: ApiAuthentication;
  readonly idempotencyHeader: string | undefined;
  /** Headers of every request. An argument takes precedence. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly secrets: Secrets;
  /** Redacts secrets in records. */
  readonly redactor: Redactor;
}

export interface OperationCall {
  readonly operation: ImportedOperation;
  readonly effect: "read" | "idempotent" | "once";
  readonly args: JsonObject;
  readonly connection: CallingConnection;
  /** Identical in every attempt. */
  readonly idempotencyKey: string;
}

export interface OperationRequest {
  /** Upper case. */
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  /** The same body for the record: redacted and bounded. */
  readonly recorded: Exchange["request"];
}

/**
 * Builds the request of an operation with these arguments. Pure: the same call always has the same bytes.
 *
 * @throws EgressError `invalid_input` for arguments that HTTP cannot carry in the form that the document requires
 */
export function operationRequest(given: OperationCall): OperationRequest {
  const args = exactArguments(given.operation.input, given.args);
  const call = { ...given, args };
  const { operation, connection } = call;
  const credentials = credentialsOf(connection.authentication, connection.secrets);
  const url = urlOf(call, credentials);
  const said = saidHeaders(call);
  const body = requestBody(operation, args, call.idempotencyKey, wantedTypes(said));
  const headers = requestHeaders();
  for (const [name, value] of said.flat()) headers.set(name, value);
  // Set together with the body, because the boundary or charset belongs to it.
  if (body !== undefined) headers.set("content-type", body.contentType);
  const cookie = cookieText(operation, args);
  if (cookie !== undefined) headers.set("cookie", cookie);
  if (connection.idempotencyHeader !== undefined && call.effect !== "read") {
    headers.set(connection.idempotencyHeader, call.idempotencyKey);
  }
  const shownHeaders = { ...headers.all() };
  // Set last, so that no argument can replace the credential.
  if (credentials.in === "header") {
    headers.set(credentials.name, credentials.value);
    shownHeaders[credentials.name.toLowerCase()] = credentials.shown;
  }
  const method = operation.method.toUpperCase();
  const recorded = { method, url: url.shown, headers: shownHeaders };
  return {
    method,
    url: url.href,
    headers: headers.all(),
    body: body?.bytes,
    recorded:
      body === undefined
        ? recorded
        : { ...recorded, body: recordedBody(body.bytes, body.json, { redactor: connection.redactor }) },
  };
}

type Header = readonly [name: string, value: string];

/**
 * Headers with several sources, in increasing precedence: the document's defaults, the connection's headers, the call's
 * arguments.
 */
function saidHeaders({ operation, args, connection }: OperationCall): readonly (readonly Header[])[] {
  const parameters = parametersIn(operation, "header");
  const named = (name: string, value: string | undefined): Header[] => (value === undefined ? [] : [[name, value]]);
  return [
    [["accept", operation.accept], ...parameters.flatMap(({ name, fallback }) => named(name, fallback))],
    Object.entries(connection.headers ?? {}),
    parameters.flatMap((parameter) => named(parameter.name, headerText(parameter, ownMember(args, parameter.input)))),
  ];
}

function wantedTypes(said: readonly (readonly Header[])[]): WantedTypes {
  const [fallback, fixed, given] = said.map((headers) => headers.find(([name]) => isContentType(name))?.[1]);
  return { given, others: [fixed, fallback].filter((value) => value !== undefined) };
}

const isContentType = (name: string): boolean => name.toLowerCase() === "content-type";

function urlOf({ operation, args, connection }: OperationCall, credentials: Credentials) {
  const inPath = new Map(parametersIn(operation, "path").map((parameter) => [parameter.name, parameter]));
  const { path, query: fixed } = splitPathKey(operation.path);
  const { href } = targetUrl({
    baseUrl: connection.baseUrl,
    template: path,
    written(name) {
      const parameter = inPath.get(name);
      return parameter === undefined ? "" : pathPart(parameter, ownMember(args, parameter.input));
    },
  });
  const pairs = parametersIn(operation, "query").flatMap((parameter) =>
    pairsOfParameter(parameter, ownMember(args, parameter.input)),
  );
  // An argument and the connection's own key replace a fixed pair of the path key.
  const given = new Set([...pairs.map(([name]) => name), ...(credentials.in === "query" ? [credentials.pair[0]] : [])]);
  const query = [
    ...fixedPairs(fixed).flatMap(({ name, written }) => (given.has(name) ? [] : [written])),
    ...pairs.map(([name, value]) => `${name}=${value}`),
  ];
  if (credentials.in !== "query") return { href: withQuery(href, query), shown: withQuery(href, query) };
  const [name, key] = credentials.pair;
  // An object that is written as separate parameters must not add a second key.
  if (pairs.some(([other]) => other === name)) {
    throw unsendable(
      `The query parameter "${decodeURIComponent(name)}" is set by the connection and cannot be an argument.`,
    );
  }
  return {
    href: withQuery(href, [...query, `${name}=${key}`]),
    shown: withQuery(href, [...query, `${name}=${hidden}`]),
  };
}

function withQuery(href: string, pairs: readonly string[]): string {
  return pairs.length === 0 ? href : `${href}?${pairs.join("&")}`;
}

function parametersIn({ inputs }: ImportedOperation, place: ParameterInput["in"]): readonly ParameterInput[] {
  return inputs.filter((input): input is ParameterInput => input.in === place);
}

function pathPart({ name, encoding }: ParameterInput, value: JsonValue | undefined): string {
  if (encoding.kind === "style") return pathText(name, value, encoding, encodePathPart);
  const text = contentText(name, value, encoding.mediaType);
  return text === undefined ? "" : encodePathPart(name, text);
}

function pairsOfParameter({ name, encoding }: ParameterInput, value: JsonValue | undefined): readonly Pair[] {
  if (encoding.kind === "style") return pairsOf(name, value, encoding);
  const text = contentText(name, value, encoding.mediaType);
  return text === undefined ? [] : [[encodeStrictly(name, name), encodeStrictly(name, text)]];
}

function headerText({ name, encoding }: ParameterInput, value: JsonValue | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (encoding.kind === "content") return contentText(name, value, encoding.mediaType);
  return simpleText(name, value, encoding.explode, asItIs);
}

/** Values are escaped, because a `;` or a space would end them. */
function cookieText(operation: ImportedOperation, args: JsonObject): string | undefined {
  const pairs = parametersIn(operation, "cookie").flatMap((parameter) =>
    pairsOfParameter(parameter, ownMember(args, parameter.input)),
  );
  return pairs.length === 0 ? undefined : pairs.map(([name, value]) => `${name}=${value}`).join("; ");
}

function contentText(name: string, value: JsonValue | undefined, mediaType: string): string | undefined {
  if (value === undefined) return undefined;
  if (kindOf(mediaType) === "json") return jsonText(value);
  return simpleText(name, value, false, asItIs);
}
