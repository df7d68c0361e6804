import { randomUUID } from "node:crypto";
import { manualClock } from "@procedo-testing/faults";
import { describe, expect, test } from "vitest";
import { createHarness, origin, textOf, type Harness, type HarnessOptions } from "./harness.ts";

const password = "correct horse battery";
const email = "ana@procedo.test";
const sameOrigin = { origin };

/** A harness whose time stands still: hashes of passwords take long on a busy machine. */
const timeless = (options: HarnessOptions = {}) => createHarness({ clock: manualClock(), ...options });

/** Invites Ana, and lets her choose a password over HTTP. */
async function withAna(harness: Harness, access = { sandbox: ["owner" as const], live: ["owner" as const] }) {
  const { token } = await harness.engine.people.invite({ email, access, by: { person: "olga" } });
  const accepted = await harness.ask("POST /api/v1/invitations/accept", { body: { token, name: "Ana", password } });
  expect(accepted, accepted.text).toMatchObject({ status: 201, body: { email, name: "Ana", isActive: true } });
  return textOf(accepted.body["id"]);
}

async function signIn(harness: Harness, body: object = {}) {
  return await harness.ask("POST /api/v1/session", { body: { email, password, ...body } });
}

/** The cookie of an answer, as a browser sends it back. */
function cookieOf(headers: Headers): string {
  return /^[^;]+/.exec(headers.get("set-cookie") ?? "")?.[0] ?? "";
}

test("a first owner sets the service up, invites a reviewer, and the reviewer decides a review, by HTTP alone", async () => {
  const harness = await timeless();
  const { ask, engine } = harness;
  expect((await ask("GET /api/v1/sign-in")).body).toEqual({ setUp: false, methods: [{ kind: "password" }] });
  const token = await engine.people.setUpToken();
  const look = await ask("POST /api/v1/invitations/look-up", { body: { token } });
  expect(look).toMatchObject({ status: 200, body: { access: { sandbox: ["owner"], live: ["owner"] } } });
  expect(look.body).not.toHaveProperty("email");
  const set = { token, email: "Owner@Procedo.test", name: "Olga", password };
  expect((await ask("POST /api/v1/invitations/accept", { body: set })).status).toBe(201);
  expect((await ask("POST /api/v1/invitations/accept", { body: set })).body["code"]).toBe("invitation_not_found");
  expect((await ask("GET /api/v1/sign-in")).body["setUp"]).toBe(true);

  const owner = await signIn(harness, { email: "owner@procedo.test", answerWith: "token" });
  const key = textOf(owner.body["token"]);
  expect(key).toMatch(/^ses_/);
  expect(owner.headers.get("set-cookie")).toBeNull();
  const body = { email, access: { live: ["reviewer"] } };
  const invited = await ask("POST /api/v1/people/invitations", { key, body });
  expect(invited).toMatchObject({ status: 201, body: { email, invitedBy: "owner@procedo.test" } });
  const [page, fragment] = textOf(invited.body["link"]).split("#");
  expect(page).toBe(`${origin}/dashboard/invitation`);
  const joining = { token: fragment, name: "Ana", password };
  expect((await ask("POST /api/v1/invitations/accept", { body: joining })).status).toBe(201);

  const runId = await engine.runs
    .execute({ procedureId: "ask", environment: "live", data: { amount: 1 }, by: { person: "olga" } })
    .then((run) => run.runId);
  const ana = await signIn(harness);
  const headers = { cookie: cookieOf(ana.headers), "sec-fetch-site": "same-origin" };
  const decision = { approved: true, idempotencyKey: randomUUID() };
  const decided = await ask(`POST /api/runner-proxy/review/${runId}?environment=live`, { headers, body: decision });
  expect(decided, decided.text).toMatchObject({ status: 200 });
  const [review] = await engine.reviews.ofRun({ environment: "live", runId });
  expect(review?.decisions).toMatchObject([{ person: email }]);
  expect((await ask("DELETE /api/v1/session", { headers })).status).toBe(200);
  expect((await ask("GET /api/v1/session", { headers })).status).toBe(401);
});

