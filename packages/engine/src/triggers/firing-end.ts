import { ProcedoError, type FiringReason, type TriggerProblem } from "@procedo/contract";
import type { FiringSettlement } from "@procedo/storage";
import type { FiringError } from "./firing-error.ts";

/*
 * The ends of a firing that starts no run, and its return to the queue. Pure.
 */

export type FiringNext = FiringSettlement["next"];

/** How long a firing waits after an error that may pass. */
const retryMs = 1_000;

/** How long a firing waits after an error that an operator has to mend. */
const brokenMs = 60_000;

export function skipped(reason: FiringReason): FiringNext {
  return { status: "skipped", reason };
}

export function failed(reason: FiringReason, message: string, details: readonly TriggerProblem[] = []): FiringNext {
  const error: FiringError = { message, details };
  return { status: "failed", reason, error: JSON.stringify(error) };
}

/** The firing is claimed again later. */
export function again(nowMs: number, afterMs = retryMs): FiringNext {
  return { status: "pending", dueAtMs: nowMs + afterMs };
}

/** What becomes of a firing whose run could not be started. */
export function afterRefusal(error: unknown, nowMs: number): FiringNext {
  if (!ProcedoError.isError(error)) return again(nowMs, brokenMs);
  if (error.retryable) return again(nowMs, error.retryAfterMs);
  const { code, message } = error;
  switch (code) {
    case "invalid_input":
    case "too_deep":
    case "inexact_number":
      return failed(
        "input_invalid",
        message,
        error.details.map((detail) => ({ path: `/data${detail.path}`, message: detail.message })),
      );
    case "procedure_not_found":
    case "version_not_found":
    case "permission_denied":
      return failed(code, message);
    default:
      return again(nowMs, brokenMs);
  }
}
