import type { JsonObject, JsonValue } from "@procedo/contract";
import type { ImportedBody, ImportedOperation } from "../openapi/imported-api.ts";
import { writtenAs } from "../openapi/operations/body-format.ts";
import { binaryValue, textBytes } from "./binary-value.ts";
import { type BodyMember, bodyMembers, wholeBody } from "./body-members.ts";
import { noWantedTypes, underWantedType, type WantedTypes } from "./body-type.ts";
import { charsetOf } from "./decode-text.ts";
import { formBody } from "./form-body.ts";
import { holdsExactNumber, jsonText } from "./json-text.ts";
import { multipartBody } from "./multipart-body.ts";
import { isObject, isScalar, textOfScalar } from "./plain-value.ts";

/** A body as sent. */
export interface RequestBody {
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** Only for a JSON body. */
  readonly json: JsonValue | undefined;
}

/**
 * The body of a call; `undefined` for a request without one.
 *
 * @param seed identical in every attempt of a call
 * @throws EgressError `invalid_input` for arguments that the media type cannot carry
 */
export function requestBody(
  operation: ImportedOperation,
  args: JsonObject,
  seed: string,
  types: WantedTypes = noWantedTypes,
): RequestBody | undefined {
  const { body } = operation;
  if (body === undefined) return undefined;
  if (body.shape === "whole") {
    const value = wholeBody(operation, args);
    return value === undefined ? undefined : bodyOfValue(underWantedType(body, types), value, seed);
  }
  const members = bodyMembers(operation, args);
  if (members.length === 0 && !body.required) return undefined;
  const value = Object.fromEntries(members.map(({ name, value }) => [name, value]));
  return bodyOfValue(underWantedType(withOtherParts(body, operation, members), types), value, seed);
}

/** The body with a part for each member that is not an input. */
function withOtherParts(
  body: ImportedBody,
  { inputs }: ImportedOperation,
  members: readonly BodyMember[],
): ImportedBody {
  const { otherParts } = body;
  if (otherParts === undefined) return body;
  const named = new Set(inputs.flatMap((input) => (input.in === "body" ? [input.name] : [])));
  const others = members.flatMap(({ name }) => (named.has(name) ? [] : [[name, otherParts] as const]));
  return { ...body, parts: { ...body.parts, ...Object.fromEntries(others) } };
}

function bodyOfValue(body: ImportedBody, value: JsonValue, seed: string): RequestBody | undefined {
  const { mediaType, parts } = body;
  const kind = writtenAs(body);
  if (kind === "json") return jsonBody(mediaType, value);
  if (isObject(value) && kind === "form") {
    const bytes = Buffer.from(formBody(membersOf(value), parts));
    return { contentType: labelledUtf8(mediaType), bytes, json: undefined };
  }
  if (isObject(value) && kind === "multipart") {
    return { ...multipartBody(membersOf(value), parts, seed), json: undefined };
  }
  if (value === null) return undefined;
  if (isScalar(value)) return textBody(mediaType, textOfScalar(value));
  const { bytes, contentType } = binaryValue("body", value);
  return { contentType: contentType ?? mediaType, bytes, json: undefined };
}

function textBody(mediaType: string, text: string): RequestBody {
  const bytes = textBytes("body", text);
  const isAscii = bytes.byteLength === text.length;
  // Some readers treat a text type without a charset as ASCII (RFC 2046, 4.1.2).
  const needsCharset = mediaType.startsWith("text/") && !isAscii && charsetOf(mediaType) === undefined;
  if (needsCharset) return { contentType: `${mediaType}; charset=utf-8`, bytes, json: undefined };
  return { contentType: isAscii ? mediaType : labelledUtf8(mediaType), bytes, json: undefined };
}

/** JSON is UTF-8 (RFC 8259, 8.1). When the document names another charset, escapes keep the text identical in both. */
function jsonBody(mediaType: string, value: JsonValue): RequestBody {
  const text = jsonText(value);
  // The record shows numbers beyond a double as text, because no JSON value equals them.
  const json = holdsExactNumber(value) ? undefined : value;
  const charset = charsetOf(mediaType);
  if (charset === undefined || isUtf8(charset)) return { contentType: mediaType, bytes: Buffer.from(text), json };
  const escaped = text.replace(/[\x80-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const contentType = /^(?:ucs|utf)-?(?:2|4|16|32)/i.test(charset) ? labelledUtf8(mediaType) : mediaType;
  return { contentType, bytes: Buffer.from(escaped), json };
}

const isUtf8 = (charset: string): boolean => /^utf-?8$/i.test(charset);

/** A charset in the document that differs from the bytes would cause misreading. */
function labelledUtf8(mediaType: string): string {
  const charset = charsetOf(mediaType);
  if (charset === undefined || isUtf8(charset)) return mediaType;
  return mediaType.replace(/(;\s*charset=)(?:"[^"]*"|[^\s;]*)/i, "$1utf-8");
}

function membersOf(value: JsonObject) {
  return Object.entries(value).map(([name, member]) => ({ name, value: member }));
}
