import { EgressError } from "./egress-error.ts";
import type { Egress } from "./egress.ts";

/** What else leads to a service in a network that is refused. A document or a webhook has no such way. */
export const otherWayIn = "Or reach the service through a private connection.";

/**
 * The same failure. The refusal of a private network is told with what else its reader can do: that depends on what the address
 * is for.
 *
 * @param advice a sentence
 */
export function advised(error: unknown, advice: string): unknown {
  if (!(error instanceof EgressError) || !error.isPrivateNetwork) return error;
  const { failure, sent, responseStatus, cause } = error;
  return new EgressError(failure, `${error.message} ${advice}`, { sent, responseStatus, cause });
}

/** The same way out, whose refusals of a private network are {@link advised}. */
export function advising(egress: Pick<Egress, "fetch">, advice: string): Pick<Egress, "fetch"> {
  return {
    fetch: (request) =>
      egress.fetch(request).catch((error: unknown) => {
        throw advised(error, advice);
      }),
  };
}
