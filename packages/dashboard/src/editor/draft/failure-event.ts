import { ApiError, hasCode, isRetryable } from "../../api/api-error.ts";
import type { DraftEvent } from "./draft-state.ts";

/** The event of a request that failed. */
export function failureEvent(error: unknown): Exclude<DraftEvent, { readonly kind: "edited" }> {
  if (hasCode(error, "revision_conflict")) return { kind: "outdated" };
  const mayHaveArrived = isRetryable(error) || (error instanceof ApiError && (error.status ?? 0) >= 500);
  return mayHaveArrived ? { kind: "unanswered" } : { kind: "refused", error };
}
