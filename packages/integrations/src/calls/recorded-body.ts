import { createHash } from "node:crypto";
import type { JsonValue } from "@procedo/contract";
import type { Redactor } from "@procedo/engine";

/** Bytes of a body that the record of a step keeps. */
export const maxRecordedBytes = 64 * 1024;

export interface RecordLimits {
  /** @defaultValue 64 KiB */
  readonly maxBytes?: number;
  /** Takes the connection's secrets out before anything is cut. */
  readonly redactor: Redactor;
  /** The text of the bytes, when it was decoded already; else it is text where it is UTF-8. */
  readonly text?: string | undefined;
}

/**
 * A body for the record: JSON as a value, text as text, other bytes in base64. Of one that is longer than `maxBytes` its
 * size and SHA-256 are kept, and of text the beginning.
 *
 * @param read the value or the text, when the body was read already
 */
export function recordedBody(bytes: Uint8Array, read: JsonValue | undefined, limits: RecordLimits): JsonValue {
  const { maxBytes = maxRecordedBytes, redactor } = limits;
  const fits = bytes.byteLength <= maxBytes;
  if (fits && read !== undefined) return read;
  const text = typeof read === "string" ? read : (limits.text ?? textOf(bytes));
  if (fits) return text ?? { base64: base64Of(bytes, redactor) };
  const whole = { bytes: bytes.byteLength, sha256: createHash("sha256").update(bytes).digest("hex") };
  return text === undefined ? whole : { beginning: redactor.cut(text, maxBytes), ...whole };
}

/** `undefined` for bytes that are no UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** In base64 a secret would no longer be found in all its forms, so it is looked for in the bytes. */
export function base64Of(bytes: Uint8Array, redactor: Redactor): string {
  return Buffer.from(redactor.bytes(bytes)).toString("base64");
}
