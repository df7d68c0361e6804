/** HTTP status to answer by code: the three faults of a signature look alike from outside, so that a forger learns nothing. */
const statuses = {
  missing_signature: 401,
  malformed_signature: 401,
  wrong_signature: 401,
  not_json: 400,
  not_an_event: 400,

  // Faults of the receiver's own set-up: the delivery is sent again.
  body_not_raw: 500,
  invalid_secret: 500,
  unsupported_runtime: 500,
} as const;

/** Why a webhook was refused. */
export type WebhookErrorCode = keyof typeof statuses;

const brand = Symbol.for("procedo.webhook-error");

/**
 * The error of `verifyWebhook`. `message` says what to do, for the receiver's log; it never carries a secret, a
 * digest or a part of the body.
 *
 * Guard with {@link WebhookError.isError} rather than `instanceof`: it also knows errors of another installed copy.
 */
export class WebhookError extends Error {
  /** The literal `"WebhookError"`. */
  override readonly name = "WebhookError";
  /** The kind of failure, for programs. */
  readonly code: WebhookErrorCode;

  constructor(code: WebhookErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    Object.defineProperty(this, brand, { value: true });
  }

  /** HTTP status to answer: 401 for every fault of the signature, 400 for a body that is no event, 500 for our own set-up. */
  get status(): number {
    return statuses[this.code];
  }

  /** Whether a value is a `WebhookError`, also of another installed copy of the package. */
  static isError(value: unknown): value is WebhookError {
    return typeof value === "object" && value !== null && brand in value;
  }
}
