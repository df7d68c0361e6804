import type { JsonObject, JsonValue } from "@procedo/contract";
import { retryAfterMs } from "@procedo/contract/syntax";
import { ActionError, type ActionErrorOptions, type CallAnswer, type Exchange, type Redactor } from "@procedo/engine";
import { kindOf } from "../openapi/operations/media-types.ts";
import { answerBody } from "./answer-body.ts";
import { hidden } from "./authentication.ts";
import { decodeContent } from "./content-coding.ts";
import { recordedBody } from "./recorded-body.ts";
import { serviceReason } from "./service-reason.ts";

/** A response with its complete body. */
export interface ReceivedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

export interface AnsweredCall {
  readonly action: string;
  readonly effect: "read" | "idempotent" | "once";
  /** Whether the document describes the response as JSON. */
  readonly answersJson: boolean;
  readonly request: Exchange["request"];
  /** Redacts the connection's secrets, and a credential among the arguments. */
  readonly redactor: Redactor;
  /** Redacts credentials that the engine does not know: the one among the arguments, or those in the answer's body. */
  readonly unknownToEngine: (body: JsonValue) => Redactor;
}

/** Limit of a response after its content coding is decoded. */
export const maxDecodedBytes = 8 * 1024 * 1024;
/** For bytes with a coding that could not be decoded. */
const codedBytes = "application/octet-stream";

/** Maximum size of an error's body in the step's record. */
const maxErrorBytes = 16 * 1024;

/** Maximum number of characters of a service's reason in an error. The recorded body has the full text. */
export const maxReasonChars = 500;

/**
 * Interprets a response. A 2xx is the output of the call, unless it claims to be JSON and is not, for example because
 * it was truncated. In that case a write counts as executed, and a read is repeated.
 *
 * @throws ActionError for any other status; its outcome states whether the service may have executed the call
 */
export function readAnswer(call: AnsweredCall, answer: ReceivedAnswer): CallAnswer {
  const { status, headers } = answer;
  const decoded = decodeContent(answer.bytes, headers.get("content-encoding"), maxDecodedBytes);
  const bytes = decoded ?? answer.bytes;
  const coded =
    decoded === undefined && isJsonType(headers) ? "has a content coding that cannot be decoded" : undefined;
  const contentType = decoded === undefined ? codedBytes : headers.get("content-type");
  const read = answerBody(bytes, contentType, call.redactor, call.answersJson);
  const { problem = coded } = read;
  const withheld = call.unknownToEngine(read.value);
  // Redacted after parsing: words cannot replace a number within JSON text.
  const body = withheld.value(read.value);
  const response = { status, headers: recordedHeaders(withheld, headers) };
  if (status >= 200 && status < 300) {
    // The document's schema of the output is for authors of procedures. A response that deviates is still the result of
    // an executed call.
    const exchange = { request: call.request, response };
    return problem === undefined
      ? { output: body, violations: [], exchange }
      : unreadable(call, answer, problem, { body, withheld });
  }
  const text = read.text === undefined ? undefined : withheld.text(read.text);
  const said = recordedBody(bytes, body, { maxBytes: maxErrorBytes, redactor: call.redactor, text });
  // Redacted before, because collapsed spaces and decoded entities would disguise a secret.
  const reason = serviceReason(call.redactor.value(body));
  const details: JsonObject = {
    status,
    ...(reason !== undefined && { reason: call.redactor.cut(reason, maxReasonChars) }),
    ...(said !== null && { body: said }),
  };
  throw new ActionError(`"${call.action}" was answered with ${status}${meaning(status)}.`, {
    ...verdict(call.effect, status, headers),
    details,
    exchange: { request: call.request, response: said === null ? response : { ...response, body: said } },
  });
}

