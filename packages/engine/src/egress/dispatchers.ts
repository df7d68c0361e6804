import type { Dispatcher } from "undici";
import { createConnector, type ConnectorOptions } from "./connector.ts";
import type { WaitingRequests } from "./waiting-requests.ts";

/** The undici dispatchers that send requests. */
export interface Dispatchers {
  /** Keeps connections open for further requests. */
  readonly kept: Dispatcher;
  /** Opens one connection, which the caller must destroy. @param stop ends an attempt that is not open yet */
  readonly fresh: (origin: string, stop: AbortSignal) => Dispatcher;
}

/** Loads undici at the first request. An engine that makes no outgoing requests never needs it. */
export async function openDispatchers(
  options: ConnectorOptions,
  waiting: Pick<WaitingRequests, "none">,
): Promise<Dispatchers> {
  const { Agent, Client } = await import("undici");
  const dispatching = (givenUp: (origin: string) => AbortSignal | undefined) => ({
    connect: createConnector(options, givenUp),
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
