import type { Dispatcher } from "undici";
import { createConnector, type ConnectorOptions } from "./connector.ts";

/** What sends requests. */
export interface Dispatchers {
  /** Keeps its connections for the next request. */
  readonly kept: Dispatcher;
  /** Opens one connection, for the caller to destroy. */
  readonly fresh: (origin: string) => Dispatcher;
}

/**
 * Loads undici and the certificate authorities: 20 MB of memory, which an engine that calls functions in its own process
 * never needs.
 */
export async function openDispatchers(options: ConnectorOptions): Promise<Dispatchers> {
  const { Agent, Client } = await import("undici");
  const dispatching = { connect: createConnector(options), pipelining: 1, allowH2: false };
  return { kept: new Agent(dispatching), fresh: (origin) => new Client(origin, dispatching) };
}