function unreadable(
  call: AnsweredCall,
  answer: ReceivedAnswer,
  problem: string,
  { body, withheld }: { readonly body: JsonValue; readonly withheld: Redactor },
): CallAnswer {
  const { action, effect, request, redactor } = call;
  const { status, headers, bytes } = answer;
  const said = recordedBody(bytes, body, { maxBytes: maxErrorBytes, redactor });
  const exchange = { request, response: { status, headers: recordedHeaders(withheld, headers), body: said } };
  const reason = problem.replace(/\.$/, "");
  if (effect !== "read") return { output: body, violations: [], unusable: `with ${status} ${reason}`, exchange };
  throw new ActionError(`"${action}" answered with ${status}, but the response ${reason}.`, {
    retryable: true,
    exchange,
  });
}

/**
 * A 4xx means that nothing was executed. 429 and 425 (RFC 8470, 5.2) may be retried. Services answer 409, and some 423,
 * to a repetition while the first attempt is in progress (draft-ietf-httpapi-idempotency-key-header, 2.7). After a 408,
 * a 5xx or a redirect (which is not followed), a write may have been executed (RFC 9110, 15.5.9 and 15.6); a read is
 * safe to repeat.
 */
function verdict(effect: AnsweredCall["effect"], status: number, headers: Headers): ActionErrorOptions {
  const wait = waitOf(headers);
  const later = wait === undefined ? {} : { retryAfterMs: wait };
  if (status === 429 || status === 425) return { outcome: "refused", retryable: true, ...later };
  if (status === 409 || status === 423) return { outcome: "conflict", ...later };
  const inDoubt = status < 200 || status === 408 || status >= 500 || (status >= 300 && status < 400);
  if (!inDoubt) return { outcome: "refused" };
  if (effect !== "read") return { outcome: "unknown", ...later };
  return { outcome: "refused", retryable: status === 408 || status >= 500, ...later };
}

/** A date is compared with the `Date` header of the response, which comes from the same clock. */
function waitOf(headers: Headers): number | undefined {
  const now = Date.parse(headers.get("date") ?? "");
  return retryAfterMs(headers.get("retry-after"), now);
}

function isJsonType(headers: Headers): boolean {
  return kindOf(headers.get("content-type") ?? "") === "json";
}

function recordedHeaders(withheld: Redactor, headers: Headers): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...headers].map(([name, value]) => [name, name === "set-cookie" ? hidden : withheld.text(value)]),
  );
}

const meanings: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized: the service rejected the connection's credentials",
  402: "Payment Required: the service requires payment, or the payment was declined",
  403: "Forbidden: the connection's credentials do not permit the call",
  404: "Not Found",
  405: "Method Not Allowed: the service does not support the document's method at this path",
  406: "Not Acceptable: the service has no response of a type that the call accepts",
  407: "Proxy Authentication Required: a proxy requires credentials",
  408: "Request Timeout",
  409: "Conflict",
  410: "Gone: the resource no longer exists",
  411: "Length Required",
  412: "Precondition Failed: the resource is not in the state that the call expects",
  413: "Content Too Large",
  414: "URI Too Long: the call's path and query are too long",
  415: "Unsupported Media Type: the service does not accept a body of this type",
  416: "Range Not Satisfiable",
  417: "Expectation Failed",
  421: "Misdirected Request: this server does not answer for the address",
  422: "Unprocessable Content",
  423: "Locked",
  424: "Failed Dependency: a request on which it depends failed",
  425: "Too Early",
  426: "Upgrade Required: the service requires another protocol",
  428: "Precondition Required: the service requires a header such as If-Match",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
  451: "Unavailable For Legal Reasons",
  500: "Internal Server Error",
  501: "Not Implemented",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
  505: "HTTP Version Not Supported",
  507: "Insufficient Storage",
  508: "Loop Detected",
  511: "Network Authentication Required: a network requires a login",
};

function meaning(status: number): string {
  if (status >= 300 && status < 400)
    return " (a redirect, which is not followed: set the connection's base URL to its target)";
  const text = meanings[status];
  return text === undefined ? "" : ` (${text})`;
}
