import type { JsonObject, JsonValue } from "@procedo/contract";
import type { ErrorDetails } from "../expressions/expression.ts";
import type { FailedCall } from "./conversation.ts";
import type { StepError } from "./step-error.ts";

/**
 * The other service's answer in a failed call's details: `status`, `reason` and `body`, as documented actions record
 * them and other actions may. `undefined` if the details contain none of them. Pure.
 */
function errorDetailsOf(details: JsonValue | undefined): ErrorDetails | undefined {
  if (typeof details !== "object" || details === null || Array.isArray(details)) return undefined;
  const { status, reason, body } = details as JsonObject;
  const told: ErrorDetails = {
    ...(typeof status === "number" && { status }),
    ...(typeof reason === "string" && { reason }),
    ...(body !== undefined && { body }),
  };
  return Object.keys(told).length > 0 ? told : undefined;
}

/** The recorded part of a call's failure: its message and the other service's answer. Pure. */
export function failedCall({ message, details }: StepError): FailedCall {
  const errorDetails = errorDetailsOf(details);
  return errorDetails === undefined ? { error: message } : { error: message, errorDetails };
}
