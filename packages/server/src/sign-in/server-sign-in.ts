import { createEgress, guardedFetch } from "@procedo/engine";
import type { SignInProvider } from "@procedo/http";
import type { Settings } from "../settings/settings.ts";
import { createOpenIdConnect, providerId } from "./openid-connect.ts";
import { createSealedStates } from "./sealed-state.ts";

/** The configured identity providers and their HTTP client. */
export interface ServerSignIn {
  readonly providers: readonly SignInProvider[];
  /** Waits for open requests, then closes all connections. */
  close(): Promise<void>;
}

const limits = { timeoutMs: 5_000, maxResponseBytes: 1024 * 1024 };

/**
 * Sends requests to identity providers through a guarded client: private networks only where the settings allow them,
 * no redirects, and bounded answers. No connection is opened before the first sign-in.
 *
 * @param masterKey - the service's, which protects the states of sign-ins
 */
export function createServerSignIn(
  { oidc, allowNetworks }: Pick<Settings, "oidc" | "allowNetworks">,
  masterKey: Uint8Array,
  now: () => number = Date.now,
): ServerSignIn {
  if (oidc === undefined) return { providers: [], close: async () => {} };
  const egress = createEgress({ allowNetworks });
  const states = createSealedStates(masterKey, JSON.stringify([providerId, oidc.issuer, oidc.clientId]), now);
  const provider = createOpenIdConnect(oidc, { fetch: guardedFetch(egress, limits), states, now });
  return { providers: [provider], close: () => egress.close() };
}
