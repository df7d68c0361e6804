import { retryAfterMs } from "@procedo/contract";
import { AISDKError, APICallError } from "@ai-sdk/provider";
import type { JsonValue } from "@procedo/contract";
import type { StepError } from "@procedo/procedure";
import { EgressError } from "../egress/egress-error.ts";
import { errorText } from "../ports/log.ts";
import { cutText, type Redactor } from "../secrets/redact.ts";
import { adviceFor, isWorthRetrying, mayHaveWorked, statusOfCode } from "./model-status.ts";

/** Why there is no reply, and whether the same prompt may be put again. */
export interface ModelFailure {
  readonly error: StepError;
  readonly retry?: { readonly afterMs?: number };
  /** Left out where nobody knows. */
  readonly cost?: AttemptCost;
}

/** What a failed attempt has cost. `nothing`: the request surely never left. `call`: it was refused, and used no tokens. */
export type AttemptCost = "nothing" | "call";

export interface FailureContext {
  /** As a person reads it: `model "gpt-5" (openai.chat)`. */
  readonly shownModel: string;
  /** Takes the model's secrets out of what others say. */
  readonly redactor: Redactor;
  /** Wall clock, for a `Retry-After` that is a date. */
  readonly nowMs: number;
}

const mostBodyChars = 500;
const mostMessageChars = 300;

/** An answer that came, and that is no whole reply. */
export class IncompleteReply extends Error {
  override readonly name = "IncompleteReply";
}

/** What a stream said went wrong, as its `cause`: anything at all. */
export class BrokenAnswer extends Error {
  override readonly name = "BrokenAnswer";
}

/** A reply that is larger than a run may hold; the message continues a sentence that begins with what it is. */
export class OversizedReply extends Error {
  override readonly name = "OversizedReply";
}

/**
 * What an attempt's error means. Whether a repeat may help is decided by what is known of it: the guarded client's own
 * word, a status, or that the answer broke off. What nothing is known of comes from the model's own code, and ends it.
 */
export function modelFailure(error: unknown, context: FailureContext): ModelFailure {
  if (error instanceof OversizedReply) return limit(`The reply of the ${context.shownModel} ${error.message}.`);
  if (error instanceof IncompleteReply) return again(`The ${context.shownModel} ${said(error, context)}`, {});
  const guarded = findEgressError(error);
  if (guarded !== undefined) return egressFailure(guarded, context);
  if (APICallError.isInstance(error)) return callFailure(error, context);
  if (AISDKError.isInstance(error)) return sdkFailure(error, context);
  return error instanceof BrokenAnswer ? brokenAnswer(error.cause, context) : otherFailure(error, context);
}

/** The request went through the guarded client, which says best what became of it. */
function egressFailure({ failure, message, sent }: EgressError, { shownModel }: FailureContext): ModelFailure {
  const said = `The ${shownModel} gave no answer: ${message}`;
  if (failure === "too_large") return limit(said);
  const isFinal = failure === "destination" || failure === "request";
  const failed: ModelFailure = isFinal ? { error: { message: said } } : again(said, {});
  return sent === "no" ? { ...failed, cost: "nothing" } : failed;
}

function callFailure(error: APICallError, context: FailureContext): ModelFailure {
  const { statusCode: status, responseHeaders = {}, responseBody } = error;
  // The connection failed, before the answer or in its middle.
  if (status === undefined || (isSuccess(status) && error.isRetryable)) {
    const why = said(error.cause ?? error, context);
    return again(`The ${context.shownModel} gave no answer: the connection failed (${why}).`, {});
  }
  const details = describeBody(status, responseBody, context);
  const refusal = { status, code: codeOf(error.data), marked: error.isRetryable };
  const text = said(error, context).replace(/[.:\s]+$/, "");
  const advice = adviceFor(refusal);
  if (isSuccess(status)) {
    return again(`The ${context.shownModel} answered what could not be read: ${text}. ${advice}`, { details });
  }
  const message = `The ${context.shownModel} answered ${status}${text === "" ? "" : `: ${text}`}. ${advice}`;
  const cost = mayHaveWorked(status) ? {} : ({ cost: "call" } as const);
  if (!isWorthRetrying(refusal)) return { error: { message, details }, ...cost };
  return { ...again(message, { details, afterMs: delayIn(responseHeaders, context.nowMs) }), ...cost };
}

