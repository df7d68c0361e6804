import * as z from "zod";
import { webAddressSchema } from "./web-address.ts";

/** RFC 6749, appendix A.4. */
const scope = z
  .string()
  .max(512)
  .regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, "must be one scope, without white space");

/** RFC 6749, appendix A.1 and A.6: visible characters, and spaces between them. */
const printable = z
  .string()
  .min(1)
  .max(1_024)
  .regex(/^[\x20-\x7e]+$/, "must be printable ASCII");

const maxParameters = 20;

/** The parameters that the protocol itself sets (RFC 6749, 7521, 7636), and those that carry credentials. */
const ownParameters = [
  ...["assertion", "client_assertion", "client_assertion_type", "client_id", "client_secret", "code", "code_challenge"],
  ...["code_challenge_method", "code_verifier", "grant_type", "password", "redirect_uri", "refresh_token"],
  ...["response_mode", "response_type", "scope", "state", "username"],
];

const parameterName = z
  .string()
  .max(128)
  .regex(/^[\w.-]+$/, "must be a parameter name")
  .refine((name) => !ownParameters.includes(name), "is set by the protocol");

/** The settings of an OAuth client, in the words of RFC 6749, that both of its grants have. */
export const oauthClientSettings = {
  tokenUrl: webAddressSchema.meta({ description: "The authorization server's token endpoint." }),
  clientId: printable.meta({ description: "Id of the client at the authorization server." }),
  scopes: z.array(scope).max(100).meta({ description: "The scopes to ask for." }),
  clientAuthentication: z
    .enum(["header", "body"])
    .optional()
    .meta({ description: "Where the client's secret is sent to the token endpoint. Default: `header`." }),
  parameters: z
    .record(parameterName, printable)
    .refine((given) => Object.keys(given).length <= maxParameters, `must be at most ${maxParameters} parameters`)
    .optional()
    .meta({
      description:
        "Further parameters, such as `audience`: of the authorization request, or of the token request of " +
        "`client_credentials`. They are shown with the connection: a credential is refused.",
    }),
} as const;
