import { ActionError } from "../integrations/action-error.ts";

/**
 * A failure of the test itself, however its procedure handles it: a request without a matching fake, script or
 * recording. The method of the run that led to it rejects with this error.
 */
export class TestingError extends ActionError {
  constructor(message: string) {
    super(message, { outcome: "refused", retryable: false });
  }
}
