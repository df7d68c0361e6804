/*
 * Sign-in by an identity provider as the interface carries it out: routes, cookies, redirects, and the person of an
 * account. packages/server tests the protocol.
 */
import { signInErrors } from "@procedo/contract";
import { manualClock } from "@procedo-testing/faults";
import { createHttp, type SignInFailure, type SignInProvider } from "@procedo/http";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { guestsOfAddress } from "../src/access/guest-limiter.ts";
import { createHarness, origin, owner, textOf, type Answered, type Harness } from "./harness.ts";

const account = { kind: "account", issuer: "https://idp.example", subject: "1", returnTo: "/dashboard" } as const;
const email = "ana@procedo.test";
const callback = "GET /api/v1/session/oidc/work/callback?code=c&state=s";
const signInPage = (error: string, to?: string) =>
  `${origin}/dashboard/sign-in?error=${error}${to === undefined ? "" : `&to=${encodeURIComponent(to)}`}`;

/** A provider that knows one account. Its state is the path to return to, in a form that fits into a cookie. */
function provider(given: Partial<SignInProvider> = {}, answer: object = account): SignInProvider {
  return {
    id: "work",
    name: "Work Ltd",
    start: async ({ redirectUri, returnTo }) => ({
      kind: "started",
      url: `https://idp.example/authorize?redirect_uri=${encodeURIComponent(redirectUri)}`,
      state: Buffer.from(returnTo).toString("base64url"),
    }),
    finish: async ({ state }) => ({
      ...account,
      ...answer,
      returnTo: Buffer.from(state, "base64url").toString(),
    }),
    ...given,
  };
}

/** The cookies of an answer, by name. */
function cookiesOf({ headers }: Answered): ReadonlyMap<string, string> {
  return new Map(headers.getSetCookie().map((cookie) => [cookie.split("=")[0] ?? "", cookie]));
}

/** A sign-in in a browser. */
async function signIn({ ask }: Harness, to?: string): Promise<Answered> {
  const query = to === undefined ? "" : `?to=${encodeURIComponent(to)}`;
  const started = await ask(`GET /api/v1/session/oidc/work/start${query}`);
  expect(started, started.text).toMatchObject({ status: 302 });
  const [cookie = ""] = (cookiesOf(started).get("procedo-sign-in") ?? "").split(";");
  return await ask(callback, { headers: { cookie, "sec-fetch-site": "cross-site" } });
}

function locationOf({ headers }: Answered): string | null {
  return headers.get("location");
}

const invite = async ({ engine }: Harness, address = email) =>
  await engine.people.invite({ email: address, access: { live: ["reviewer"] }, groups: ["treasury"], by: owner });

test("the ways to sign in name the providers", async () => {
  const { ask } = await createHarness({ signIn: [provider()] });
  const methods = [{ kind: "password" }, { kind: "oidc", id: "work", name: "Work Ltd" }];
  expect((await ask("GET /api/v1/sign-in")).body).toEqual({ setUp: false, methods });
});

