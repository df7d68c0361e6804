import { EgressError } from "@procedo/engine";

/** The error for arguments that HTTP cannot carry as the document wants them: nothing was sent, and nothing will be. */
export function unsendable(message: string): EgressError {
  return new EgressError("request", message, { sent: "no" });
}
