/** A request to the service. */
export interface TransportRequest {
  readonly method: "GET" | "PUT" | "POST";
  /** Below the service's address, with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** How long nothing may arrive before the connection counts as dead, in milliseconds. */
  readonly silenceMs: number;
  /** Largest answer that is read, in bytes. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

export interface TransportAnswer {
  readonly status: number;
  /** One header of the answer by its name in lower case. */
  readonly header: (name: string) => string | undefined;
  readonly text: string;
}

/** What carries requests to the service. */
export interface Transport {
  /** Rejects when no whole answer came. */
  readonly send: (request: TransportRequest) => Promise<TransportAnswer>;
  /** Ends what is left of connections. */
  readonly close: () => Promise<void>;
}

/** Why a request got no whole answer, beside errors of the network itself. */
export class TransportError extends Error {
  override readonly name = "TransportError";
}
