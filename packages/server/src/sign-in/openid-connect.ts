import { LruCache } from "@procedo/contract/syntax";
import { EgressError, type GuardedFetch } from "@procedo/engine";
import type { SignInAccount, SignInFailure, SignInProvider, SignInStart } from "@procedo/http";
import type * as OpenIdClientModule from "openid-client";
import type { ClientAuth, Configuration, ServerMetadata } from "openid-client";
import type { OidcSettings } from "../settings/oidc-settings.ts";
import { createProviderPlaces } from "./provider-places.ts";
import type { SealedStates } from "./sealed-state.ts";

export interface OpenIdConnectPorts {
  /** Sends every request to the provider. */
  readonly fetch: GuardedFetch;
  readonly states: SealedStates;
  readonly now: () => number;
}

/** The provider's errors that the log names: RFC 6749, 4.1.2.1 and 5.2; OpenID Connect Core, 3.1.2.6. */
const errorCodes: ReadonlySet<string> = new Set([
  ...["access_denied", "invalid_client", "invalid_grant", "invalid_request", "invalid_scope", "server_error"],
  ...["temporarily_unavailable", "unauthorized_client", "unsupported_grant_type", "unsupported_response_type"],
  ...["account_selection_required", "consent_required", "interaction_required", "login_required"],
]);

type OpenIdClient = typeof OpenIdClientModule;

/** Id of the provider in paths. */
export const providerId = "sso";
const lifeMs = 600_000;
/** Bound on each request to the provider, in seconds. */
const requestSeconds = 5;
/** The provider's metadata is read again after this time. */
const metadataMs = 3_600_000;
/** Finished sign-ins that are remembered. Each of them was begun, and ends within 10 minutes. */
const maxFinished = 10_000;

/**
 * Signs people in by OpenID Connect, with the authorization code flow, PKCE, state and nonce. The provider's metadata is
 * read when it is first needed, and again after a failure, so that a provider that is down does not stop the service.
 */
export function createOpenIdConnect(settings: OidcSettings, ports: OpenIdConnectPorts): SignInProvider {
  const { name, create } = settings;
  const { states, now } = ports;
  let loading: Promise<OpenIdClient> | undefined;
  let discovered:
    { readonly configuration: Promise<Configuration>; readonly atMs: number; isRead: boolean } | undefined;
  const place = createProviderPlaces();
  const finished = new LruCache<string, true>(maxFinished);

  /** Whether a sign-in begins without a request to the provider. */
  const isConfigured = (): boolean => discovered?.isRead === true && now() - discovered.atMs < metadataMs;

  const configure = async (client: OpenIdClient): Promise<Configuration> => {
    if (discovered !== undefined && now() - discovered.atMs >= metadataMs) discovered = undefined;
    const reading = () => ({ configuration: discover(client, settings, ports.fetch), atMs: now(), isRead: false });
    const used = (discovered ??= reading());
    try {
      const configuration = await used.configuration;
      used.isRead = true;
      return configuration;
    } catch (error) {
      if (discovered === used) discovered = undefined;
      throw error;
    }
  };

  const attempt = async <Done>(
    leave: (() => void) | undefined,
    work: (client: OpenIdClient) => Promise<Done | SignInFailure>,
    failureOf: (client: OpenIdClient, error: unknown) => SignInFailure,
  ): Promise<Done | SignInFailure> => {
    if (leave === undefined) return failed("unavailable", "Too many other sign-ins wait for the provider.");
    try {
      // Loaded by the first sign-in, so that commands start faster.
      const client = await (loading ??= import("openid-client"));
      return await work(client).catch((error: unknown) => failureOf(client, error));
    } finally {
      leave();
    }
  };

  return {
    id: providerId,
    name,
    ...(create !== undefined && { creates: create }),
    start: ({ redirectUri, returnTo, address }) =>
      attempt<SignInStart>(
        isConfigured() ? () => {} : place(address),
        async (client) => {
          const configuration = await configure(client);
          const [state, nonce, codeVerifier] = [
            client.randomState(),
            client.randomNonce(),
            client.randomPKCECodeVerifier(),
          ];
          const url = client.buildAuthorizationUrl(configuration, {
            redirect_uri: redirectUri,
            scope: "openid email profile",
            state,
            nonce,
            code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
            code_challenge_method: "S256",
          });
          if (url.protocol !== new URL(settings.issuer).protocol) {
            return failed("unavailable", "The provider's authorization endpoint has another scheme than its issuer.");
          }
          const sealed = states.seal({ returnTo, state, nonce, codeVerifier, endsAtMs: now() + lifeMs });
          return { kind: "started", url: url.href, state: sealed };
        },
        (_client, error) => failed("unavailable", reasonOf(error)),
      ),
    finish: ({ url, state: sealed, address }) =>
      attempt<SignInAccount>(
        place(address),
        async (client) => {
          const begun = states.open(sealed);
          if (begun === undefined) return failed("expired", "The cookie is of no sign-in that is in progress.");
          // An answer to another sign-in is refused below, and does not end this one.
          if (new URL(url).searchParams.get("state") === begun.state) {
            if (finished.get(begun.state) === true) return failed("refused", "The sign-in was finished before.");
            finished.set(begun.state, true);
          }
          const configuration = await configure(client);
          const tokens = await client.authorizationCodeGrant(configuration, new URL(url), {
            expectedState: begun.state,
            expectedNonce: begun.nonce,
            pkceCodeVerifier: begun.codeVerifier,
            idTokenExpected: true,
          });
          const claims = tokens.claims();
          if (claims === undefined) return failed("refused", "The provider sent no ID token.");
          const { iss: issuer, sub: subject } = claims;
          // OpenID Connect Core 5.4: the claims of a scope may be in the user info only.
          const hasInfo =
            claims["email"] === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined;
          const about: Readonly<Record<string, unknown>> = hasInfo
            ? await client.fetchUserInfo(configuration, tokens.access_token, subject)
            : claims;
          const { email, email_verified: isVerified, name: person } = about;
          return {
            kind: "account",
            issuer,
            subject,
            ...(typeof email === "string" && isVerified === true && { email }),
            ...(typeof person === "string" && { name: person }),
            returnTo: begun.returnTo,
          };
        },
        failureOf,
      ),
  };
}

