import type { components } from "./schema.d.ts";

export type ErrorBody = components["schemas"]["Error"];
export type ErrorDetail = components["schemas"]["ErrorDetail"];

/** `offline`: the request got no answer. `unexpected`: the answer was not one of the service. */
export type ApiErrorCode = ErrorBody["code"] | "offline" | "unexpected";

/** A request that failed. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ApiErrorCode;
  readonly status: number | undefined;
  readonly details: readonly ErrorDetail[];
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(
    code: ApiErrorCode,
    message: string,
    facts: Partial<Pick<ApiError, "status" | "details" | "requestId" | "retryAfterMs">> = {},
  ) {
    super(message);
    this.code = code;
    this.status = facts.status;
    this.details = facts.details ?? [];
    this.requestId = facts.requestId;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

const retryable: ReadonlySet<ApiErrorCode> = new Set<ApiErrorCode>([
  "offline",
  "rate_limited",
  "overloaded",
  "shutting_down",
  "storage_unavailable",
]);

/** Whether the same request may succeed later. */
export function isRetryable(error: unknown): boolean {
  return error instanceof ApiError && retryable.has(error.code);
}

export function hasCode(error: unknown, ...codes: readonly ApiErrorCode[]): error is ApiError {
  return error instanceof ApiError && codes.includes(error.code);
}