describe("a sign-in", () => {
  test("sends the browser to the provider with a cookie of 10 minutes, and back to the page with a session", async () => {
    const harness = await createHarness({ signIn: [provider({}, { email, name: "Ana" })] });
    const { invitationId } = await invite(harness);
    const started = await harness.ask("GET /api/v1/session/oidc/work/start?to=/dashboard/reviews%3Fkind%3Dcall%23open");
    expect(started.status).toBe(302);
    expect(locationOf(started)).toBe(
      `https://idp.example/authorize?redirect_uri=${encodeURIComponent(`${origin}/api/v1/session/oidc/work/callback`)}`,
    );
    expect(cookiesOf(started).get("procedo-sign-in")).toMatch(
      /^procedo-sign-in=[\w-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const [cookie = ""] = (cookiesOf(started).get("procedo-sign-in") ?? "").split(";");
    const finished = await harness.ask(callback, { headers: { cookie } });
    expect(finished.status).toBe(302);
    expect(locationOf(finished)).toBe(`${origin}/dashboard/reviews?kind=call#open`);
    expect(cookiesOf(finished).get("procedo-sign-in")).toContain("Max-Age=0");
    const session = cookiesOf(finished).get("procedo") ?? "";
    expect(session).toMatch(/^procedo=ses_[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict$/);
    const read = await harness.ask("GET /api/v1/session", { headers: { cookie: session.split(";")[0] ?? "" } });
    const person = { id: invitationId, email, name: "Ana", access: { sandbox: [], live: ["reviewer"] } };
    expect(read.body["person"]).toMatchObject({ ...person, groups: ["treasury"] });
    expect(harness.warned).toEqual([]);
  });

  test("sets both cookies over a connection too", async () => {
    const harness = await createHarness({ signIn: [provider({}, { email })] });
    await invite(harness);
    const { url } = await harness.listen();
    const headers = { cookie: `procedo-sign-in=${Buffer.from("/dashboard").toString("base64url")}` };
    const answer = await fetch(`${url}/api/v1/session/oidc/work/callback?code=c`, { headers, redirect: "manual" });
    expect(answer.status).toBe(302);
    expect(answer.headers.getSetCookie().map((cookie) => cookie.split("=")[0])).toEqual(["procedo-sign-in", "procedo"]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  test("finds the person by the account alone from then on, under each address", async () => {
    let answer: object = { email, name: "Ana" };
    const changing = provider({ finish: async () => ({ ...account, ...answer }) });
    const harness = await createHarness({ signIn: [changing] });
    await invite(harness);
    expect(locationOf(await signIn(harness))).toBe(`${origin}/dashboard`);
    await invite(harness, "ben@procedo.test");
    for (answer of [{ email: "ben@procedo.test" }, {}]) {
      const session =
        cookiesOf(await signIn(harness))
          .get("procedo")
          ?.split(";")[0] ?? "";
      const read = await harness.ask("GET /api/v1/session", { headers: { cookie: session } });
      expect(read.body["person"]).toMatchObject({ email });
    }
    expect((await harness.engine.people.invitations({ limit: 10 })).items).toHaveLength(1);
  });
});

describe("an account is refused", () => {
  const refusals: readonly [string, object, string, (harness: Harness) => Promise<unknown>][] = [
    ["that was not invited", { email }, "not_invited", (harness) => invite(harness, "ben@procedo.test")],
    ["whose invited address is not verified", {}, "email_unverified", (harness) => invite(harness)],
    ["with the address of an active person", { email }, "not_invited", (harness) => harness.person({ email })],
    [
      "of a deactivated person",
      { email },
      "not_invited",
      async (harness) => {
        const { personId } = await harness.person({ email });
        await harness.engine.people.deactivate({ personId, by: owner });
      },
    ],
    [
      "with a name and an address that are none",
      { email: "Ana <ana@procedo.test>", name: "\u0000" },
      "email_unverified",
      (harness) => invite(harness),
    ],
  ];

  test.each(refusals)("%s", async (_whose, answer, error, prepare) => {
    const harness = await createHarness({ signIn: [provider({}, answer)] });
    await prepare(harness);
    const before = await harness.engine.people.invitations({ limit: 10 });
    const refused = await signIn(harness);
    expect(locationOf(refused)).toBe(signInPage(error));
    expect([...cookiesOf(refused).keys()]).toEqual(["procedo-sign-in"]);
    expect(cookiesOf(refused).get("procedo-sign-in")).toContain("Max-Age=0");
    expect(await harness.engine.people.invitations({ limit: 10 })).toEqual(before);
    expect(harness.warned).toEqual([expect.stringContaining(`"error":"${error}"`)]);
    expect(harness.warned.join()).not.toContain(email);
  });

  test("of a person who was deactivated after they joined with it, until they are invited again", async () => {
    const harness = await createHarness({ signIn: [provider({}, { email })] });
    await harness.person();
    const { invitationId: personId } = await invite(harness);
    await signIn(harness);
    await harness.engine.people.deactivate({ personId, by: owner });
    expect(locationOf(await signIn(harness))).toBe(signInPage("not_invited"));
    await invite(harness);
    expect(locationOf(await signIn(harness))).toBe(`${origin}/dashboard`);
    expect(await harness.engine.people.get({ personId })).toMatchObject({ isActive: true, email });
  });
});

describe("a provider that creates viewers", () => {
  const creating = provider({ creates: "viewer" }, { email, name: "" });

  test("lets an account in that was not invited, with the name of its address", async () => {
    const harness = await createHarness({ signIn: [creating] });
    await harness.person();
    expect(locationOf(await signIn(harness))).toBe(`${origin}/dashboard`);
    const { items } = await harness.engine.people.list({ limit: 10 });
    const access = { sandbox: ["viewer"], live: ["viewer"] };
    expect(items.find((person) => person.email === email)).toMatchObject({ name: email, access, groups: [] });
    const changes = await harness.engine.audit.changes({ limit: 100 });
    expect(changes.at(-1)).toMatchObject({ action: "person.joined", by: email, via: "identity_provider" });
  });

  test("refuses everybody until the service has an owner, whose address it could take", async () => {
    const harness = await createHarness({ signIn: [creating] });
    expect(locationOf(await signIn(harness))).toBe(signInPage("not_invited"));
  });

  test("refuses an account whose address is not verified", async () => {
    const harness = await createHarness({ signIn: [provider({ creates: "viewer" }, { name: "Ana" })] });
    await harness.person();
    expect(locationOf(await signIn(harness))).toBe(signInPage("email_unverified"));
  });

  test("gives an invited account the access of its invitation", async () => {
    const harness = await createHarness({ signIn: [creating] });
    const { invitationId: personId } = await invite(harness);
    await signIn(harness);
    expect((await harness.engine.people.get({ personId })).access).toEqual({ sandbox: [], live: ["reviewer"] });
  });

  test("leaves a deactivated person deactivated", async () => {
    const harness = await createHarness({ signIn: [creating] });
    const { personId } = await harness.person({ email });
    await harness.engine.people.deactivate({ personId, by: owner });
    expect(locationOf(await signIn(harness))).toBe(signInPage("not_invited"));
  });
});

describe("the path to return to", () => {
  const outside = [
    ...["", "/", "//evil.example", "https://evil.example", "dashboard", "/dashboards", "/api/v1/session"],
    ...["/dashboard//evil.example", "/dashboard/../api", "/dashboard/%2e%2e/api", "/dashboard\\evil.example"],
    ...["/\\evil.example", "/dashboard/\t/evil", "/dashboard/\r\nSet-Cookie: a=b", " /dashboard", "/dashboard/\u00fc"],
    ...["javascript:alert(1)//dashboard", "/dashboard@evil.example", "/dashboard:80"],
  ];

  test.each(outside)("%j is replaced by the dashboard at the start", async (to) => {
    const returns: string[] = [];
    const start: SignInProvider["start"] = async ({ returnTo }) => {
      returns.push(returnTo);
      return { kind: "failed", error: "unavailable", reason: "No answer." };
    };
    const { ask } = await createHarness({ signIn: [provider({ start })] });
    const answer = await ask(`GET /api/v1/session/oidc/work/start?to=${encodeURIComponent(to)}`);
    expect(returns).toEqual(["/dashboard"]);
    expect(locationOf(answer)).toBe(signInPage("unavailable"));
  });

  test.each(outside)("%j is not followed from a provider that does not protect it", async (to) => {
    const finish = async () => ({ ...account, email, returnTo: to });
    const harness = await createHarness({ signIn: [provider({ finish })] });
    await invite(harness);
    expect(locationOf(await signIn(harness))).toBe(`${origin}/dashboard`);
  });

  test.each(["/dashboard", "/dashboard/", "/dashboard/runs/run_1?environment=live#step", "/dashboard?x=//y"])(
    "%s is followed",
    async (to) => {
      const harness = await createHarness({ signIn: [provider({}, { email })] });
      await invite(harness);
      expect(locationOf(await signIn(harness, to))).toBe(origin + to);
    },
  );
});

describe("a callback", () => {
  test("without the cookie of a sign-in is refused, and the provider is not asked", async () => {
    let asked = 0;
    const finish = async () => ({ ...account, email, asked: (asked += 1) });
    const harness = await createHarness({ signIn: [provider({ finish })] });
    await invite(harness);
    expect(locationOf(await harness.ask(callback))).toBe(signInPage("expired"));
    expect(asked).toBe(0);
  });

  test("shows and logs nothing that its sender chose", async () => {
    const harness = await createHarness({
      signIn: [provider({ finish: async () => ({ kind: "failed", error: "cancelled", reason: "Declined." }) })],
    });
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string({ unit: "binary" }), fc.string({ unit: "binary" })), async (query) => {
        const text = new URLSearchParams(query).toString();
        const cookie = "procedo-sign-in=x";
        const answer = await harness.ask(`GET /api/v1/session/oidc/work/callback?${text}`, { headers: { cookie } });
        expect(answer.status).toBe(302);
        expect(locationOf(answer)).toBe(signInPage("cancelled"));
      }),
    );
    const line =
      'A sign-in by an identity provider failed. {"provider":"work","error":"cancelled","reason":"Declined."}';
    expect([...new Set(harness.warned)]).toEqual([line]);
  });

  test("of an unknown provider does not exist", async () => {
    const { ask } = await createHarness({ signIn: [provider()] });
    for (const path of ["other/start", "other/callback?code=c", "__proto__/start", "WORK/start"]) {
      expect(await ask(`GET /api/v1/session/oidc/${path}`)).toMatchObject({ status: 404, body: { code: "not_found" } });
    }
  });
});

describe("a failed request sends the browser to the page of sign-ins, with the path to return to", () => {
  const path = "/dashboard/reviews?kind=call";
  const start = `GET /api/v1/session/oidc/work/start?to=${encodeURIComponent(path)}`;

  test("when the provider is down", async () => {
    const failing = async () => ({ kind: "failed", error: "unavailable", reason: "No answer." }) as const;
    const { ask } = await createHarness({ signIn: [provider({ start: failing })] });
    expect(locationOf(await ask(start))).toBe(signInPage("unavailable", path));
  });

  test("when the account is not invited", async () => {
    const harness = await createHarness({ signIn: [provider({}, { email })] });
    expect(locationOf(await signIn(harness, path))).toBe(signInPage("not_invited", path));
  });

  test.each([
    ["with an unknown parameter", `${start}&x=1`, signInPage("refused", path)],
    ["with two paths to return to", `${start}&to=/dashboard`, signInPage("refused")],
    ["with an unknown parameter and a foreign path", `${start.split("?")[0]}?to=//evil&x=1`, signInPage("refused")],
    ["with a code twice", `${callback}&code=d`, signInPage("refused")],
  ])("%s", async (_what, target, location) => {
    const { ask } = await createHarness({ signIn: [provider()] });
    const answer = await ask(target);
    expect([answer.status, locationOf(answer), answer.text]).toEqual([302, location, ""]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  test.each(["start", "finish"] as const)("when %s of the provider throws, which is logged", async (verb) => {
    const throwing = provider({ [verb]: async () => Promise.reject(new Error("The provider is wrong.")) });
    const harness = await createHarness({ signIn: [throwing] });
    const headers = { cookie: "procedo-sign-in=x" };
    const answer = await harness.ask(verb === "start" ? start : callback, { headers });
    expect(answer.status).toBe(302);
    expect(locationOf(answer)).toBe(verb === "start" ? signInPage("unavailable", path) : signInPage("unavailable"));
    expect(harness.logged).toEqual([expect.stringContaining("The provider is wrong.")]);
  });

  test("when too many guests of the address wait", async () => {
    const { promise, resolve } = Promise.withResolvers<SignInFailure>();
    const harness = await createHarness({ signIn: [provider({ start: () => promise })] });
    const ask = () => harness.ask(start, { address: "192.0.2.1" });
    const waiting = Array.from({ length: guestsOfAddress }, ask);
    expect(locationOf(await ask())).toBe(signInPage("unavailable", path));
    expect(harness.warned).toEqual([]);
    resolve({ kind: "failed", error: "cancelled", reason: "The test ended." });
    for (const answer of await Promise.all(waiting)) expect(locationOf(answer)).toBe(signInPage("cancelled", path));
  });
});

test("a provider that is down leaves the sign-in page, and sign-in by password, as they are", async () => {
  const start = async () => ({ kind: "failed", error: "unavailable", reason: "No answer." }) as const;
  const harness = await createHarness({ signIn: [provider({ start })] });
  const answer = await harness.ask("GET /api/v1/session/oidc/work/start");
  expect(answer.status).toBe(302);
  expect(locationOf(answer)).toBe(signInPage("unavailable"));
  const { token } = await invite(harness);
  const password = "correct horse battery";
  const accepted = await harness.ask("POST /api/v1/invitations/accept", { body: { token, name: "Ana", password } });
  expect(accepted.status).toBe(201);
  const signedIn = await harness.ask("POST /api/v1/session", { body: { email, password, answerWith: "token" } });
  expect(textOf(signedIn.body["token"])).toMatch(/^ses_/);
});

test("two sign-ins of one new account at the same moment make one person", async () => {
  const harness = await createHarness({ signIn: [provider({}, { email })] });
  await invite(harness);
  const answers = await Promise.all([signIn(harness), signIn(harness), signIn(harness)]);
  expect((await harness.engine.people.list({ limit: 10 })).items).toHaveLength(1);
  for (const answer of answers) {
    expect([`${origin}/dashboard`, signInPage("not_invited")]).toContain(locationOf(answer));
  }
  expect(locationOf(await signIn(harness))).toBe(`${origin}/dashboard`);
});

test("every failure has a reason of the closed list", () => {
  expect([...signInErrors].sort()).toEqual([
    ...["cancelled", "email_unverified", "expired", "not_invited", "refused", "unavailable"],
  ]);
});

describe("the option signIn is refused", () => {
  test.each([
    ["that is no list", {}, "is an object"],
    ["with a path as an id", [provider({ id: "a/b" })], '"a/b"'],
    ["with an id twice", [provider(), provider()], '"work" twice'],
    ["without a name", [provider({ name: "" })], "without a name"],
    ["that creates owners", [provider({ creates: "owner" as "viewer" })], 'creates "owner"'],
    ["without functions", [{ id: "work", name: "Work" }], "start and finish"],
    ["with an unknown member", [{ ...provider(), createsPeople: true }], "createsPeople"],
  ])("%s", async (_what, signIn, message) => {
    const { engine } = await createHarness();
    expect(() => createHttp({ engine, runnerUrl: origin, appUrl: origin, signIn: signIn as never })).toThrow(message);
  });
});

test("failed sign-ins count for their address, which is then refused, and the log is bounded", async () => {
  let finished = 0;
  const failing = provider({
    finish: async () => {
      finished += 1;
      return { kind: "failed", error: "refused", reason: "The code is unknown." };
    },
  });
  const clock = manualClock();
  const harness = await createHarness({ signIn: [failing], clock });
  const finish = (address: string) => harness.ask(callback, { headers: { cookie: "procedo-sign-in=s" }, address });
  for (let n = 0; n < 3_000; n++) expect((await finish("192.0.2.7")).status).toBe(302);
  expect(locationOf(await finish("192.0.2.7"))).toBe(signInPage("unavailable"));
  expect(finished).toBe(3_000);
  expect(harness.warned).toHaveLength(20);
  expect(locationOf(await finish("192.0.2.8"))).toBe(signInPage("refused"));
  expect(harness.warned).toHaveLength(21);
});
