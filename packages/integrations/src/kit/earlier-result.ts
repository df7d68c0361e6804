import type { JsonValue } from "@procedo/contract";
import { ActionError } from "@procedo/engine";
import type { ServiceAnswer } from "./ask-service.ts";
import type { ServiceReply } from "./service-http.ts";
import type { ServiceRequest } from "./service-request.ts";

/**
 * How the result of an earlier attempt is found, for a service that refuses a repeated call instead of answering it as
 * it did before. All functions are pure.
 */
export interface EarlierResult<Input> {
  /** The request that reads the result; `undefined` for a refusal with another reason. */
  readonly find: (refusal: ServiceReply, input: Input) => ServiceRequest | undefined;
  /** Whether the body is the result of the call. Otherwise the refusal stands. @defaultValue always */
  readonly isResult?: (body: JsonValue) => boolean;
}

/**
 * Reads the result of an earlier attempt.
 *
 * @param error - the failure of this attempt
 * @throws the failure, when it is not a refusal of a repeated call; ActionError `unknown` when the result cannot be read,
 *   because the call may have been done
 */
export async function earlierResult<Input>(
  { find, isResult = () => true }: EarlierResult<Input>,
  error: unknown,
  input: Input,
  ask: (request: ServiceRequest) => Promise<ServiceAnswer>,
): Promise<ServiceAnswer> {
  const request = isRefusal(error) ? find(answerOf(error), input) : undefined;
  if (request === undefined) throw error;
  const answer = await ask(request).catch((cause: unknown) => {
    throw unreadable(error as ActionError, cause);
  });
  if (isResult(answer.body)) return answer;
  throw error;
}

function isRefusal(error: unknown): error is ActionError {
  return error instanceof ActionError && (error.outcome === "refused" || error.outcome === "conflict");
}

function answerOf({ exchange }: ActionError): ServiceReply {
  return { status: exchange?.response?.status ?? 0, body: exchange?.response?.body ?? null };
}

function unreadable({ message, exchange }: ActionError, cause: unknown): ActionError {
  const reason = cause instanceof ActionError ? ` ${cause.message}` : "";
  return new ActionError(`${message} The result of an earlier attempt could not be read.${reason}`, {
    outcome: "unknown",
    ...(cause instanceof ActionError && cause.retryAfterMs !== undefined && { retryAfterMs: cause.retryAfterMs }),
    ...(exchange !== undefined && { exchange }),
    cause,
  });
}
