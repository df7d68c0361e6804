import type { Dispatcher } from "undici";
import { createConnector, type ConnectorOptions } from "./connector.ts";
import type { WaitingRequests } from "./waiting-requests.ts";
import { trustedCertificates } from "./system-network.ts";

/** What sends requests. */
export interface Dispatchers {
  /** Keeps its connections for the next request. */
  readonly kept: Dispatcher;
  /** Opens one connection, for the caller to destroy. @param stop gives up what is not open by then */
  readonly fresh: (origin: string, stop: AbortSignal) => Dispatcher;
}

/**
 * Loads undici and the certificate authorities: 20 MB of memory, which an engine that calls functions in its own process
 * never needs.
 */
export async function openDispatchers(
  options: ConnectorOptions,
  waiting: Pick<WaitingRequests, "none">,
): Promise<Dispatchers> {
  const { Agent, Client } = await import("undici");
  const certificates = trustedCertificates(options.ca);
  const dispatching = (givenUp: (origin: string) => AbortSignal | undefined) => ({
    connect: createConnector(options, certificates, givenUp),
    pipelining: 1,
    allowH2: false,
  });
  return {
    kept: new Agent(dispatching((origin) => waiting.none(origin))),
    fresh: (origin, stop) =>
      new Client(
        origin,
        dispatching(() => stop),
      ),
  };
}
