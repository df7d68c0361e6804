import type { RawBody } from "./raw-body.ts";
import type { SignatureHeaderValue } from "./signature.ts";

/** A webhook as it arrived, and the secret that it is checked against. */
export interface ReceivedWebhook {
  /** The request's body as it came, before anything parses it. */
  readonly body: RawBody;
  /** Value of the header `X-Service-Signature`. */
  readonly signature: SignatureHeaderValue;
  /**
   * Value of the header `X-Service-Signature-Old`, for a receiver that is still on the old secret after a rotation. Only
   * looked at when it is well formed.
   *
   * @defaultValue none
   */
  readonly oldSignature?: SignatureHeaderValue;
  /** The webhook's secret, or several: one has to match. */
  readonly secret: string | readonly string[];
}
