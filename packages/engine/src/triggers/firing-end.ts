import { ProcedoError, type ErrorCode, type FiringReason, type TriggerProblem } from "@procedo/contract";
import type { FiringSettlement } from "@procedo/storage";
import { errorText } from "../ports/log.ts";
import type { FiringError } from "./firing-error.ts";

/*
 * The ends of a firing that starts no run, and its return to the queue. Pure.
 */

export type FiringNext = FiringSettlement["next"];

/** How long a firing waits after an error that may pass. */
const retryMs = 1_000;

/** The longest pause between two tries of a start that fails. The first ones are shorter. */
const longestPauseMs = 3_600_000;

/** A start that fails is tried for so long after its firing was stored. */
const triedForMs = 86_400_000;

/** The fewest tries of a start. A firing may be older than a day at its first try. */
const fewestTries = 12;

/** The service cannot start a run now, and will be able to later: the firing stays until then. */
const passing: ReadonlySet<ErrorCode> = new Set(["storage_unavailable", "overloaded", "rate_limited", "shutting_down"]);

export function skipped(reason: FiringReason): FiringNext {
  return { status: "skipped", reason };
}

export function failed(reason: FiringReason, message: string, details: readonly TriggerProblem[] = []): FiringNext {
  const error: FiringError = { message, details };
  return { status: "failed", reason, error: JSON.stringify(error) };
}

/** The firing is claimed again later. */
export function again(afterMs = retryMs): FiringNext {
  return { status: "pending", afterMs };
}

/** The end or next try of a firing after an error of known meaning; `undefined` for an error of the start itself. */
export function afterRefusal(error: unknown): FiringNext | undefined {
  if (!ProcedoError.isError(error)) return undefined;
  const { code, message } = error;
  if (passing.has(code)) return again(error.retryAfterMs);
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
      return undefined;
  }
}

/**
 * The end or next try of a firing whose start failed by a defect, of this service or of code that was given to it. The
 * pauses grow, and the firing fails after a day: until it ends, it may hold back the other firings of its trigger.
 *
 * @param tries how often it was claimed
 * @param ageMs since it was stored, by storage's clock
 */
export function afterDefect(
  error: unknown,
  { tries, ageMs }: { readonly tries: number; readonly ageMs: number },
): FiringNext {
  if (ageMs < triedForMs || tries < fewestTries) {
    return again(Math.min(longestPauseMs, retryMs * 2 ** tries));
  }
  return failed("start_failed", `The run could not be started, and is not tried again. ${lastError(error)}`);
}

/** The text of an error that is not ours may quote a payload or a secret. */
function lastError(error: unknown): string {
  if (ProcedoError.isError(error)) return `The last error: ${errorText(error)}`;
  const kind = error instanceof Error ? error.name : `a thrown ${typeof error}`;
  return `The last error (${kind}) is in the log of the service.`;
}
