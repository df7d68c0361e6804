import { defineIntegration, z } from "@procedo/engine";

const nowhere = "http://127.0.0.77:8099";

/** An integration with OAuth whose authorization server does not listen. Its connections are never authorized. */
export const unreachedOAuth = defineIntegration({
  name: "unreached_oauth",
  settings: z.object({ clientId: z.string() }),
  oauth: ({ settings: { clientId } }) => ({
    grant: "authorization_code",
    ...{ authorizationUrl: `${nowhere}/authorize`, tokenUrl: `${nowhere}/token`, revocationUrl: `${nowhere}/revoke` },
    ...{ clientId, scopes: ["read"], origins: [nowhere] },
  }),
  actions: {},
});
