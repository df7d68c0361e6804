import type { JsonObject, JsonValue } from "@procedo/contract";
import type { ErrorDetails } from "../expressions/expression.ts";
import type { FailedCall } from "./conversation.ts";
import type { StepError } from "./step-error.ts";

/**
 * What a failed call's details tell of the other service's answer: `status`, `reason` and `body`, as documented actions record
 * them and as other actions may. Nothing where they tell none of it. Pure.
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

/** What is kept of a call's failure: its message, and what the other service said. Pure. */
export function failedCall({ message, details }: StepError): FailedCall {
  const errorDetails = errorDetailsOf(details);
  return errorDetails === undefined ? { error: message } : { error: message, errorDetails };
}
