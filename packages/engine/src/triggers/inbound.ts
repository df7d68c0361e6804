/** Requests of other services to inbound addresses. */
export interface Inbound {
  /**
   * Verifies a request and stores its events. Nothing of an unverified request is stored or logged.
   *
   * Never rejects because of the request itself: the answer is what the other service gets.
   *
   * @throws ProcedoError `inbound_unavailable` when the events could not be stored: the other service sends them again
   */
  receive(request: InboundRequest): Promise<InboundAnswer>;
}

/** A request to an inbound address. */
export interface InboundRequest {
  /** The last segment of its path, such as `in_live_…`. */
  readonly address: string;
  /** Every header with its lines, by name in lower case, in the order in which they arrived. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  /** The body as it was sent; at most 1 MiB. */
  readonly body: Uint8Array;
}

/** The answer to a request of another service. */
export interface InboundAnswer {
  /**
   * HTTP status: 200, 400, 401, 403, 404, 413, 422, or the integration's own for a wrong signature; 503 when the service's key
   * for the signature could not be fetched, so that the other service sends the request again.
   */
  readonly status: number;
  /** Text of the body; most answers have none. */
  readonly body?: {
    /** Value of the header `Content-Type`. */
    readonly contentType: string;
    /** The text. */
    readonly text: string;
  };
  /**
   * Of a request that did not prove its origin: the reason, for which its sender is slowed down.
   * @defaultValue the request proved its origin
   */
  readonly unproven?: "unknown_address" | "wrong_signature";
}
