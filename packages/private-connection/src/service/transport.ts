/** A request to the service. */
export interface TransportRequest {
  readonly method: "GET" | "PUT" | "POST";
  /** Relative to the service's address, with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The silence after which the connection counts as dead, in milliseconds. */
  readonly silenceMs: number;
  /** The maximum size of an answer, in bytes. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

export interface TransportAnswer {
  readonly status: number;
  /** Returns one header of the answer by its name in lower case. */
  readonly header: (name: string) => string | undefined;
  readonly text: string;
}

/** Carries requests to the service. */
export interface Transport {
  /** Rejects without a complete answer. */
  readonly send: (request: TransportRequest) => Promise<TransportAnswer>;
  /** Closes the remaining connections. */
  readonly close: () => Promise<void>;
}

/** The reason for a missing or incomplete answer, other than an error of the network itself. */
export class TransportError extends Error {
  override readonly name = "TransportError";
}
