/** Requests of other services to inbound addresses. */
export interface Inbound {
  /**
   * Verifies a request and stores its events. Nothing of an unverified request is stored or logged.
   *
   * Never rejects because of the request: an answer with a status is what the other service shall get.
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
  /** Network address of the sender. */
  readonly sender: string | undefined;
}

/** The answer to a request of another service. */
export interface InboundAnswer {
  /** HTTP status: 200, 204, 401, 403, 404, 415, 422, 429 … or the integration's own. */
  readonly status: number;
  /** Text of the body; most answers have none. */
  readonly body?: { readonly contentType: string; readonly text: string };
  /** For 429 and 503, in milliseconds. */
  readonly retryAfterMs?: number;
}
