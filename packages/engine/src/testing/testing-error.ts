import { ActionError } from "../integrations/action-error.ts";

/**
 * What a test has to be told whatever its procedure makes of it: a request that no fake, script or recording answers. The
 * run's method that led to it rejects with it.
 */
export class TestingError extends ActionError {
  constructor(message: string) {
    super(message, { outcome: "refused", retryable: false });
  }
}