describe("signing in", () => {
  test("answers with the person, and with the session in a cookie that scripts cannot read", async () => {
    const harness = await timeless({
      about: { version: "1.2.3", models: ["default"], timeZone: "Europe/Berlin" },
    });
    const id = await withAna(harness);
    const answer = await signIn(harness, { email: " ANA@Procedo.test" });
    expect(answer).toMatchObject({
      status: 201,
      body: {
        person: { id, email, name: "Ana", access: { sandbox: ["owner"], live: ["owner"] }, groups: [] },
        permissions: { sandbox: ["run", "manage", "administer"], live: ["run", "manage", "administer"] },
        service: { version: "1.2.3", models: ["default"], timeZone: "Europe/Berlin" },
      },
    });
    expect(answer.body).not.toHaveProperty("token");
    expect(answer.headers.get("set-cookie")).toMatch(
      /^procedo=ses_[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const read = await harness.ask("GET /api/v1/session", { headers: { cookie: cookieOf(answer.headers) } });
    expect(read.body["session"]).toEqual(answer.body["session"]);
  });

  test("with the cookie of a former session ends that session, and no other one", async () => {
    const harness = await timeless();
    const personId = await withAna(harness);
    const [former, other] = [await signIn(harness), await signIn(harness)];
    const headers = { cookie: cookieOf(former.headers), "sec-fetch-site": "same-origin" };
    const body = { email, password };
    await harness.ask("POST /api/v1/session", { headers, body: { ...body, password: "wrong" } });
    expect((await harness.ask("GET /api/v1/session", { headers })).status).toBe(200);
    const next = await harness.ask("POST /api/v1/session", { headers, body });
    expect(next.status).toBe(201);
    expect((await harness.ask("GET /api/v1/session", { headers })).status).toBe(401);
    for (const { headers: kept } of [other, next]) {
      expect((await harness.ask("GET /api/v1/session", { headers: { cookie: cookieOf(kept) } })).status).toBe(200);
    }
    expect(await harness.engine.sessions.list({ personId })).toHaveLength(2);
  });

  test("has the same answer for an unknown address, a wrong password and a deactivated person", async () => {
    const harness = await timeless();
    const personId = await withAna(harness);
    await harness.engine.people.invite({
      email: "other@procedo.test",
      access: { sandbox: ["owner"], live: ["owner"] },
      by: { person: "olga" },
    });
    const without = ({ text, body }: Awaited<ReturnType<typeof signIn>>) => text.replace(textOf(body["requestId"]), "");
    const answers = [
      await signIn(harness, { email: "nobody@procedo.test" }),
      await signIn(harness, { email: "other@procedo.test" }),
      await signIn(harness, { password: "wrong" }),
      await signIn(harness, { email: "\u0000" }),
    ];
    await harness.person();
    await harness.engine.people.deactivate({ personId, by: { person: "olga" } });
    answers.push(await signIn(harness));
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
    expect(new Set(answers.map(without)).size).toBe(1);
    for (const { headers } of answers) expect(headers.get("set-cookie")).toBeNull();
  });

  test("is refused for a foreign page, and accepted without an origin, as programs send it", async () => {
    const harness = await timeless();
    await withAna(harness);
    const body = { email, password };
    for (const headers of [{ origin: "https://evil.example" }, { "sec-fetch-site": "cross-site" }]) {
      const answer = await harness.ask("POST /api/v1/session", { body, headers });
      expect(answer).toMatchObject({ status: 403, body: { code: "permission_denied" } });
      expect(answer.headers.get("set-cookie")).toBeNull();
    }
    expect((await harness.ask("POST /api/v1/session", { body, headers: sameOrigin })).status).toBe(201);
  });

  test("with a body of more than 16 KiB, or one that does not arrive within 4 s, is refused", async () => {
    const clock = manualClock();
    const harness = await createHarness({ clock });
    const long = await signIn(harness, { password: "x".repeat(16 * 1024) });
    expect(long).toMatchObject({ status: 413, body: { code: "payload_too_large" } });
    const headers = { "content-type": "application/json" };
    const body = new ReadableStream<Uint8Array>();
    const request = new Request(`${origin}/api/v1/session`, { method: "POST", headers, body, duplex: "half" });
    const answering = harness.http.fetch(request);
    await clock.advance(4_000);
    const answer = await answering;
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
  });

  test("that fails too often has to wait, with the time in Retry-After", async () => {
    const harness = await timeless();
    await withAna(harness);
    for (let failure = 0; failure < 5; failure++) {
      expect((await signIn(harness, { password: `wrong ${failure}` })).status).toBe(401);
    }
    await signIn(harness, { password: "wrong" });
    const answer = await signIn(harness);
    expect(answer).toMatchObject({ status: 429, body: { code: "rate_limited" } });
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("that fails counts for its address, as an unknown key does", async () => {
    const harness = await timeless();
    const address = "192.0.2.7";
    const body = { token: `inv_${"A".repeat(43)}` };
    const statuses = new Set<number>();
    for (let guess = 0; guess < 3_001; guess++) {
      statuses.add((await harness.ask("POST /api/v1/invitations/look-up", { body, address })).status);
    }
    expect([...statuses]).toEqual([404, 429]);
    expect((await harness.ask("POST /api/v1/invitations/look-up", { body, address: "192.0.2.8" })).status).toBe(404);
  });

  test("is refused without a hash after too many of its address, delayed ones included, and not from another", async () => {
    const clock = manualClock();
    const harness = await createHarness({ clock });
    await withAna(harness);
    const from = (address: string, word = password) =>
      harness.ask("POST /api/v1/session", { body: { email, password: word }, address });
    for (let n = 0; n < 3_000; n++) await from("192.0.2.7", "wrong");
    expect(await from("192.0.2.7")).toMatchObject({
      status: 429,
      body: { error: expect.stringContaining("This address sent too many") as string },
    });
    const first = await from("192.0.2.8");
    await clock.advance(Number(first.headers.get("retry-after") ?? 0) * 1_000);
    expect((await from("192.0.2.8")).status).toBe(201);
  });

  test("is accepted from another address while one address keeps 120 attempts with unknown e-mails open", async () => {
    const harness = await createHarness();
    await withAna(harness);
    const from = (address: string, body: object) => harness.ask("POST /api/v1/session", { body, address });
    const open = Array.from({ length: 120 }, (_each, n) =>
      from("127.0.0.2", { email: `u${n}@procedo.test`, password: "wrong" }),
    );
    expect((await from("127.0.0.1", { email, password })).status).toBe(201);
    const statuses = (await Promise.all(open)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
  });
});

describe("a session", () => {
  test("is prolonged by reading, and not by following changes, as an unattended page does", async () => {
    const clock = manualClock();
    const hourMs = 3_600_000;
    const harness = await createHarness({ clock });
    const { token } = await harness.person({ access: { live: ["viewer"] } });
    const read = () => harness.ask("GET /api/v1/runs?environment=live", { key: token });
    await clock.advance(11 * hourMs);
    expect((await read()).status).toBe(200);
    await clock.advance(11 * hourMs);
    const headers = { authorization: `Bearer ${token}` };
    const stream = await harness.http.fetch(new Request(`${origin}/api/v1/events?environment=live`, { headers }));
    expect(stream.status).toBe(200);
    await stream.body?.cancel();
    await clock.advance(2 * hourMs);
    expect((await read()).status).toBe(401);
  });

  test("as a cookie changes nothing without the origin of the application, and reads", async () => {
    const harness = await timeless();
    await withAna(harness);
    const cookie = cookieOf((await signIn(harness)).headers);
    const remove = "DELETE /api/v1/webhooks/whk_1?environment=live";
    for (const headers of [
      { cookie },
      { cookie, origin: "https://evil.example" },
      { cookie, "sec-fetch-site": "none" },
    ]) {
      expect(await harness.ask(remove, { headers })).toMatchObject({
        status: 403,
        body: { code: "permission_denied" },
      });
      expect((await harness.ask("DELETE /api/v1/session", { headers })).status).toBe(403);
      expect((await harness.ask("GET /api/v1/runs?environment=live", { headers })).status).toBe(200);
    }
    expect((await harness.ask(remove, { headers: { cookie, ...sameOrigin } })).status).toBe(404);
  });

  test("beside a key, or twice, is a 400", async () => {
    const harness = await timeless();
    const key = await harness.key();
    await withAna(harness);
    const cookie = cookieOf((await signIn(harness)).headers);
    for (const asked of [{ key, headers: { cookie } }, { headers: { cookie: `${cookie}; ${cookie}` } }]) {
      const answer = await harness.ask("GET /api/v1/runs?environment=sandbox", asked);
      expect(answer).toMatchObject({ status: 400, body: { code: "malformed_request" } });
    }
  });

  test("names an environment with each request about one, and never gets one by default", async () => {
    const harness = await timeless();
    const { token: key } = await harness.person({ access: { sandbox: ["owner"], live: ["owner"] } });
    const runs = (query: string) => harness.ask(`GET /api/v1/runs${query}`, { key });
    expect(await runs("")).toMatchObject({ status: 400, body: { code: "malformed_request" } });
    expect((await runs("?environment=live")).status).toBe(200);
    const both = await harness.ask("POST /v1/procedures/echo/sandbox?environment=live", { key, body: { data: {} } });
    expect(both).toMatchObject({ status: 400, body: { code: "malformed_request" } });
    expect((await harness.ask("GET /api/v1/session?environment=live", { key })).status).toBe(400);
  });

  test("ends for all but one of the person's sessions, or for one of them, and for no other person", async () => {
    const harness = await timeless();
    const [ana, ben] = [await harness.person(), await harness.person()];
    const second = await ana.signInAgain();
    const list = await harness.ask("GET /api/v1/sessions", { key: ana.token });
    const sessions = list.body["data"] as readonly { readonly id: string; readonly isCurrent: boolean }[];
    expect(sessions.map(({ id, isCurrent }) => [id === ana.sessionId, isCurrent])).toEqual([
      [false, false],
      [true, true],
    ]);
    const foreign = await harness.ask(`DELETE /api/v1/sessions/${ana.sessionId}`, { key: ben.token });
    expect(foreign).toMatchObject({ status: 404, body: { code: "session_not_found" } });
    expect((await harness.ask("DELETE /api/v1/sessions", { key: second })).status).toBe(200);
    expect((await harness.ask("GET /api/v1/session", { key: ana.token })).status).toBe(401);
    for (const key of [second, ben.token]) expect((await harness.ask("GET /api/v1/session", { key })).status).toBe(200);
  });

  test("is replaced by a change of the password, which ends every other one; the token travels as it did", async () => {
    const harness = await timeless();
    await withAna(harness);
    const next = "staple battery horse";
    const path = "PUT /api/v1/session/password";
    const first = cookieOf((await signIn(harness)).headers);
    const token = textOf((await signIn(harness, { answerWith: "token" })).body["token"]);
    const wrong = await harness.ask(path, { key: token, body: { current: "wrong", next } });
    expect(wrong).toMatchObject({ status: 422, body: { code: "invalid_input", details: [{ path: "/current" }] } });
    const easy = await harness.ask(path, { key: token, body: { current: password, next: "short" } });
    expect(easy).toMatchObject({ status: 422, body: { details: [{ path: "/next" }] } });
    const headers = { cookie: first, ...sameOrigin };
    const changed = await harness.ask(path, { headers, body: { current: password, next } });
    expect(changed.status, changed.text).toBe(200);
    expect(changed.body).not.toHaveProperty("token");
    const cookie = cookieOf(changed.headers);
    expect((await harness.ask("GET /api/v1/session", { headers: { cookie } })).status).toBe(200);
    expect((await harness.ask("GET /api/v1/session", { headers: { cookie: first } })).status).toBe(401);
    expect((await harness.ask("GET /api/v1/session", { key: token })).status).toBe(401);
    expect((await signIn(harness)).status).toBe(401);
    const again = textOf((await signIn(harness, { password: next, answerWith: "token" })).body["token"]);
    const back = await harness.ask(path, { key: again, body: { current: next, next: password } });
    expect(textOf(back.body["token"])).toMatch(/^ses_/);
    expect(back.headers.get("set-cookie")).toBeNull();
  });
});
