import { STATUS_CODES, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { ProcedoError } from "@procedo/contract";
import { errorAnswer } from "../request/answer.ts";
import type { TextAnswer } from "../request/http-request.ts";

const maxTargetLength = 8 * 1024;
const maxHeaders = 100;

/** Returns the refusal of a request with too long a target or too many headers, otherwise `undefined`. */
export function refusalOf(request: IncomingMessage, requestIds: () => string): TextAnswer | undefined {
  if ((request.url?.length ?? 0) > maxTargetLength) return refusal(414, requestIds());
  if (request.rawHeaders.length > 2 * maxHeaders) return refusal(431, requestIds());
  return undefined;
}

/** Answers a request that the parser could not read or that timed out, and closes its socket. */
export function refuseMalformed(
  error: Error & { readonly code?: string },
  socket: Duplex,
  isAnswering: boolean,
  requestIds: () => string,
): void {
  // A refusal must not be written into the middle of another answer.
  if (!socket.writable || isAnswering || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const { status, headers, body } = refusal(statusOf(error.code), requestIds());
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`, "Connection: close"];
  for (let at = 0; at < headers.length; at += 2) lines.push(`${headers[at] ?? ""}: ${headers[at + 1] ?? ""}`);
  lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy());
}

function statusOf(code: string | undefined): RefusalStatus {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return 431;
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return 413;
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return 408;
    default:
      return 400;
  }
}

type RefusalStatus = 400 | 408 | 413 | 414 | 431;

function refusal(status: RefusalStatus, requestId: string): TextAnswer {
  return errorAnswer(reasons[status](), requestId, status);
}

const reasons: Readonly<Record<RefusalStatus, () => ProcedoError>> = {
  400: () => new ProcedoError("malformed_request", "The request is not valid HTTP/1.1."),
  408: () => new ProcedoError("overloaded", "The request did not arrive within the time limit. Send it again."),
  413: () =>
    new ProcedoError(
      "payload_too_large",
      "The chunk extensions of the body are too long. Send chunks without extensions.",
    ),
  414: () =>
    new ProcedoError(
      "payload_too_large",
      `The request target is longer than ${maxTargetLength} characters. Shorten the path or query.`,
    ),
  431: () =>
    new ProcedoError(
      "payload_too_large",
      `The request has more than ${maxHeaders} headers, or more than 16 KiB of them. Send fewer.`,
    ),
};
