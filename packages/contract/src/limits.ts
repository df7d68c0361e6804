const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

/** Largest body of a request in bytes; {@link maxConnectionRequestBytes} and {@link maxResultBytes} are the exceptions. */
export const maxRequestBytes = mebibyte;

/** Largest body of a request about a connection in bytes: it may carry an OpenAPI document. */
export const maxConnectionRequestBytes = 25 * mebibyte;

/** Largest result of a private connection's function in bytes, as sent. */
export const maxResultBytes = 8 * mebibyte;

/** Most results that a private connection's client may send together. They share {@link maxResultBytes}. */
export const maxResultsTogether = 32;

/** Most that a review may show, in bytes of JSON text. */
export const maxReviewDataBytes = 256 * kibibyte;

/** How many levels of arrays and objects a JSON value may nest. */
export const maxJsonDepth = 64;

/** Bounds of `control.executionTimeout`, in milliseconds. */
export const executionTimeoutMs = { min: 1_000, max: 300_000, default: 60_000 } as const;

/** Bounds of a list's `limit`, in items. */
export const pageLimit = { min: 1, max: 100, default: 50 } as const;

/** A private connection is `connected` when its client has polled within this many milliseconds. */
export const connectedWindowMs = 60_000;

/** How long a poll of a private connection is held while there is no work, in milliseconds. */
export const pollHoldMs = 25_000;

/** How long a client keeps an invocation without a heartbeat, in milliseconds. */
export const invocationLeaseMs = 60_000;

/** How often a client sends heartbeats while it has invocations, in milliseconds. */
export const heartbeatIntervalMs = 15_000;

/**
 * Bounds and default (a day) of the time that another service keeps an idempotency key, in milliseconds.
 * Calls that are on record rely on the default, so it may never change.
 */
export const idempotencyKeyTtlBoundsMs = { min: 1_000, max: 315_360_000_000, default: 86_400_000 } as const;
