/* A real identity provider on this machine, and a browser that signs in at it. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { generateKeyPairSync } from "node:crypto";
import Provider, { type Adapter, type AdapterPayload, type Configuration } from "oidc-provider";
import { onTestFinished } from "vitest";

export const client = { id: "procedo", secret: "a client secret with 4711 canaries".replaceAll(" ", "-") };

export interface IdentityProvider {
  readonly issuer: string;
  /** The account that signs in next, by its `sub`; `undefined` for a person who declines. */
  account: string | undefined;
  /** Claims of the accounts, by `sub`. */
  readonly claims: Record<string, Readonly<Record<string, unknown>>>;
  /** Changes each request before the provider sees it. */
  change: (request: IncomingMessage) => void;
  /** Answers in the provider's place; `undefined` for the provider itself. */
  instead: RequestListener | undefined;
  /** Number of requests to the provider. */
  requests: number;
  /** Registers the service as a client. */
  register(redirectUri: string, more?: Configuration): void;
}

export async function startProvider(): Promise<IdentityProvider> {
  let handle: RequestListener = (_request, response) => void response.writeHead(503).end();
  const server = createServer((request, response) => {
    provider.requests += 1;
    provider.change(request);
    (provider.instead ?? handle)(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: IdentityProvider = {
    issuer,
    account: "ana",
    claims: {},
    change: () => {},
    instead: undefined,
    requests: 0,
    register: (redirectUri, more = {}) => {
      const real = new Provider(issuer, { ...configuration(provider, redirectUri), ...more });
      const answer = real.callback();
      handle = (request, response) => {
        if (request.url?.startsWith("/login/") === true) void logIn(real, provider, request, response);
        else void answer(request, response);
      };
    },
  };
  return provider;
}

/** What a provider has issued. Nothing expires during a test. */
class Issued implements Adapter {
  static readonly #all = new Map<string, AdapterPayload>();
  readonly #kind: string;

  constructor(kind: string) {
    this.#kind = kind;
  }

  #key = (id: string): string => `${this.#kind} ${id}`;
  #payloads = (): readonly AdapterPayload[] =>
    [...Issued.#all].filter(([key]) => key.startsWith(`${this.#kind} `)).map(([, payload]) => payload);

  upsert = async (id: string, payload: AdapterPayload) => void Issued.#all.set(this.#key(id), payload);
  find = async (id: string) => Issued.#all.get(this.#key(id));
  findByUid = async (uid: string) => this.#payloads().find((payload) => payload.uid === uid);
  findByUserCode = async () => undefined;
  destroy = async (id: string) => void Issued.#all.delete(this.#key(id));
  consume = async (id: string) => void Object.assign(Issued.#all.get(this.#key(id)) ?? {}, { consumed: 1 });
  revokeByGrantId = async (grantId: string) => {
    for (const [key, payload] of Issued.#all) if (payload.grantId === grantId) Issued.#all.delete(key);
  };
}

/** A key of the provider, always with the same id. */
export function signingKey() {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return { ...privateKey.export({ format: "jwk" }), use: "sig", kid: "first", alg: "RS256" };
}

const key = signingKey();

function configuration(provider: IdentityProvider, redirectUri: string): Configuration {
  return {
    clients: [{ client_id: client.id, client_secret: client.secret, redirect_uris: [redirectUri] }],
    adapter: Issued,
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    jwks: { keys: [key] },
    cookies: { keys: ["a key of the provider's cookies"] },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/login/${uid}` },
    findAccount: (_context, sub) => ({ accountId: sub, claims: async () => ({ sub, ...provider.claims[sub] }) }),
    // The provider asks no person for consent to the claims.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({ clientId: client.id, accountId: oidc.account?.accountId ?? "" });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  };
}

async function logIn(
  real: Provider,
  { account }: IdentityProvider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const result = account === undefined ? { error: "access_denied" } : { login: { accountId: account } };
  await real.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}

/** A browser: follows redirects, and keeps cookies of each host. */
export class Browser {
  /** By host, then by name. */
  readonly cookies = new Map<string, Map<string, string>>();

  /** Opens an address, and follows redirects until the browser is at `/dashboard`. Returns where it is. */
  async open(address: string): Promise<string> {
    let url = address;
    for (let followed = 0; followed < 20; followed++) {
      const { location } = await this.request(url);
      if (location === undefined || new URL(location).pathname.startsWith("/dashboard")) return location ?? url;
      url = location;
    }
    throw new Error(`Too many redirects, the last to ${url}.`);
  }

  /** Opens an address, and follows redirects to the first one that begins with `prefix`, which is not opened. */
  async openUntil(address: string, prefix: string): Promise<string> {
    for (let url = address; ;) {
      const { location } = await this.request(url);
      if (location === undefined) throw new Error(`No redirect leads from ${url}.`);
      if (location.startsWith(prefix)) return location;
      url = location;
    }
  }

  async request(url: string): Promise<{ readonly status: number; readonly location: string | undefined }> {
    const { host } = new URL(url);
    const jar = this.cookies.get(host) ?? new Map<string, string>();
    this.cookies.set(host, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(url, { headers: { cookie }, redirect: "manual" });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    await answer.body?.cancel();
    const location = answer.headers.get("location");
    return { status: answer.status, location: location === null ? undefined : new URL(location, url).href };
  }
}
