import { createHash } from "node:crypto";
import type { JsonValue } from "@procedo/contract";

/** Bytes of a body that the record of a step keeps. */
export const maxRecordedBytes = 64 * 1024;

export interface RecordLimits {
  /** @defaultValue 64 KiB */
  readonly maxBytes?: number;
  /** The connection's; one that the end of the record would cut in two is left out whole. @defaultValue none */
  readonly secrets?: readonly string[];
}

/**
 * A body for the record: JSON as a value, text as text, other bytes in base64. Of one that is longer than `maxBytes` its
 * size and SHA-256 are kept, and of text the beginning.
 *
 * @param json the value, when the body is JSON and was read already
 */
export function recordedBody(bytes: Uint8Array, json: JsonValue | undefined, limits: RecordLimits = {}): JsonValue {
  const { maxBytes = maxRecordedBytes, secrets = [] } = limits;
  const fits = bytes.byteLength <= maxBytes;
  if (fits && json !== undefined) return json;
  const text = textOf(bytes);
  if (fits) return text ?? { base64: Buffer.from(bytes).toString("base64") };
  const whole = { bytes: bytes.byteLength, sha256: createHash("sha256").update(bytes).digest("hex") };
  return text === undefined ? whole : { beginning: beginning(text, maxBytes, secrets), ...whole };
}

/** `undefined` for bytes that are no UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Secrets are taken out of what is kept: of half a secret nobody would know that it is one. */
function beginning(text: string, maxLength: number, secrets: readonly string[]): string {
  let end = Math.min(maxLength, text.length);
  for (const secret of secrets) {
    const at = end === 0 ? -1 : text.lastIndexOf(secret, end - 1);
    if (at !== -1 && at + secret.length > end) end = at;
  }
  return text.slice(0, end).replace(/[\ud800-\udbff]$/, "");
}
