import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { parseExactJson } from "./exact-json.ts";
import { LedgerError } from "./ledger-error.ts";

/** Maximum size of a body in bytes. A payment is far below 1 KiB. */
export const maxBodyBytes = 64 * 1024;

/** A received body. */
export type ReceivedBody =
  { readonly kind: "text"; readonly text: string } | { readonly kind: "too_large" | "not_utf8" | "incomplete" };

/**
 * Reads the whole body. A body that is too large is read to its end but discarded, so that the client receives the
 * answer.
 */
export async function receiveBody(incoming: IncomingMessage): Promise<ReceivedBody> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size <= maxBodyBytes) chunks.push(chunk);
    }
  } catch {
    return { kind: "incomplete" };
  }
  if (size > maxBodyBytes) return { kind: "too_large" };
  const bytes = Buffer.concat(chunks);
  return isUtf8(bytes) ? { kind: "text", text: bytes.toString("utf8") } : { kind: "not_utf8" };
}

/**
 * Reads a body as exact JSON.
 *
 * @throws {LedgerError} `unsupported_media_type`, `body_too_large`, `malformed_request`, and the errors of {@link
 *   parseExactJson}.
 */
export function parseBody(body: ReceivedBody, contentType: string | undefined): unknown {
  // Requires the JSON type, because a web page may send other types to loopback without a preflight request.
  if (contentType?.split(";")[0]?.trim().toLowerCase() !== "application/json") {
    throw new LedgerError("unsupported_media_type", "Send the body as application/json.");
  }
  switch (body.kind) {
    case "text":
      return parseExactJson(body.text);
    case "too_large":
      throw new LedgerError("body_too_large", `The body is larger than ${maxBodyBytes} bytes.`);
    case "not_utf8":
      throw new LedgerError("malformed_request", "The body is not valid UTF-8.");
    case "incomplete":
      throw new LedgerError("malformed_request", "The body is incomplete: the connection ended early.");
  }
}
