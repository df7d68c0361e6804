import { EgressError } from "@procedo/engine";

/**
 * The error for arguments that HTTP cannot carry in the form that the document requires. Nothing was sent, and a retry
 * would fail in the same way.
 */
export function unsendable(message: string): EgressError {
  return new EgressError("request", message, { sent: "no" });
}
