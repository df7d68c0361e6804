// Verify
export { isValidSignature, verifyWebhook } from "./verify-webhook.ts";
export type { ReceivedWebhook } from "./received-webhook.ts";
export { oldSignatureHeader, signatureHeader } from "./signature.ts";
export type { SignatureHeaderValue } from "./signature.ts";
export type { RawBody } from "./raw-body.ts";

// The events
export type {
  CustomEvent,
  HumanReviewRequestedEvent,
  JsonObject,
  JsonValue,
  RunCompletedEvent,
  RunFailedEvent,
  WebhookEvent,
} from "./events.ts";

// Errors
export { WebhookError } from "./webhook-error.ts";
export type { WebhookErrorCode } from "./webhook-error.ts";

// Sign
export { signWebhook } from "./sign-webhook.ts";
