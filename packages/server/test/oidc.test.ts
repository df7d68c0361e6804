/* Sign-in at a real identity provider, by a real browser's requests. */
import type { RequestListener } from "node:http";
import { expect, describe, onTestFinished, test } from "vitest";
import { createLog } from "../src/observe/log.ts";
import { readSettings, startServer } from "../src/index.ts";
import { createServerSignIn } from "../src/sign-in/server-sign-in.ts";
import { Browser, client, signingKey, startProvider, type IdentityProvider } from "./identity-provider.ts";
import { makePlace } from "./server-process.ts";

const email = "ana@example.com";
const verified = { email, email_verified: true, name: "Ana" };
const operator = { person: "operator" };

interface World {
  readonly provider: IdentityProvider;
  readonly url: string;
  readonly browser: Browser;
  /** The lines of the log. */
  readonly lines: readonly string[];
  readonly engine: Awaited<ReturnType<typeof startServer>>["engine"];
  invite(): Promise<unknown>;
  /** Where a sign-in takes the browser. */
  signIn(browser?: Browser): Promise<string>;
  /** The error of a sign-in, and the reason that the log has of it. */
  failure(where: string): { readonly error: string; readonly reason: string };
  /** The callback's address with the provider's answer, which the browser has not opened. */
  answer(browser?: Browser): Promise<string>;
  /** The person of the browser's session. */
  person(browser?: Browser): Promise<unknown>;
}

async function createWorld(env: Readonly<Record<string, string>> = {}): Promise<World> {
  const provider = await startProvider();
  provider.claims["ana"] = verified;
  const place = makePlace({
    PROCEDO_LOG_LEVEL: "debug",
    PROCEDO_ALLOW_NETWORKS: "127.0.0.1/32",
    PROCEDO_OIDC_ISSUER: provider.issuer,
    PROCEDO_OIDC_CLIENT_ID: client.id,
    PROCEDO_OIDC_CLIENT_SECRET: client.secret,
    PROCEDO_OIDC_NAME: "Work Ltd",
    ...env,
  });
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const server = await startServer({ settings: readSettings(place.env), log: createLog("debug", { destination }) });
  onTestFinished(async () => {
    await server.stop({ drainMs: 0 });
    place.remove();
  });
  const url = server.appUrl;
  const callback = `${url}/api/v1/session/oidc/sso/callback`;
  provider.register(callback);
  const browser = new Browser();
  const start = `${url}/api/v1/session/oidc/sso/start?to=/dashboard/reviews`;
  return {
    provider,
    url,
    browser,
    lines,
    engine: server.engine,
    invite: () => server.engine.people.invite({ email, access: { live: ["reviewer"] }, by: operator }),
    signIn: (by = browser) => by.open(start),
    answer: (by = browser) => by.openUntil(start, callback),
    failure: (where) => {
      const logged = lines.map((line) => JSON.parse(line) as { readonly message: string; readonly reason?: string });
      const line = logged.findLast(({ message }) => message === "A sign-in by an identity provider failed.");
      return { error: new URL(where).searchParams.get("error") ?? where, reason: line?.reason ?? "" };
    },
    person: async (by = browser) => {
      const session = by.cookies.get(new URL(url).host)?.get("procedo");
      const answer = await fetch(`${url}/api/v1/session`, { headers: { cookie: `procedo=${session ?? ""}` } });
      return ((await answer.json()) as { readonly person?: unknown }).person;
    },
  };
}

