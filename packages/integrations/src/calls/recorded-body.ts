import { createHash } from "node:crypto";
import type { JsonValue } from "@procedo/contract";
import type { Redactor } from "@procedo/engine";

/** Maximum size of a body in the record of a step. */
export const maxRecordedBytes = 64 * 1024;

export interface RecordLimits {
  /** @defaultValue 64 KiB */
  readonly maxBytes?: number;
  /** Redacts secrets before truncation. */
  readonly redactor: Redactor;
  /** The text of the bytes, if already decoded. Otherwise valid UTF-8 is text. */
  readonly text?: string | undefined;
}

/**
 * A body for the record: JSON as a value, text as text, other bytes in base64. A body longer than `maxBytes` is
 * replaced by its size and SHA-256, with the beginning of a text.
 *
 * @param read the value or the text, if the body was already read
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

/** `undefined` for invalid UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Redacted in the bytes, because base64 would hide some forms of a secret. */
export function base64Of(bytes: Uint8Array, redactor: Redactor): string {
  return Buffer.from(redactor.bytes(bytes)).toString("base64");
}
