/**
 * Every error that Procedo answers or throws, with the HTTP status that carries it and whether the same request may
 * succeed when it is sent again unchanged. One table serves the engine, the HTTP handler and the clients, so that a
 * client sees the code which the engine threw.
 */
export const errorCatalogue = {
  // Requests that are wrong
  malformed_request: { status: 400, retryable: false },
  oauth_state_invalid: { status: 400, retryable: false },
  unknown_field: { status: 400, retryable: false },
  invalid_cursor: { status: 400, retryable: false },
  too_deep: { status: 400, retryable: false },
  unauthorized: { status: 401, retryable: false },
  environment_mismatch: { status: 403, retryable: false },
  permission_denied: { status: 403, retryable: false },
  oauth_denied: { status: 403, retryable: false },
  payload_too_large: { status: 413, retryable: false },
  unsupported_media_type: { status: 415, retryable: false },
  invalid_input: { status: 422, retryable: false },
  inexact_number: { status: 422, retryable: false },
  invalid_document: { status: 422, retryable: false },
  invalid_decision: { status: 422, retryable: false },
  destination_not_allowed: { status: 422, retryable: false },
  idempotency_key_reused: { status: 422, retryable: false },
  credentials_of_other_environment: { status: 422, retryable: false },
  rate_limited: { status: 429, retryable: true },

  // Things that do not exist
  not_found: { status: 404, retryable: false },
  run_not_found: { status: 404, retryable: false },
  procedure_not_found: { status: 404, retryable: false },
  version_not_found: { status: 404, retryable: false },
  review_not_found: { status: 404, retryable: false },
  connection_not_found: { status: 404, retryable: false },
  webhook_not_found: { status: 404, retryable: false },
  api_key_not_found: { status: 404, retryable: false },
  integration_not_found: { status: 404, retryable: false },
  trigger_not_found: { status: 404, retryable: false },
  firing_not_found: { status: 404, retryable: false },
  person_not_found: { status: 404, retryable: false },
  invitation_not_found: { status: 404, retryable: false },
  session_not_found: { status: 404, retryable: false },
  run_archived: { status: 410, retryable: false },
  oauth_ticket_used: { status: 410, retryable: false },

  // Conflicts with the current state
  already_decided: { status: 409, retryable: false },
  already_ended: { status: 409, retryable: false },
  another_review_open: { status: 409, retryable: false },
  too_early: { status: 409, retryable: true },
  idempotency_conflict: { status: 409, retryable: false },
  version_exists: { status: 409, retryable: false },
  name_taken: { status: 409, retryable: false },
  limit_reached: { status: 409, retryable: false },
  email_taken: { status: 409, retryable: false },
  last_owner: { status: 409, retryable: false },
  connection_in_use: { status: 409, retryable: false },
  webhook_inactive: { status: 409, retryable: false },
  not_oauth: { status: 409, retryable: false },
  needs_authorization: { status: 409, retryable: false },
  account_mismatch: { status: 409, retryable: false },
  revision_conflict: { status: 409, retryable: false },
  draft_outdated: { status: 409, retryable: false },
  stale_lease: { status: 409, retryable: false },
  review_digest_mismatch: { status: 412, retryable: false },
  manifest_required: { status: 412, retryable: false },

  // Failures of the service
  invalid_configuration: { status: 500, retryable: false },
  decryption_failed: { status: 500, retryable: false },
  journal_corrupted: { status: 500, retryable: false },
  internal: { status: 500, retryable: false },
  upstream_unreachable: { status: 502, retryable: true },
  oauth_failed: { status: 502, retryable: true },
  action_failed: { status: 502, retryable: false },
  storage_unavailable: { status: 503, retryable: true },
  overloaded: { status: 503, retryable: true },
  inbound_unavailable: { status: 503, retryable: true },
  shutting_down: { status: 503, retryable: true },
  run_timeout: { status: 504, retryable: true },
} as const satisfies Record<string, { readonly status: number; readonly retryable: boolean }>;

/** The closed union of error codes. */
export type ErrorCode = keyof typeof errorCatalogue;

/** HTTP status that carries an error of this code. */
export function statusOf(code: ErrorCode): number {
  return errorCatalogue[code].status;
}

/** One place in a request that has to change. */
export interface ErrorDetail {
  /** JSON pointer (RFC 6901) into the body or document; `""` is the whole. */
  readonly path: string;
  /** The fault and its correction. */
  readonly message: string;
  /** Of a problem in a procedure's document: the node that contains it, or the source node of the edge. */
  readonly nodeId?: string | undefined;
}

/** Optional facts of a {@link ProcedoError}. */
export interface ProcedoErrorOptions {
  /** The faults of the request, one by one. @defaultValue none */
  readonly details?: readonly ErrorDetail[];
  /** How long to wait before the same request is worth sending again, in milliseconds. */
  readonly retryAfterMs?: number;
  /** The request that the service answered with this error. */
  readonly requestId?: string;
  /** The error that this one follows from, for the log. @defaultValue none */
  readonly cause?: unknown;
}

const brand = Symbol.for("procedo.error");

/**
 * The one error class. `message` says what failed and what to do; it never carries a secret or a payload.
 *
 * Guard with {@link ProcedoError.isError} rather than `instanceof`: it also knows errors of another installed copy.
 */
export class ProcedoError extends Error {
  /** The literal `"ProcedoError"`. */
  override readonly name = "ProcedoError";
  /** The kind of failure, for programs. */
  readonly code: ErrorCode;
  /** The faults of the request, one by one; empty for other failures. */
  readonly details: readonly ErrorDetail[];
  /** How long to wait before the same request is worth sending again, in milliseconds; `undefined` if unknown. */
  readonly retryAfterMs: number | undefined;
  /** The request that the service answered with this error; `undefined` where no service answered. */
  readonly requestId: string | undefined;

  constructor(code: ErrorCode, message: string, options: ProcedoErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? [];
    this.retryAfterMs = options.retryAfterMs;
    this.requestId = options.requestId;
    Object.defineProperty(this, brand, { value: true });
  }

  /** HTTP status of this error's code. */
  get status(): number {
    return statusOf(this.code);
  }

  /** Whether the same request may succeed when it is sent again unchanged. */
  get retryable(): boolean {
    return errorCatalogue[this.code].retryable;
  }

  /** Whether a value is a `ProcedoError`, also of another installed copy of the package. */
  static isError(value: unknown): value is ProcedoError {
    return typeof value === "object" && value !== null && brand in value;
  }
}
