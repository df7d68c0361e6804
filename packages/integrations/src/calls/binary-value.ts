import type { JsonValue } from "@procedo/contract";
import { isObject } from "./plain-value.ts";
import { unsendable } from "./unsendable.ts";

/** The bytes of an argument. */
export interface BinaryValue {
  readonly bytes: Uint8Array;
  readonly filename: string | undefined;
  readonly contentType: string | undefined;
}

/** RFC 4648, section 4. */
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const mediaType = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:; ?[\w-]+=[\w.-]+)*$/;

/**
 * Reads the argument of a file or a binary body: text, or `{ base64, filename?, contentType? }`.
 *
 * @throws EgressError `invalid_input` for any other value
 */
export function binaryValue(name: string, value: JsonValue): BinaryValue {
  if (typeof value === "string") return { bytes: textBytes(name, value), filename: undefined, contentType: undefined };
  if (!isObject(value) || typeof value["base64"] !== "string") {
    throw unsendable(`The argument "${name}" must be text or { base64, filename?, contentType? }.`);
  }
  const { base64: encoded, filename, contentType } = value;
  if (!base64.test(encoded)) throw unsendable(`The argument "${name}" is not valid base64.`);
  if (contentType !== undefined && (typeof contentType !== "string" || !mediaType.test(contentType))) {
    throw unsendable(`The contentType of the argument "${name}" is not a media type, such as application/pdf.`);
  }
  if (filename !== undefined && typeof filename !== "string") {
    throw unsendable(`The filename of the argument "${name}" must be text.`);
  }
  return { bytes: Buffer.from(encoded, "base64"), filename, contentType };
}

/** Whether a value has the form of base64 bytes, valid or not, and is not another kind of object. */
export function isBinaryObject(value: JsonValue): boolean {
  return isObject(value) && typeof value["base64"] === "string" && Object.keys(value).every((name) => names.has(name));
}

const names = new Set(["base64", "filename", "contentType"]);

/** @throws EgressError `invalid_input` for a lone surrogate, which cannot be encoded */
export function textBytes(name: string, text: string): Uint8Array {
  if (!text.isWellFormed()) throw unsendable(`The argument "${name}" contains a lone surrogate.`);
  return new TextEncoder().encode(text);
}
