import { ActionError, ProcedoError } from "@procedo/engine";

/**
 * Builds a request. A fault of the integration's own code sends nothing, so that it must leave no doubt about the call.
 *
 * @throws ActionError `not_sent`
 */
export function beforeSending<Built>(build: () => Built): Built {
  try {
    return build();
  } catch (cause) {
    if (ProcedoError.isError(cause)) throw cause;
    const message = `The request could not be built, and nothing was sent: ${String(cause)}`;
    throw new ActionError(message, { outcome: "not_sent", retryable: false, cause });
  }
}
