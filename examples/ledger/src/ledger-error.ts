const statusOfCode = {
  malformed_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  body_too_large: 413,
  unsupported_media_type: 415,
  invalid_payment: 422,
  invalid_invoice: 422,
  invalid_receiver: 422,
  unknown_vendor: 422,
  vendor_blocked: 422,
  unknown_invoice: 422,
  currency_mismatch: 422,
  idempotency_key_reused: 422,
  invalid_behaviour: 422,
  internal: 500,
} as const;

/** Codes of refused requests. Only `injected_failure` is missing, because a behaviour chooses its status. */
export type LedgerErrorCode = keyof typeof statusOfCode;

/** A refusal, answered as `{ code, message }` with its HTTP status. */
export class LedgerError extends Error {
  override readonly name = "LedgerError";
  readonly code: LedgerErrorCode;
  readonly status: number;

  constructor(code: LedgerErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.status = statusOfCode[code];
  }
}