/** An error in the middle of a stream: one of the SDK's, or an object of the provider's with a status or a code if all is well. */
function brokenAnswer(cause: unknown, context: FailureContext): ModelFailure {
  if (AISDKError.isInstance(cause)) {
    // What came before it may have been used, whatever status it tells.
    const { cost: _ofARefusal, ...failure } = modelFailure(cause, context);
    return failure;
  }
  const error = isRecord(cause) ? cause : { message: cause };
  const text = typeof error["message"] === "string" ? error["message"] : "no reason is given";
  const reason = oneLine(text, mostMessageChars, context).replace(/[.:\s]+$/, "");
  const what = `The ${context.shownModel} broke its answer off: ${reason}`;
  const code = codeOf(error) ?? codeOf(error["data"]);
  const status = statusIn(error["statusCode"]) ?? statusIn(error["code"]) ?? statusOfCode(code);
  if (status === undefined) return again(`${what}.`, {});
  const refusal = { status, code, marked: error["isRetryable"] === true };
  const message = `${what} (${status}). ${adviceFor(refusal)}`;
  return isWorthRetrying(refusal) ? again(message, {}) : { error: { message } };
}

/** An answer that the provider's package could not make sense of may be another one next time; a wrong setting stays wrong. */
function sdkFailure(error: AISDKError, context: FailureContext): ModelFailure {
  const unreadable = /InvalidResponseData|JSONParse|TypeValidation|EmptyResponseBody|NoContentGenerated/.test(
    error.name,
  );
  const text = said(error, context);
  if (unreadable) return again(`The ${context.shownModel} answered what could not be read: ${text}`, {});
  return { error: { message: `The ${context.shownModel} could not be asked: ${text}` } };
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Codes of connections that failed, as Node and undici give them. */
const connectionCodes = /^(E[A-Z]{3,}|EAI_[A-Z]+|UND_ERR_[A-Z_]+)$/;

function otherFailure(error: unknown, context: FailureContext): ModelFailure {
  const chain = causesOf(error);
  const lost = chain.some(
    (one) => isRecord(one) && typeof one["code"] === "string" && connectionCodes.test(one["code"]),
  );
  const ended = chain.some((one) => one instanceof Error && ["AbortError", "TimeoutError"].includes(one.name));
  const marked = isRecord(error) && error["isRetryable"] === true;
  const message = `The ${context.shownModel} could not be asked: ${said(error, context)}`;
  return lost || ended || marked ? again(message, {}) : { error: { message } };
}

function describeBody(status: number, body: string | undefined, context: FailureContext): JsonValue {
  return body === undefined || body === "" ? { status } : { status, body: oneLine(body, mostBodyChars, context) };
}

function said(error: unknown, context: FailureContext): string {
  return oneLine(errorText(error), mostMessageChars, context);
}

/** One line of what others said, of a length for people. Redacted as it came: a secret may have a line break. */
function oneLine(text: string, most: number, { redactor }: FailureContext): string {
  const line = redactor.cut(text, text.length).replace(/\s+/g, " ").trim();
  return line.length <= most ? line : `${cutText(line, most - 1)}…`;
}

/** A provider's own word for the error: OpenAI has it in `code` or `type`, Anthropic in `type`. */
function codeOf(data: unknown): string | undefined {
  if (!isRecord(data)) return undefined;
  const error = isRecord(data["error"]) ? data["error"] : data;
  return [error["code"], error["type"]].find((word): word is string => typeof word === "string" && word !== "error");
}

function statusIn(value: unknown): number | undefined {
  const status = typeof value === "string" && /^\d{3}$/.test(value) ? Number(value) : value;
  return typeof status === "number" && Number.isInteger(status) && status >= 400 && status <= 599 ? status : undefined;
}

/** `retry-after-ms` of OpenAI and its likes, else `Retry-After`. */
function delayIn(headers: Readonly<Record<string, string>>, nowMs: number): number | undefined {
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const exact = /^\d+(\.\d+)?$/.test(given["retry-after-ms"] ?? "") ? Number(given["retry-after-ms"]) : undefined;
  const delayMs = exact ?? retryAfterMs(given["retry-after"] ?? null, nowMs);
  return delayMs === undefined ? undefined : Math.ceil(delayMs);
}

function again(
  message: string,
  { details, afterMs }: { readonly details?: JsonValue; readonly afterMs?: number | undefined },
): ModelFailure {
  return {
    error: { message, ...(details === undefined ? {} : { details }) },
    retry: afterMs === undefined ? {} : { afterMs },
  };
}

function limit(message: string): ModelFailure {
  return { error: { message, code: "limit" } };
}

function findEgressError(error: unknown): EgressError | undefined {
  return causesOf(error).find((one): one is EgressError => one instanceof EgressError);
}

/** An error and what it says it was caused by; at most ten, as two may name each other. */
function causesOf(error: unknown): readonly unknown[] {
  const chain: unknown[] = [];
  for (let one = error; one !== undefined && one !== null && chain.length < 10;) {
    chain.push(one);
    one = one instanceof Error ? one.cause : undefined;
  }
  return chain;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
