import type { ApiAuthentication } from "@procedo/contract";
import type { Secrets } from "@procedo/engine";
import { encodeStrictly } from "./percent-encoding.ts";
import type { Pair } from "./parameter-styles.ts";
import { unsendable } from "./unsendable.ts";

/** The headers and query parameters that a connection adds to every request. */
export type Credentials =
  | { readonly in: "nothing" }
  | { readonly in: "header"; readonly name: string; readonly value: string; readonly shown: string }
  | { readonly in: "query"; readonly pair: Pair };

/** Replaces a credential in a record. */
export const hidden = "[redacted]";

/** @throws EgressError `invalid_input` when the connection lacks a secret that its method needs */
export function credentialsOf(authentication: ApiAuthentication, secrets: Secrets): Credentials {
  const secret = (name: string): string => {
    const value = Object.hasOwn(secrets, name) ? secrets[name] : undefined;
    if (value !== undefined) return value;
    throw unsendable(
      `The connection holds no secret "${name}", which its authentication needs. Update the connection.`,
    );
  };
  switch (authentication.method) {
    case "none":
    // The connection's fetch adds the access token.
    case "oauth2":
    case "client_credentials":
      return { in: "nothing" };
    case "api_key_header":
      return { in: "header", name: authentication.header, value: secret("apiKey"), shown: hidden };
    case "api_key_query": {
      const { parameter } = authentication;
      return { in: "query", pair: [encodeStrictly(parameter, parameter), encodeStrictly(parameter, secret("apiKey"))] };
    }
    case "bearer_token":
      return { in: "header", name: "authorization", value: `Bearer ${secret("token")}`, shown: `Bearer ${hidden}` };
    case "basic_auth": {
      // RFC 7617, as UTF-8.
      const pair = Buffer.from(`${secret("user")}:${secret("password")}`, "utf8").toString("base64");
      return { in: "header", name: "authorization", value: `Basic ${pair}`, shown: `Basic ${hidden}` };
    }
  }
}
