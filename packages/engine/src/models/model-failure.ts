import { retryAfterMs } from "@procedo/contract/syntax";
import { AISDKError, APICallError } from "@ai-sdk/provider";
import type { JsonValue } from "@procedo/contract";
import type { StepError } from "@procedo/procedure";
import { EgressError } from "../egress/egress-error.ts";
import { errorText } from "../ports/log.ts";
import { cutText, type Redactor } from "../secrets/redact.ts";
import { adviceFor, isWorthRetrying, mayHaveWorked, statusOfCode } from "./model-status.ts";

/** The reason for a missing reply, and whether the same prompt may be sent again. */
export interface ModelFailure {
  readonly error: StepError;
  readonly retry?: { readonly afterMs?: number };
  /** Left out if it is unknown. */
  readonly cost?: AttemptCost;
}

/** The cost of a failed attempt. `nothing`: the request was not sent. `call`: it was refused, and used no tokens. */
export type AttemptCost = "nothing" | "call";

export interface FailureContext {
  /** The model as messages show it: `model "gpt-5" (openai.chat)`. */
  readonly shownModel: string;
  /** Removes the model's secrets from third-party text. */
  readonly redactor: Redactor;
  /** Wall clock, for a `Retry-After` that is a date. */
  readonly nowMs: number;
}

const mostBodyChars = 500;
const mostMessageChars = 300;

/** An answer that ended before the reply was complete. */
export class IncompleteReply extends Error {
  override readonly name = "IncompleteReply";
}

/** An error that a stream reported; its `cause` may be any value. */
export class BrokenAnswer extends Error {
  override readonly name = "BrokenAnswer";
}

/** A reply that is larger than a run may hold. Its message is a predicate for the subject "The reply of the model". */
export class OversizedReply extends Error {
  override readonly name = "OversizedReply";
}

/**
 * Classifies the error of an attempt. A repeat may help depending on the report of the guarded client, the status, or
 * the fact that the answer broke off. An unknown error comes from the model's own code, and is final.
 */
export function modelFailure(error: unknown, context: FailureContext): ModelFailure {
  if (error instanceof OversizedReply) return limit(`The reply of the ${context.shownModel} ${error.message}.`);
  if (error instanceof IncompleteReply) return again(`The ${context.shownModel} ${causeText(error, context)}`, {});
  const guarded = findEgressError(error);
  if (guarded !== undefined) return egressFailure(guarded, context);
  if (APICallError.isInstance(error)) return callFailure(error, context);
  if (AISDKError.isInstance(error)) return sdkFailure(error, context);
  return error instanceof BrokenAnswer ? brokenAnswer(error.cause, context) : otherFailure(error, context);
}

/** The failure of a request through the guarded client, which knows whether the request was sent. */
function egressFailure({ failure, message, sent }: EgressError, { shownModel }: FailureContext): ModelFailure {
  const summary = `The ${shownModel} gave no answer: ${message}`;
  if (failure === "too_large") return limit(summary);
  const isFinal = failure === "destination" || failure === "request";
  const failed: ModelFailure = isFinal ? { error: { message: summary } } : again(summary, {});
  return sent === "no" ? { ...failed, cost: "nothing" } : failed;
}

function callFailure(error: APICallError, context: FailureContext): ModelFailure {
  const { statusCode: status, responseHeaders = {}, responseBody } = error;
  // The connection failed before or during the answer.
  if (status === undefined || (isSuccess(status) && error.isRetryable)) {
    const causeLine = causeText(error.cause ?? error, context);
    return again(`The ${context.shownModel} gave no answer: the connection failed (${causeLine}).`, {});
  }
  const details = describeBody(status, responseBody, context);
  const refusal = { status, code: codeOf(error.data), marked: error.isRetryable };
  const text = causeText(error, context).replace(/[.:\s]+$/, "");
  const advice = adviceFor(refusal);
  if (isSuccess(status)) {
    return again(`The ${context.shownModel} sent an unreadable answer: ${text}. ${advice}`, { details });
  }
  const message = `The ${context.shownModel} answered ${status}${text === "" ? "" : `: ${text}`}. ${advice}`;
  const cost = mayHaveWorked(status) ? {} : ({ cost: "call" } as const);
  if (!isWorthRetrying(refusal)) return { error: { message, details }, ...cost };
  return { ...again(message, { details, afterMs: delayIn(responseHeaders, context.nowMs) }), ...cost };
}

