import type { Environment, JsonObject } from "@procedo/contract";
import type { GuardedConnect } from "../egress/guarded-connect.ts";
import type { GuardedFetch } from "../egress/guarded-fetch.ts";
import type { Redactor } from "../secrets/redact.ts";

/** The connection and the client of a request outside a call: for its account, or the events of its service. */
export interface AccountContext<Settings = JsonObject, Secrets = { readonly [name: string]: string }> {
  /** Environment of the connection. */
  readonly environment: Environment;
  /** Settings of the connection. */
  readonly settings: Settings;
  /** Secrets of the connection, in the clear. Access tokens are not among them: `fetch` adds them. */
  readonly secrets: Secrets;
  /** The account that a person authorized, for a connection with OAuth. @defaultValue it is not known */
  readonly account?: ServiceAccount | undefined;
  /** Removes the secrets from texts of the service. */
  readonly redactor: Redactor;
  /** A `fetch` that reaches allowed addresses only. */
  readonly fetch: GuardedFetch;
  /** Opens connections to allowed addresses, for a protocol other than HTTP. End them at the latest when `signal` aborts. */
  readonly connect: GuardedConnect;
  /** Aborts when the time for the request is over. */
  readonly signal: AbortSignal;
}

/** An account at a service. */
export interface ServiceAccount {
  /** The service's id of it. */
  readonly id: string;
  /** Name for people. */
  readonly name: string;
}
