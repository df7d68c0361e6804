/**
 * Calls an operation of an imported document.
 *
 * - `operation-request.ts` builds the request (pure): `target-url.ts` and `path-segment.ts` its path,
 *   `parameter-styles.ts` values with a style, `request-headers.ts` its headers, `request-body.ts` its body
 *   (`body-type.ts`, `form-body.ts`, `multipart-body.ts`, `binary-value.ts`), `authentication.ts` the connection's
 *   credentials
 * - `read-answer.ts` interprets the response, `answer-body.ts` its body, `decode-text.ts` its charset
 * - `recorded-body.ts` limits the body for the step's record
 */
import { ActionError, EgressError, type CallAnswer, type Exchange, type GuardedFetch } from "@procedo/engine";
import { bothRedactors, givenCredential } from "./given-credential.ts";
import { operationRequest, type OperationCall, type OperationRequest } from "./operation-request.ts";
import { readAnswer, type ReceivedAnswer } from "./read-answer.ts";

/**
 * Makes one attempt of a call. Redirects are not followed, so credentials and arguments are sent only to the
 * connection's base URL.
 *
 * @throws ActionError when the call failed; EgressError `invalid_input` for arguments that HTTP cannot carry
 */
export async function callOperation(call: OperationCall, fetch: GuardedFetch): Promise<CallAnswer> {
  const request = operationRequest(call);
  const answer = await send(request, fetch);
  const { operation, effect, connection } = call;
  const { name: action, answersJson } = operation;
  const ofArgument = givenCredential(call);
  const redactor = bothRedactors(ofArgument, connection.redactor);
  const unknownToEngine = () => ofArgument;
  return readAnswer({ action, effect, answersJson, request: request.recorded, redactor, unknownToEngine }, answer);
}

/** @throws ActionError when no complete response arrived */
export async function send(request: OperationRequest, fetch: GuardedFetch): Promise<ReceivedAnswer> {
  try {
    const { method, headers, body } = request;
    const init = { method, headers, redirect: "manual" } as const;
    const response = await fetch(request.url, body === undefined ? init : { ...init, body });
    const { status, headers: received } = response;
    return { status, headers: received, bytes: new Uint8Array(await response.arrayBuffer()) };
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    throw withExchange(error, request.recorded);
  }
}

/** Repeats the error of the guarded client and adds the exchange. */
function withExchange(error: EgressError, request: Exchange["request"]): ActionError {
  // The guarded client would reject the same destination or request again.
  const hopeless = error.failure === "destination" || error.failure === "request";
  const { responseStatus: status } = error;
  return new ActionError(error.message, {
    outcome: error.sent === "no" ? "not_sent" : "unknown",
    retryable: !hopeless,
    cause: error,
    ...(error.sent === "no"
      ? {}
      : { exchange: status === undefined ? { request } : { request, response: { status, headers: {} } } }),
  });
}
