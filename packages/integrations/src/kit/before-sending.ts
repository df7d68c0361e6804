import { ActionError, ProcedoError } from "@procedo/engine";

/** The error of a fault before anything was sent. */
export function notBuilt(cause: unknown): Error {
  if (ProcedoError.isError(cause)) return cause;
  const message = `The request could not be built, and nothing was sent: ${String(cause)}`;
  return new ActionError(message, { outcome: "not_sent", retryable: false, cause });
}

/**
 * Builds a request. A fault of the integration's own code sends nothing, so that it must leave no doubt about the call.
 *
 * @throws ActionError `not_sent`
 */
export function beforeSending<Built>(build: () => Built): Built {
  try {
    return build();
  } catch (cause) {
    throw notBuilt(cause);
  }
}
