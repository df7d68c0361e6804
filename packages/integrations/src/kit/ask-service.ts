import type { JsonValue } from "@procedo/contract";
import { ActionError, type ActionEffect, type CallContext, type Exchange, type Redactor } from "@procedo/engine";
import { send } from "../calls/call-operation.ts";
import { maxReasonChars, readAnswer, type ReceivedAnswer } from "../calls/read-answer.ts";
import { credentialsIn } from "./answered-credentials.ts";
import { beforeSending } from "./before-sending.ts";
import type { ServiceHttp, ServiceRefusal, ServiceReply } from "./service-http.ts";
import { serviceRequest, type ServiceRequest } from "./service-request.ts";

/** The connection and the client of a request, as the context of a call or of a test has them. */
export interface ServiceContext<Settings, Secrets> extends Pick<
  CallContext,
  "environment" | "account" | "redactor" | "fetch"
> {
  /** Settings of the connection. */
  readonly settings: Settings;
  /** Secrets of the connection, in the clear. */
  readonly secrets: Secrets;
  /** Name of the action. @defaultValue "The request" */
  readonly action?: string;
  /** The key of the call. @defaultValue the request has no effect */
  readonly idempotencyKey?: string;
}

/** The answer of a service that did the work. */
export interface ServiceAnswer {
  /** The body: JSON with all digits, text, or `null` for none. */
  readonly body: JsonValue;
  /** Why the body cannot be used although the work is done; `undefined` when it can. */
  readonly unusable: string | undefined;
  /** The request and its answer, for the step's record. */
  readonly exchange: Exchange;
}

/**
 * Sends a request of a connection and interprets the answer. Redirects are not followed.
 *
 * @throws ActionError for a refusal, and when no complete answer arrived
 */
export async function askService<Settings, Secrets>(
  http: ServiceHttp<Settings, Secrets>,
  context: ServiceContext<Settings, Secrets>,
  effect: ActionEffect,
  request: ServiceRequest,
): Promise<ServiceAnswer> {
  const { environment, settings, secrets, account, redactor, action = "The request" } = context;
  const idempotencyKey = effect === "read" ? undefined : context.idempotencyKey;
  const connection = { environment, settings, secrets, account, redactor, idempotencyKey };
  const built = beforeSending(() => serviceRequest(http, connection, request));
  const received = await send(built, context.fetch);
  const unknownToEngine = (body: JsonValue) => credentialsIn(body, http.credentialMembers);
  const call = { action, effect, answersJson: true, request: built.recorded, redactor, unknownToEngine };
  try {
    const { output, unusable, exchange = { request: built.recorded } } = readAnswer(call, received);
    const body = output as JsonValue;
    const reply = { status: received.status, body, headers: exchange.response?.headers ?? {} };
    const stated = refusalOfSuccess(http, reply);
    if (stated === undefined || "unusable" in stated) return { body, unusable: stated?.unusable ?? unusable, exchange };
    throw refused(stated, received, { body, exchange, redactor });
  } catch (error) {
    throw inWordsOfService(http, error, { received, redactor });
  }
}

/** A hook that fails on the answer of a call that was made leaves the answer unusable, and the call made. */
function refusalOfSuccess<Settings, Secrets>(
  { refusal }: ServiceHttp<Settings, Secrets>,
  reply: ServiceReply,
): ServiceRefusal | { readonly unusable: string } | undefined {
  try {
    return refusal?.(reply);
  } catch (error) {
    return { unusable: `cannot be read: ${String(error)}` };
  }
}

/** The error of an answer without 2xx, with the refusal that the service's body states. */
function inWordsOfService<Settings, Secrets>(
  { refusal }: ServiceHttp<Settings, Secrets>,
  error: unknown,
  { received, redactor }: { readonly received: ReceivedAnswer; readonly redactor: Redactor },
): unknown {
  const isSuccess = received.status >= 200 && received.status < 300;
  if (refusal === undefined || !(error instanceof ActionError) || isSuccess) return error;
  const { exchange } = error;
  const body = exchange?.response?.body ?? null;
  const headers = exchange?.response?.headers ?? {};
  const stated = statedRefusal(refusal, { status: received.status, body, headers });
  if (stated === undefined || exchange === undefined) return error;
  const { outcome = error.outcome, retryable = error.mayRetry, retryAfterMs = error.retryAfterMs } = stated;
  const whole = { ...stated, outcome, retryable, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  return refused(whole, received, { body, exchange, redactor });
}

/** A hook that fails on a body must not hide the refusal itself. */
function statedRefusal(
  refusal: NonNullable<ServiceHttp<unknown, unknown>["refusal"]>,
  reply: ServiceReply,
): ServiceRefusal | undefined {
  try {
    return refusal(reply);
  } catch (error) {
    return { message: `The service answered with ${reply.status}, in a form that cannot be read: ${String(error)}` };
  }
}

function refused(
  { message: whole, outcome = "refused", retryable, retryAfterMs }: ServiceRefusal,
  { status }: ReceivedAnswer,
  { body, exchange, redactor }: { readonly body: JsonValue; readonly exchange: Exchange; readonly redactor: Redactor },
): ActionError {
  const message = redactor.cut(whole, maxReasonChars);
  return new ActionError(message, {
    outcome,
    ...(retryable !== undefined && { retryable }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    details: { status, reason: message, body },
    exchange,
  });
}
