import * as z from "zod";
import { timestampSchema } from "./timestamp.ts";

/** The account of a connection's credentials at its service. */
export const serviceAccountSchema = z.strictObject({
  id: z.string().meta({ description: "The service's id of it." }),
  name: z.string().meta({ description: "Name for people." }),
});

/** Schema of {@link ConnectionOAuth}. */
export const connectionOAuthSchema = z
  .strictObject({
    grant: z.enum(["authorization_code", "client_credentials"]).meta({
      description:
        "`authorization_code`: a person authorizes the connection in a browser. `client_credentials`: the client itself is authorized.",
    }),
    status: z.enum(["not_connected", "connected", "needs_authorization"]).meta({
      description:
        "`not_connected`: there are no tokens yet. `needs_authorization`: the authorization has ended, and runs that need it " +
        "wait until a person authorizes the connection again.",
    }),
    account: serviceAccountSchema
      .optional()
      .meta({ description: "The authorized account, where the service names it." }),
    scopesAsked: z.array(z.string()).meta({ description: "The scopes that the next authorization asks for." }),
    scopesGranted: z.array(z.string()).optional().meta({ description: "Omitted while there are no tokens." }),
    connectedAt: timestampSchema.optional().meta({ description: "The time of the latest authorization." }),
    connectedBy: z.string().optional().meta({ description: "The person who authorized the connection." }),
    expiresAt: timestampSchema
      .optional()
      .meta({ description: "When the access token ends; omitted if the server named no time. It is renewed before." }),
    refreshedAt: timestampSchema.optional().meta({ description: "When the tokens were last renewed." }),
    lastFailure: z
      .strictObject({ at: timestampSchema, message: z.string() })
      .optional()
      .meta({ description: "The latest attempt to renew the tokens, if it failed." }),
  })
  .meta({ id: "ConnectionOAuth" });

/** Body of `POST connections/:id/oauth/start`. */
export const startAuthorizationRequestSchema = z
  .strictObject({
    returnTo: z
      .string()
      .optional()
      .meta({
        description:
          "The path of the application to which the browser returns, such as `/dashboard/connections`; without it, a page " +
          "says that the connection is authorized.",
      }),
    replace: z
      .boolean()
      .optional()
      .meta({ description: "`true` accepts another account than that of the authorization before." }),
  })
  .meta({ id: "StartAuthorizationRequest" });

/** Answer of `POST connections/:id/oauth/start`. */
export const startedAuthorizationSchema = z
  .strictObject({
    url: z.url().meta({
      description: "A page of the application, for the person's browser. It works once, and leads to the service.",
    }),
    expiresAt: timestampSchema.meta({ description: "Until when the page can be opened." }),
  })
  .meta({ id: "StartedAuthorization" });

/** The authorization of a connection by OAuth, without its tokens. */
export type ConnectionOAuth = z.infer<typeof connectionOAuthSchema>;
/** Body of `POST connections/:id/oauth/start`. */
export type StartAuthorizationRequest = z.infer<typeof startAuthorizationRequestSchema>;
/** Answer of `POST connections/:id/oauth/start`: the page at which a person authorizes the connection. */
export type StartedAuthorization = z.infer<typeof startedAuthorizationSchema>;
