/**
 * Calling an operation of an imported document.
 *
 * - `operation-request.ts` writes the request (pure): `target-url.ts` and `path-segment.ts` its path, `parameter-styles.ts`
 *   values with a style, `request-headers.ts` its headers, `request-body.ts` its body (`body-type.ts`, `form-body.ts`,
 *   `multipart-body.ts`, `binary-value.ts`), `authentication.ts` what the connection adds
 * - `read-answer.ts` says what an answer means, `answer-body.ts` what it holds, `decode-text.ts` in which charset
 * - `recorded-body.ts` is what the step's record keeps
 */
import { ActionError, EgressError, type CallAnswer, type Exchange, type GuardedFetch } from "@procedo/engine";
import { bothRedactors, givenCredential } from "./given-credential.ts";
import { operationRequest, type OperationCall, type OperationRequest } from "./operation-request.ts";
import { readAnswer, type ReceivedAnswer } from "./read-answer.ts";

/**
 * Makes one attempt of a call. Redirects are not followed: neither the credentials nor the arguments go anywhere but to
 * the connection's base URL.
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
  return readAnswer({ action, effect, answersJson, request: request.recorded, redactor, ofArgument }, answer);
}

/** @throws ActionError for a request without a whole answer */
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

/** Says what the guarded client says, and adds what was on the wire. */
function withExchange(error: EgressError, request: Exchange["request"]): ActionError {
  // A destination or request that was refused once is refused the next time as well.
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
