import type { OAuthServer } from "@procedo-testing/oauth-server";
import { defineAction, defineIntegration, z, type CodedIntegration } from "@procedo/engine";

/** Bookkeeping whose connections a person authorizes at an authorization server of tests. */
export function booksOf(server: OAuthServer): CodedIntegration {
  const list = defineAction({
    description: "Lists the accounts of the books.",
    effect: "read",
    input: z.object({ onlyActive: z.boolean().optional().meta({ description: "Leaves out closed accounts." }) }),
    output: z.object({ names: z.array(z.string()) }),
    run: async () => ({ names: [] }),
  });
  return defineIntegration({
    name: "books",
    title: "Harbour Books",
    category: "accounting",
    settings: z.object({ clientId: z.string().min(1).meta({ description: "Id of the app." }) }),
    secrets: z.object({ clientSecret: z.string().meta({ description: "Secret of the app." }) }),
    oauth: ({ settings, secrets }) => ({
      grant: "authorization_code",
      authorizationUrl: server.authorizationUrl,
      tokenUrl: server.tokenUrl,
      revocationUrl: server.revocationUrl,
      issuer: server.issuer,
      clientId: settings.clientId,
      clientSecret: secrets.clientSecret,
      scopes: ["accounting", "payments"],
      origins: [server.issuer],
    }),
    account: async ({ fetch }) => {
      const answer = await fetch(server.accountUrl);
      return z.object({ id: z.string(), name: z.string() }).parse(await answer.json());
    },
    actions: { list_accounts: list },
  });
}
