import { OutgoingError } from "@procedo/engine";

/** The error for arguments that HTTP cannot carry as the document wants them: nothing was sent, and nothing will be. */
export function unsendable(message: string): OutgoingError {
  return new OutgoingError("request", message, { sent: "no" });
}
