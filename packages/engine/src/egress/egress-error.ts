import { ProcedoError, type ErrorCode } from "@procedo/contract";

/**
 * Whether the receiver may have seen the request. `"no"`: not a single byte was written, so there was no effect.
 * `"maybe"`: the request may have been written, so there may have been an effect.
 */
export type Sent = "no" | "maybe";

/** The reason for the failure of an outgoing request. */
export type EgressFailure =
  /** The guard refused the address, name, port or URL. */
  | "destination"
  /** The request itself is not valid: method, a header, a path parameter. */
  | "request"
  /** `beforeSend` withheld the request. */
  | "withheld"
  /** There was no access token for the request that the service accepts. */
  | "unauthorized"
  | "dns"
  | "connect"
  | "tls"
  | "timeout"
  | "aborted"
  /** The connection ended before the answer was whole. */
  | "connection_lost"
  /** The answer is not valid HTTP. */
  | "response"
  /** The answer is longer than allowed. */
  | "too_large"
  /** The client was closed. */
  | "closed";

const codes = {
  destination: "destination_not_allowed",
  request: "invalid_input",
  withheld: "upstream_unreachable",
  unauthorized: "upstream_unreachable",
  dns: "upstream_unreachable",
  connect: "upstream_unreachable",
  tls: "upstream_unreachable",
  timeout: "upstream_unreachable",
  aborted: "upstream_unreachable",
  connection_lost: "upstream_unreachable",
  response: "upstream_unreachable",
  too_large: "upstream_unreachable",
  closed: "shutting_down",
} as const satisfies Record<EgressFailure, ErrorCode>;

export interface EgressErrorOptions {
  readonly sent: Sent;
  /** Status of the answer, if its head had arrived. */
  readonly responseStatus?: number | undefined;
  /** The address is in a private or reserved network that is not allowed. @defaultValue false */
  readonly isPrivateNetwork?: boolean;
  readonly cause?: unknown;
}

/**
 * The failure of an outgoing request. `sent` tells whether the request may have had an effect.
 *
 * The message may contain the host, but never the path, query, a header, the answer or the resolved address.
 */
export class EgressError extends ProcedoError {
  /** The kind of failure. */
  readonly failure: EgressFailure;
  /** Whether the request may have had an effect. */
  readonly sent: Sent;
  /** HTTP status of the answer; `undefined` when none arrived. */
  readonly responseStatus: number | undefined;
  /** The address leads to a private or reserved network that is not allowed. */
  readonly isPrivateNetwork: boolean;

  constructor(failure: EgressFailure, message: string, options: EgressErrorOptions) {
    super(codes[failure], message, { cause: options.cause });
    this.failure = failure;
    this.sent = options.sent;
    this.responseStatus = options.responseStatus;
    this.isPrivateNetwork = options.isPrivateNetwork ?? false;
  }
}

/** The same failure with `sent: "maybe"`, for a request whose earlier hop had been sent. */
export function sentBefore(error: EgressError): EgressError {
  if (error.sent === "maybe") return error;
  const { responseStatus, isPrivateNetwork, cause } = error;
  return new EgressError(error.failure, error.message, { sent: "maybe", responseStatus, isPrivateNetwork, cause });
}
