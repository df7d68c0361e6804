import { createHash } from "node:crypto";
import type { Environment, JsonObject, JsonValue } from "@procedo/contract";
import { ActionError, type Redactor } from "@procedo/engine";
import { hidden } from "../calls/authentication.ts";
import { formBody } from "../calls/form-body.ts";
import { jsonText } from "../calls/json-text.ts";
import type { OperationRequest } from "../calls/operation-request.ts";
import { encodePathPart } from "../calls/path-segment.ts";
import { recordedBody } from "../calls/recorded-body.ts";
import { requestHeaders } from "../calls/request-headers.ts";
import { targetUrl } from "../calls/target-url.ts";
import type { ServiceConnection, ServiceHttp, ServiceIdempotency } from "./service-http.ts";

/** A request to a service, relative to its base URL. */
export interface ServiceRequest {
  /** The HTTP method. @defaultValue "GET" */
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path, which begins with `/`. `{name}` stands for a value of `params`, as one segment or a part of one. */
  readonly path: string;
  /** The values of the path. @defaultValue none */
  readonly params?: { readonly [name: string]: string | number };
  /** The query. A list repeats its name, an object is written with brackets. @defaultValue none */
  readonly query?: ServiceFields;
  /** A JSON body. @defaultValue none */
  readonly json?: ServiceValue;
  /** A form-encoded body, written as the query is. @defaultValue none */
  readonly form?: ServiceFields;
  /**
   * Members of the JSON body that are secrets of the connection, each by the secret's name. A call can thus use a secret
   * that its arguments only name. @defaultValue none
   */
  readonly secrets?: { readonly [member: string]: string };
  /** The place of this request's idempotency key, where the service has several. @defaultValue that of the service */
  readonly idempotency?: ServiceIdempotency;
  /** Headers of this request. @defaultValue none */
  readonly headers?: { readonly [name: string]: string };
}

/** A value of a request: JSON, whose members may be `undefined` at any depth. These are left out. */
export type ServiceValue = JsonValue | undefined | readonly ServiceValue[] | ServiceFields;

/** Members of a query, a form or a JSON body. */
export interface ServiceFields {
  readonly [name: string]: ServiceValue;
}

/** The connection whose request is built. */
export interface RequestingConnection<Settings, Secrets> extends ServiceConnection<Settings> {
  readonly environment: Environment;
  readonly secrets: Secrets;
  readonly redactor: Redactor;
  /** Identical in every attempt; `undefined` for a request without an effect. */
  readonly idempotencyKey: string | undefined;
}

/**
 * Builds the request with the connection's base URL, credentials and idempotency key. Pure: the same call always has the
 * same bytes. The record has the credentials left out.
 *
 * @throws EgressError `invalid_input` for values that HTTP cannot carry
 * @throws ActionError `not_sent` for a secret that the connection does not have
 */
export function serviceRequest<Settings, Secrets>(
  http: ServiceHttp<Settings, Secrets>,
  connection: RequestingConnection<Settings, Secrets>,
  request: ServiceRequest,
): OperationRequest {
  const { method = "GET", query = {}, headers: given = {} } = request;
  const { idempotencyKey, redactor } = connection;
  const { idempotency = http.idempotency } = request;
  const key = idempotencyKey === undefined ? undefined : keyAs(idempotency?.form, idempotencyKey);
  const url = urlOf(http.baseUrl(connection), request, query);
  const members = idempotency?.member === undefined ? undefined : { [idempotency.member]: key };
  const body = withSecrets(bodyOf(request, members), request.secrets, connection.secrets);

  const headers = requestHeaders();
  headers.set("accept", "application/json");
  const common = typeof http.headers === "function" ? http.headers(connection) : http.headers;
  for (const [name, value] of Object.entries({ ...common, ...given })) headers.set(name, value);
  if (body !== undefined) headers.set("content-type", body.contentType);
  if (idempotency?.header !== undefined && key !== undefined) headers.set(idempotency.header, key);
  const shown = { ...headers.all() };
  // Set last, so that nothing can replace the credentials.
  for (const [name, value] of Object.entries(http.credentials?.(connection) ?? {})) {
    headers.set(name, value);
    shown[name.toLowerCase()] = hidden;
  }
  const recorded = { method, url, headers: shown };
  if (body === undefined) return { method, url, headers: headers.all(), body: undefined, recorded };
  const bytes = new TextEncoder().encode(body.text);
  return {
    method,
    url,
    headers: headers.all(),
    body: bytes,
    recorded: { ...recorded, body: recordedBody(bytes, body.json, { redactor }) },
  };
}

