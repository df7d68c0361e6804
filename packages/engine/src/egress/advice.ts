import { EgressError } from "./egress-error.ts";
import type { Egress } from "./egress.ts";

/** Advice for a service in a private network. It does not apply to documents and webhooks. */
export const usePrivateConnection = "Or reach the service through a private connection.";

/**
 * Appends advice to the refusal of a private network, and returns any other error unchanged. The advice depends on the
 * purpose of the address.
 *
 * @param advice a sentence
 */
export function advised(error: unknown, advice: string): unknown {
  if (!(error instanceof EgressError) || !error.isPrivateNetwork) return error;
  const { failure, sent, responseStatus, cause } = error;
  return new EgressError(failure, `${error.message} ${advice}`, { sent, responseStatus, cause });
}

/** The same client, whose refusals of a private network are {@link advised}. */
export function advising(egress: Pick<Egress, "fetch" | "connect">, advice: string): typeof egress {
  const refuse = (error: unknown): never => {
    throw advised(error, advice);
  };
  return {
    fetch: (request) => egress.fetch(request).catch(refuse),
    connect: (request) => egress.connect(request).catch(refuse),
  };
}