async function discover(client: OpenIdClient, settings: OidcSettings, fetch: GuardedFetch): Promise<Configuration> {
  const { issuer, clientId, clientSecret } = settings;
  const isPlain = issuer.startsWith("http:");
  return await client.discovery(new URL(issuer), clientId, {}, authenticationOf(client, clientSecret), {
    [client.customFetch]: (url, { body, headers, method, redirect, signal }) =>
      fetch(url, {
        headers,
        method,
        redirect,
        ...(body !== undefined && { body: body as NonNullable<RequestInit["body"]> }),
        ...(signal !== undefined && { signal }),
      }),
    timeout: requestSeconds,
    execute: [client.enableNonRepudiationChecks, ...(isPlain ? [client.allowInsecureRequests] : [])],
  });
}

/** Sends the secret as the provider accepts it; in the header, which is the standard's default, if it accepts both. */
function authenticationOf(client: OpenIdClient, secret: string): ClientAuth {
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  return (server, metadata, body, headers) => {
    const authenticate = acceptsBasic(server) ? basic : post;
    authenticate(server, metadata, body, headers);
  };
}

function acceptsBasic({ token_endpoint_auth_methods_supported: methods }: ServerMetadata): boolean {
  return methods === undefined || methods.includes("client_secret_basic") || !methods.includes("client_secret_post");
}

function failureOf(client: OpenIdClient, error: unknown): SignInFailure {
  const isDeclined = error instanceof client.AuthorizationResponseError && error.error === "access_denied";
  return failed(isDeclined ? "cancelled" : isOutage(error) ? "unavailable" : "refused", reasonOf(error));
}

function isOutage(error: unknown): boolean {
  return chainOf(error).some(
    (one) =>
      one instanceof EgressError ||
      (one instanceof Response && one.status >= 500) ||
      (one instanceof Error && "code" in one && one.code === "OAUTH_TIMEOUT"),
  );
}

/** The messages of the library and of the guarded client. They quote nothing that the provider or the browser sent. */
function reasonOf(error: unknown): string {
  const messages = chainOf(error)
    .filter((one) => one instanceof Error)
    .map((one) => ("error" in one && isErrorCode(one.error) ? `${one.message} (${one.error})` : one.message));
  return messages.join(": ").slice(0, 500);
}

function isErrorCode(error: unknown): error is string {
  return typeof error === "string" && errorCodes.has(error);
}

function chainOf(error: unknown): readonly unknown[] {
  const chain: unknown[] = [];
  for (let one = error; one !== undefined && one !== null && chain.length < 5;) {
    chain.push(one);
    one = one instanceof Error ? one.cause : undefined;
  }
  return chain;
}

function failed(error: SignInFailure["error"], reason: string): SignInFailure {
  return { kind: "failed", error, reason };
}