describe("a sign-in at the provider", () => {
  test("begins the session of the person who was invited by the verified address", async () => {
    const world = await createWorld();
    await world.invite();
    const ways = (await (await fetch(`${world.url}/api/v1/sign-in`)).json()) as { readonly methods: unknown };
    expect(ways.methods).toEqual([{ kind: "password" }, { kind: "oidc", id: "sso", name: "Work Ltd" }]);
    expect(await world.signIn()).toBe(`${world.url}/dashboard/reviews`);
    expect(await world.person()).toMatchObject({ email, name: "Ana", access: { sandbox: [], live: ["reviewer"] } });
    // In another browser and with another address: the account is known.
    world.provider.claims["ana"] = { email: "other@example.com", email_verified: false };
    const other = new Browser();
    expect(await world.signIn(other)).toBe(`${world.url}/dashboard/reviews`);
    expect(await world.person(other)).toMatchObject({ email });
  });

  test("reads the claims of an ID token without asking for the user info", async () => {
    const world = await createWorld();
    const asked: (string | undefined)[] = [];
    world.provider.register(`${world.url}/api/v1/session/oidc/sso/callback`, { conformIdTokenClaims: false });
    world.provider.change = ({ url }) => void asked.push(url?.split("?")[0]);
    await world.invite();
    expect(await world.signIn()).toBe(`${world.url}/dashboard/reviews`);
    expect(asked).toContain("/token");
    expect(asked).not.toContain("/me");
  });

  test("sends the client's secret as the provider accepts it", async () => {
    const world = await createWorld();
    const callback = `${world.url}/api/v1/session/oidc/sso/callback`;
    const method = "client_secret_post";
    world.provider.register(callback, {
      clientAuthMethods: [method],
      clients: [
        {
          client_id: client.id,
          client_secret: client.secret,
          redirect_uris: [callback],
          token_endpoint_auth_method: method,
        },
      ],
    });
    await world.invite();
    expect(await world.signIn()).toBe(`${world.url}/dashboard/reviews`);
  });

  test("creates a viewer, where the settings say so", async () => {
    const world = await createWorld({ PROCEDO_OIDC_CREATE: "viewer" });
    const access = { sandbox: ["owner" as const], live: ["owner" as const] };
    const { token } = await world.engine.people.invite({ email: "olga@example.com", access, by: operator });
    await world.engine.people.accept({ token, name: "Olga", password: "correct horse battery" });
    expect(await world.signIn()).toBe(`${world.url}/dashboard/reviews`);
    expect(await world.person()).toMatchObject({ email, access: { sandbox: ["viewer"], live: ["viewer"] } });
  });

  test("leaves no secret of it in the log", async () => {
    const world = await createWorld();
    await world.invite();
    const answer = await world.answer();
    await world.browser.open(answer);
    await world.browser.open(answer);
    const { searchParams } = new URL(answer);
    const session = world.browser.cookies.get(new URL(world.url).host)?.get("procedo") ?? "none";
    const secrets = [client.secret, session, searchParams.get("code") ?? "none", searchParams.get("state") ?? "none"];
    for (const secret of secrets) expect(world.lines.join()).not.toContain(secret);
    expect(world.lines.join()).toContain("A sign-in by an identity provider failed.");
  });
});

describe("an account is refused", () => {
  test("whose address the provider has not verified, and the invitation stays open", async () => {
    const world = await createWorld();
    await world.invite();
    for (const isVerified of [false, undefined, "true"]) {
      world.provider.claims["ana"] = { ...verified, email_verified: isVerified };
      expect(world.failure(await world.signIn(new Browser())).error).toBe("email_unverified");
    }
    expect((await world.engine.people.invitations({ limit: 10 })).items).toHaveLength(1);
  });

  test("that was not invited", async () => {
    const world = await createWorld();
    await world.invite();
    world.provider.claims["ben"] = { email: "ben@example.com", email_verified: true };
    world.provider.account = "ben";
    expect(world.failure(await world.signIn()).error).toBe("not_invited");
    expect(await world.person()).toBeUndefined();
  });

  test("whose owner declines", async () => {
    const world = await createWorld();
    world.provider.account = undefined;
    const { error, reason } = world.failure(await world.signIn());
    expect(error).toBe("cancelled");
    expect(reason).toContain("(access_denied)");
  });
});

