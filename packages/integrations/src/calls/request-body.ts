import type { JsonObject, JsonValue } from "@procedo/contract";
import type { ImportedBody, ImportedOperation } from "../openapi/imported-api.ts";
import { kindOf } from "../openapi/operations/media-types.ts";
import { binaryValue, textBytes } from "./binary-value.ts";
import { bodyMembers, wholeBody } from "./body-members.ts";
import { formBody } from "./form-body.ts";
import { multipartBody } from "./multipart-body.ts";
import { isObject } from "./plain-value.ts";

/** A body as it is sent. */
export interface RequestBody {
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** Of a JSON body. */
  readonly json: JsonValue | undefined;
}

/**
 * The body of a call; `undefined` when none is sent.
 *
 * @param seed the same for every attempt of a call
 * @throws OutgoingError `invalid_input` for arguments that the media type cannot carry
 */
export function requestBody(operation: ImportedOperation, args: JsonObject, seed: string): RequestBody | undefined {
  const { body } = operation;
  if (body === undefined) return undefined;
  if (body.shape === "whole") {
    const value = wholeBody(operation, args);
    return value === undefined ? undefined : bodyOfValue(body, value, seed);
  }
  const members = bodyMembers(operation, args);
  if (members.length === 0 && !body.required) return undefined;
  return bodyOfValue(body, Object.fromEntries(members.map(({ name, value }) => [name, value])), seed);
}

function bodyOfValue({ mediaType, parts }: ImportedBody, value: JsonValue, seed: string): RequestBody | undefined {
  const kind = kindOf(mediaType);
  if (kind === "json") {
    return { contentType: mediaType, bytes: Buffer.from(JSON.stringify(value)), json: value };
  }
  if (isObject(value) && kind === "form") {
    return { contentType: mediaType, bytes: Buffer.from(formBody(membersOf(value), parts)), json: undefined };
  }
  if (isObject(value) && kind === "multipart") {
    return { ...multipartBody(membersOf(value), parts, seed), json: undefined };
  }
  if (value === null) return undefined;
  if (typeof value === "number" || typeof value === "boolean") return textBody(mediaType, String(value));
  if (typeof value === "string") return textBody(mediaType, value);
  const { bytes, contentType } = binaryValue("body", value);
  return { contentType: contentType ?? mediaType, bytes, json: undefined };
}

function textBody(mediaType: string, text: string): RequestBody {
  const bytes = textBytes("body", text);
  // A text type without a charset is ASCII to some readers (RFC 2046, 4.1.2).
  const needsCharset = mediaType.startsWith("text/") && bytes.byteLength > text.length;
  return { contentType: needsCharset ? `${mediaType}; charset=utf-8` : mediaType, bytes, json: undefined };
}

function membersOf(value: JsonObject) {
  return Object.entries(value).map(([name, member]) => ({ name, value: member }));
}