function urlOf(baseUrl: string, { path, params = {} }: ServiceRequest, query: ServiceFields): string {
  const { href } = targetUrl({
    baseUrl,
    template: path,
    written: (name) => {
      const value: unknown = Object.hasOwn(params, name) ? params[name] : undefined;
      // A value that types promise and data lacks must not become the word "undefined".
      return typeof value === "string" || typeof value === "number" ? encodePathPart(name, String(value)) : "";
    },
  });
  const pairs = formText(query);
  return pairs === "" ? href : `${href}?${pairs}`;
}

interface Body {
  readonly text: string;
  readonly contentType: string;
  /** Left out of a form, whose record is its text. */
  readonly json: JsonValue | undefined;
}

function bodyOf({ json, form, secrets }: ServiceRequest, key: ServiceFields | undefined): Body | undefined {
  if (form !== undefined) {
    if (json !== undefined || secrets !== undefined) throw misbuilt("A form has no JSON members and no secrets.");
    const text = formText({ ...form, ...key });
    return { text, contentType: "application/x-www-form-urlencoded", json: text };
  }
  // A key whose place is the body makes a body.
  const given = definedOf(json) ?? (isKeyed(key) ? {} : undefined);
  if (given === undefined) return undefined;
  const whole = isKeyed(key) ? withMember(given, key) : given;
  return { text: jsonText(whole), contentType: "application/json", json: whole };
}

/** The body with secrets of the connection. They are added last, so that nothing can replace them, and are not recorded. */
function withSecrets(body: Body | undefined, wanted: ServiceRequest["secrets"], secrets: unknown): Body | undefined {
  if (wanted === undefined) return body;
  const json = body?.json ?? {};
  const sent = Object.entries(wanted).map(([member, name]) => [member, secretNamed(secrets, name)] as const);
  const shown = Object.keys(wanted).map((member) => [member, hidden] as const);
  return {
    text: jsonText(withMember(json, Object.fromEntries(sent))),
    contentType: "application/json",
    json: withMember(json, Object.fromEntries(shown)),
  };
}

function secretNamed(secrets: unknown, name: string): string {
  const isOwn = typeof secrets === "object" && secrets !== null && Object.hasOwn(secrets, name);
  const secret: unknown = isOwn ? Reflect.get(secrets, name) : undefined;
  if (typeof secret === "string") return secret;
  const message = `The connection has no secret ${JSON.stringify(name)}. Nothing was sent.`;
  throw new ActionError(message, { outcome: "not_sent", retryable: false });
}

/** Whether a body gets the idempotency key. */
function isKeyed(key: ServiceFields | undefined): key is ServiceFields {
  return key !== undefined && Object.values(key).some((value) => value !== undefined);
}

/** The body with more members. */
function withMember(json: JsonValue, members: ServiceFields): JsonValue {
  if (typeof json !== "object" || json === null || Array.isArray(json))
    throw misbuilt("A body that gets an idempotency key or a secret has to be an object.");
  return { ...(json as JsonObject), ...definedMembers(members) };
}

function misbuilt(problem: string): ActionError {
  return new ActionError(`${problem} Nothing was sent.`, { outcome: "not_sent", retryable: false });
}

function formText(fields: ServiceFields): string {
  const members = Object.entries(definedMembers(fields)).map(([name, value]) => ({ name, value }));
  return formBody(members, {});
}

function definedOf(value: ServiceValue): JsonValue | undefined {
  if (typeof value !== "object" || value === null) return value;
  if (!isList(value)) return definedMembers(value);
  return value.map(definedOf).filter((item) => item !== undefined);
}

function definedMembers(fields: ServiceFields): JsonObject {
  const members = Object.entries(fields).map(([name, value]) => [name, definedOf(value)] as const);
  return Object.fromEntries(members.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
}

function isList(value: ServiceFields | readonly ServiceValue[]): value is readonly ServiceValue[] {
  return Array.isArray(value);
}

/**
 * The call's key in the form that the service takes. A UUID is made from the key's digest (version 8 of RFC 9562, 5.8),
 * so that it stays the same in every attempt.
 */
export function keyAs(form: "key" | "uuid" | undefined, key: string): string {
  if (form !== "uuid") return key;
  const bytes = createHash("sha256").update(key).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
