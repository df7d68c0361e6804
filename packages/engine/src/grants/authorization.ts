import type { ServiceAccount } from "../integrations/account-context.ts";
import type { OAuthClient, TokenRefusal } from "../integrations/oauth-client.ts";
import type { Redactor } from "../secrets/redact.ts";

/** Whether requests of a connection can be made. */
export type Readiness =
  | {
      readonly status: "ready";
      readonly accessToken: string;
      readonly generation: number;
      /** Since when the token belongs to its account, as in {@link Authorization.accountSinceMs}. */
      readonly accountSinceMs: number;
    }
  /** No token can be had now; worth another look at this time, in milliseconds since the epoch. */
  | { readonly status: "later"; readonly atMs: number; readonly message: string }
  /** A person has to authorize the connection. */
  | { readonly status: "needs_authorization"; readonly message: string };

/** The authorization of one connection's requests by OAuth. */
export interface Authorization {
  /** Whether a person authorizes the connection, or the client itself. */
  readonly grant: OAuthClient["grant"];
  /** The origins to which its access token is sent. */
  readonly origins: readonly string[];
  /** The refusals of tokens in answers other than 401. */
  readonly tokenRefusal: OAuthClient["tokenRefusal"];
  /** Removes its secrets and tokens, those of the generation before included, as far as this process has read them. */
  readonly redactor: Redactor;
  /** The account that was authorized; `undefined` where it is not known. */
  readonly account: ServiceAccount | undefined;
  /** Since when it is this account, in milliseconds since the epoch; 0 where that is not known. */
  readonly accountSinceMs: number;
  /** What is known without asking storage or the server; `undefined` if one of them has to be asked. */
  known(): Readiness | undefined;
  /**
   * What storage knows now, without asking the server.
   *
   * @throws ProcedoError `storage_unavailable`
   */
  stored(): Promise<Readiness>;
  /**
   * A token that is good for a while, which the server is asked for if need be.
   *
   * @throws ProcedoError `storage_unavailable`
   */
  ready(): Promise<Readiness>;
  /**
   * A token newer than this generation's. The server is asked once for each generation.
   *
   * @param reason - `refused`: the service refused this generation's token, which is not used any more where another one can
   *   be asked for
   * @throws ProcedoError `storage_unavailable`
   */
  renew(generation: number, reason?: "refused"): Promise<Readiness>;
  /**
   * Tells that the service also refused the token of this generation, which {@link renew} returned after a refusal. The authorization is over
   * if the service says so, and no other one was given meanwhile.
   *
   * @returns what is stored then; `undefined` if the refusal proves nothing about the authorization
   * @throws ProcedoError `storage_unavailable`
   */
  refusedAgain(generation: number, refusal: TokenRefusal): Promise<Readiness | undefined>;
}