describe("an answer of the provider is refused", () => {
  /** A world with an invitation, whose answer would be accepted. */
  async function answered(): Promise<World & { readonly url: string; readonly given: string }> {
    const world = await createWorld();
    await world.invite();
    return { ...world, given: await world.answer() };
  }

  test("with another nonce than the sign-in's", async () => {
    const world = await createWorld();
    await world.invite();
    world.provider.change = (request) => {
      request.url = request.url?.replace(/nonce=[^&]+/, "nonce=of-another-sign-in") ?? "";
    };
    const { error, reason } = world.failure(await world.signIn());
    expect(error).toBe("refused");
    expect(reason).toContain('"nonce"');
    expect(await world.person()).toBeUndefined();
  });

  test("of another issuer", async () => {
    const world = await answered();
    const mixedUp = new URL(world.given);
    mixedUp.searchParams.set("iss", "https://evil.example");
    const { error, reason } = world.failure(await world.browser.open(mixedUp.href));
    expect(error).toBe("refused");
    expect(reason).toContain('"iss"');
  });

  test("with another state, or none", async () => {
    const world = await answered();
    for (const state of ["", "of-another-sign-in"]) {
      const changed = new URL(world.given);
      changed.searchParams.set("state", state);
      const again = new Browser();
      again.cookies.set(new URL(world.url).host, new Map(world.browser.cookies.get(new URL(world.url).host)));
      expect(world.failure(await again.open(changed.href)).error).toBe("refused");
    }
    expect(await world.browser.open(world.given)).toBe(`${world.url}/dashboard/reviews`);
  });

  test("a second time, with the cookie and without it", async () => {
    const world = await answered();
    const { host } = new URL(world.url);
    const before = new Map(world.browser.cookies.get(host));
    expect(await world.browser.open(world.given)).toBe(`${world.url}/dashboard/reviews`);
    expect(world.failure(await world.browser.open(world.given)).error).toBe("expired");
    const thief = new Browser();
    thief.cookies.set(host, before);
    const { error, reason } = world.failure(await thief.open(world.given));
    expect(error).toBe("refused");
    expect(reason).toBe("The sign-in was finished before.");
    expect(await world.person(thief)).toBeUndefined();
  });

  test("in a browser that began another sign-in, and in one that began none", async () => {
    const world = await answered();
    const victim = new Browser();
    expect(world.failure(await victim.open(world.given)).error).toBe("expired");
    await world.answer(victim);
    expect(world.failure(await victim.open(world.given)).error).toBe("refused");
    expect(await world.person(victim)).toBeUndefined();
  });

  test("with a cookie that was changed", async () => {
    const world = await answered();
    const jar = world.browser.cookies.get(new URL(world.url).host) ?? new Map<string, string>();
    const cookie = jar.get("procedo-sign-in") ?? "";
    for (const changed of [`A${cookie.slice(1)}`, cookie.slice(0, -1), `${cookie}AAAA`, "AAAA", "."]) {
      if (changed === cookie) continue;
      const browser = new Browser();
      browser.cookies.set(new URL(world.url).host, new Map([["procedo-sign-in", changed]]));
      expect(world.failure(await browser.open(world.given)).error).toBe("expired");
    }
  });

  test("with an ID token that another key signed", async () => {
    const world = await answered();
    const { kid, kty, n, e } = signingKey();
    world.provider.change = ({ url }) => {
      world.provider.instead = url === "/jwks" ? published : undefined;
    };
    const published: RequestListener = (_request, response) =>
      void response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ keys: [{ kid, kty, n, e, use: "sig", alg: "RS256" }] }));
    const { error, reason } = world.failure(await world.browser.open(world.given));
    expect(error).toBe("refused");
    expect(reason).toContain("signature");
    expect(await world.person()).toBeUndefined();
  });
});

describe("a sign-in ends 10 minutes after its start", () => {
  const masterKey = new Uint8Array(32).fill(7);

  test("also in a browser that keeps its cookie", async () => {
    const provider = await startProvider();
    const redirectUri = "http://127.0.0.1:9/callback";
    provider.register(redirectUri);
    let nowMs = Date.now();
    const oidc = {
      issuer: provider.issuer,
      clientId: client.id,
      clientSecret: client.secret,
      name: "Work",
      create: undefined,
    };
    const settings = { oidc, allowNetworks: ["127.0.0.1/32"] };
    const { providers, close } = createServerSignIn(settings, masterKey, () => nowMs);
    onTestFinished(close);
    const started = await providers[0]?.start({ redirectUri, returnTo: "/dashboard" });
    if (started?.kind !== "started") throw new Error("The sign-in did not begin.");
    const url = await new Browser().openUntil(started.url, redirectUri);
    const { state } = started;
    nowMs += 600_000;
    expect(await providers[0]?.finish({ url, state })).toMatchObject({ kind: "failed", error: "expired" });
    nowMs -= 1;
    // On another node, too.
    const other = createServerSignIn(settings, masterKey, () => nowMs);
    onTestFinished(other.close);
    const account = { kind: "account", issuer: provider.issuer, subject: "ana", returnTo: "/dashboard" };
    expect(await other.providers[0]?.finish({ url, state })).toEqual(account);
    const foreign = createServerSignIn(settings, new Uint8Array(32), () => nowMs);
    onTestFinished(foreign.close);
    expect(await foreign.providers[0]?.finish({ url, state })).toMatchObject({ error: "expired" });
  });
});