/** An error within a stream: an error of the SDK, or a provider's object, usually with a status or a code. */
function brokenAnswer(cause: unknown, context: FailureContext): ModelFailure {
  if (AISDKError.isInstance(cause)) {
    // The model may have used tokens before the error, with any status.
    const { cost: _ofARefusal, ...failure } = modelFailure(cause, context);
    return failure;
  }
  const error = isRecord(cause) ? cause : { message: cause };
  const text = typeof error["message"] === "string" ? error["message"] : "no reason is given";
  const reason = oneLine(text, mostMessageChars, context).replace(/[.:\s]+$/, "");
  const what = `The ${context.shownModel} broke off its answer: ${reason}`;
  const code = codeOf(error) ?? codeOf(error["data"]);
  const status = statusIn(error["statusCode"]) ?? statusIn(error["code"]) ?? statusOfCode(code);
  if (status === undefined) return again(`${what}.`, {});
  const refusal = { status, code, marked: error["isRetryable"] === true };
  const message = `${what} (${status}). ${adviceFor(refusal)}`;
  return isWorthRetrying(refusal) ? again(message, {}) : { error: { message } };
}

/** An error of the SDK. An answer that its package could not parse is worth a repeat; a wrong setting is not. */
function sdkFailure(error: AISDKError, context: FailureContext): ModelFailure {
  const unreadable = /InvalidResponseData|JSONParse|TypeValidation|EmptyResponseBody|NoContentGenerated/.test(
    error.name,
  );
  const text = causeText(error, context);
  if (unreadable) return again(`The ${context.shownModel} sent an unreadable answer: ${text}`, {});
  return { error: { message: `The ${context.shownModel} could not be asked: ${text}` } };
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Codes that Node and undici give to failed connections. */
const connectionCodes = /^(E[A-Z]{3,}|EAI_[A-Z]+|UND_ERR_[A-Z_]+)$/;

function otherFailure(error: unknown, context: FailureContext): ModelFailure {
  const chain = causesOf(error);
  const lost = chain.some(
    (one) => isRecord(one) && typeof one["code"] === "string" && connectionCodes.test(one["code"]),
  );
  const ended = chain.some((one) => one instanceof Error && ["AbortError", "TimeoutError"].includes(one.name));
  const marked = isRecord(error) && error["isRetryable"] === true;
  const message = `The ${context.shownModel} could not be asked: ${causeText(error, context)}`;
  return lost || ended || marked ? again(message, {}) : { error: { message } };
}

function describeBody(status: number, body: string | undefined, context: FailureContext): JsonValue {
  return body === undefined || body === "" ? { status } : { status, body: oneLine(body, mostBodyChars, context) };
}

function causeText(error: unknown, context: FailureContext): string {
  return oneLine(errorText(error), mostMessageChars, context);
}

/**
 * Third-party text as one short line. It is redacted before line breaks are removed, because a secret may contain one.
 */
function oneLine(text: string, most: number, { redactor }: FailureContext): string {
  const line = redactor.cut(text, text.length).replace(/\s+/g, " ").trim();
  return line.length <= most ? line : `${cutText(line, most - 1)}…`;
}

/** The provider's error code: OpenAI has it in `code` or `type`, Anthropic in `type`. */
function codeOf(data: unknown): string | undefined {
  if (!isRecord(data)) return undefined;
  const error = isRecord(data["error"]) ? data["error"] : data;
  return [error["code"], error["type"]].find((word): word is string => typeof word === "string" && word !== "error");
}

function statusIn(value: unknown): number | undefined {
  const status = typeof value === "string" && /^\d{3}$/.test(value) ? Number(value) : value;
  return typeof status === "number" && Number.isInteger(status) && status >= 400 && status <= 599 ? status : undefined;
}

/** The delay in `retry-after-ms`, as OpenAI and compatible services send it, else in `Retry-After`. */
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

/** An error and its chain of causes; at most ten, because errors may name each other as cause. */
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
