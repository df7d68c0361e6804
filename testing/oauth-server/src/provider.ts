import { generateKeyPairSync, randomBytes } from "node:crypto";
import Provider, { type Configuration } from "oidc-provider";
import type { IssuedRecords } from "./issued-records.ts";

/** The path to which the provider sends a browser to sign in. */
export const signInPath = "/sign-in/";

/** The rules of a provider, which tests may change while it runs. */
export interface ProviderRules {
  readonly issuer: string;
  readonly records: IssuedRecords;
  readonly scopes: readonly string[];
  readonly accessTokenSeconds: number;
  readonly refreshTokenSeconds: number;
  readonly codeSeconds: number;
  /** Whether a person grants a scope. */
  readonly isGranted: (scope: string) => boolean;
}

let keys: readonly object[] | undefined;

/** The keys of all providers of a process: generating them takes longer than starting a server. */
function signingKeys(): readonly object[] {
  if (keys !== undefined) return keys;
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  keys = [{ ...privateKey.export({ format: "jwk" }), use: "sig", kid: "first", alg: "RS256" }];
  return keys;
}

/** A provider that requires PKCE with S256, rotates each refresh token, and ends the grant of one that is used again. */
export function createProvider(rules: ProviderRules): Provider {
  const configuration: Configuration = {
    adapter: rules.records.adapter,
    scopes: [...rules.scopes],
    ttl: {
      AccessToken: rules.accessTokenSeconds,
      ClientCredentials: rules.accessTokenSeconds,
      RefreshToken: rules.refreshTokenSeconds,
      AuthorizationCode: rules.codeSeconds,
      ...{ Grant: rules.refreshTokenSeconds, IdToken: 600, Interaction: 600, Session: 600 },
    },
    jwks: { keys: [...signingKeys()] },
    cookies: { keys: [randomBytes(16).toString("hex")] },
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      revocation: {
        enabled: true,
        allowedPolicy: async (_context, { clientId }, token) => token.clientId === clientId,
      },
    },
    interactions: { url: (_context, { uid }) => `${signInPath}${uid}` },
    findAccount: (_context, accountId) => ({ accountId, claims: async () => ({ sub: accountId }) }),
    renderError: async (context, { error, error_description: reason = "" }) => {
      context.type = "text/plain";
      context.body = `${error}: ${reason}`;
    },
    issueRefreshToken: async (_context, client) => client.grantTypeAllowed("refresh_token"),
    rotateRefreshToken: true,
    loadExistingGrant: async ({ oidc }) => {
      const { client, account, requestParamScopes } = oidc;
      if (client === undefined || account === undefined) return undefined;
      const grant = new oidc.provider.Grant({ clientId: client.clientId, accountId: account.accountId });
      for (const scope of requestParamScopes) {
        if (rules.isGranted(scope)) grant.addOIDCScope(scope);
        else grant.rejectOIDCScope(scope);
      }
      await grant.save();
      return grant;
    },
  };
  return new Provider(rules.issuer, configuration);
}