test("100 callbacks of one sign-in at the same moment ask the provider once, and others begin meanwhile", async () => {
  const world = await createWorld();
  const given = await world.answer();
  const { host } = new URL(world.url);
  const cookie = `procedo-sign-in=${world.browser.cookies.get(host)?.get("procedo-sign-in") ?? ""}`;
  const tokens: string[] = [];
  const asked = Promise.withResolvers<undefined>();
  const answered = Promise.withResolvers<undefined>();
  world.provider.instead = (request, response) => {
    tokens.push(request.url ?? "");
    asked.resolve(undefined);
    void answered.promise.then(() => response.writeHead(503).end());
  };
  const callbacks = Array.from({ length: 100 }, () => fetch(given, { headers: { cookie }, redirect: "manual" }));
  await asked.promise;
  const start = await fetch(`${world.url}/api/v1/session/oidc/sso/start`, { redirect: "manual" });
  expect(start.headers.get("location")).toContain(`${world.provider.issuer}/auth`);
  answered.resolve(undefined);
  await Promise.all(callbacks);
  expect(tokens).toEqual(["/token"]);
});

describe("a provider", () => {
  test("that is down does not stop the service, and is asked again by the next sign-in", async () => {
    const world = await createWorld();
    await world.invite();
    world.provider.instead = (_request, response) => void response.writeHead(503).end();
    expect(world.failure(await world.signIn()).error).toBe("unavailable");
    expect((await fetch(`${world.url}/readyz`)).status).toBe(200);
    world.provider.instead = undefined;
    expect(await world.signIn()).toBe(`${world.url}/dashboard/reviews`);
  });

  test("that is down after the sign-in began is unavailable, not wrong", async () => {
    const world = await createWorld();
    await world.invite();
    const given = await world.answer();
    world.provider.instead = (_request, response) => void response.writeHead(503).end();
    expect(world.failure(await world.browser.open(given)).error).toBe("unavailable");
  });

  test("outside of the networks that the operator allows is not asked", async () => {
    const world = await createWorld({ PROCEDO_ALLOW_NETWORKS: "" });
    const { error, reason } = world.failure(await world.signIn());
    expect(error).toBe("unavailable");
    expect(reason).toContain("127.0.0.1");
    expect(world.provider.requests).toBe(0);
  });

  test("whose metadata names an endpoint outside of them is not asked there", async () => {
    const world = await createWorld();
    await world.invite();
    world.provider.instead = (request, response) => {
      const { issuer } = world.provider;
      response.writeHead(200, { "content-type": "application/json" }).end(
        JSON.stringify({
          issuer,
          authorization_endpoint: `${issuer}/auth`,
          token_endpoint: "http://169.254.169.254/latest/meta-data",
          jwks_uri: `${issuer}/jwks`,
          response_types_supported: ["code"],
        }),
      );
      request.resume();
    };
    const { location = "" } = await world.browser.request(`${world.url}/api/v1/session/oidc/sso/start`);
    const state = new URL(location).searchParams.get("state") ?? "";
    const callback = `${world.url}/api/v1/session/oidc/sso/callback?code=c&state=${state}`;
    const { error, reason } = world.failure(await world.browser.open(callback));
    expect(error).toBe("unavailable");
    expect(reason).toContain("169.254.169.254");
  });

  test("that names itself as another issuer is refused", async () => {
    const provider = await startProvider();
    provider.register("http://127.0.0.1:9/callback");
    const world = await createWorld({ PROCEDO_OIDC_ISSUER: provider.issuer.replace("127.0.0.1", "localhost") });
    const { error, reason } = world.failure(await world.signIn());
    expect(error).toBe("unavailable");
    expect(reason).toContain("issuer");
  });
});
