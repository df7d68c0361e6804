/*
 * A real authorization server on this machine: oidc-provider, with refresh tokens that rotate.
 *
 *   oauth-server.ts   the server that tests start: who signs in, which requests arrived, faults
 *   token-faults.ts   faults of its token endpoint
 *   provider.ts       the configuration of oidc-provider
 *   issued-records.ts codes, tokens and grants that the provider issued
 *   browser.ts        a browser of tests: keeps cookies, follows redirects
 */
export {
  startOAuthServer,
  type OAuthRequest,
  type OAuthServer,
  type OAuthServerOptions,
  type ServerAccount,
} from "./oauth-server.ts";
export { answerWith, heldAnswer, heldRequest, tokenFaults, type TokenAnswer, type TokenFault } from "./token-faults.ts";
export { createBrowser, type Browser, type Page } from "./browser.ts";
