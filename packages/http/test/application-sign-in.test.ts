/* An application that embeds the interface signs people in itself. */
import { manualClock } from "@procedo-testing/faults";
import type { PrincipalAnswer } from "@procedo/contract";
import { createHttp, type ApplicationPrincipal, type RequestHead } from "@procedo/http";
import { describe, expect, test } from "vitest";
import { createHarness, origin, read, textOf, type AskOptions, type Harness, type HarnessOptions } from "./harness.ts";

const ana = {
  person: "Ana@procedo.test",
  roles: ["treasury"],
  permissions: ["run", "manage", "review"],
} as const satisfies ApplicationPrincipal;
const ofBrowser = { cookie: "app=ana", origin };

interface Application extends Harness {
  /** Signed-in people by the application's cookie. */
  readonly people: Map<string, ApplicationPrincipal>;
  /** The requests about which the application was asked. */
  readonly asked: readonly string[];
  /** Sends a request, whose answer the description of the application's service contains. */
  send(target: string, options?: AskOptions): Promise<Awaited<ReturnType<typeof read>>>;
}

/** An application whose cookie names the person. */
async function createApplication(options: HarnessOptions = {}): Promise<Application> {
  const people = new Map<string, ApplicationPrincipal>([["ana", ana]]);
  const asked: string[] = [];
  const authenticate = async ({ method, path, header }: RequestHead) => {
    asked.push(`${method} ${path}`);
    const name = /app=(\w+)/.exec(header("cookie") ?? "")?.[1] ?? header("authorization")?.replace("Bearer jwt-", "");
    return people.get(name ?? "");
  };
  const harness = await createHarness({ authenticate, ...options });
  const send: Application["send"] = async (target, { key, body, headers = {}, address, signal } = {}) => {
    const [method = "", path = ""] = target.split(" ");
    const request = new Request(`${origin}${path}`, {
      method,
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
    });
    return await read(await harness.http.fetch(request, address === undefined ? {} : { address }));
  };
  return { ...harness, people, asked, send };
}

const start = "POST /v1/procedures/echo/sandbox";
const body = { data: { amount: 1 } };

describe("a person of the application", () => {
  test("starts a run, and decides a review in their own name and role", async () => {
    const { send, engine, people } = await createApplication();
    const started = await send("POST /v1/procedures/ask/live", { headers: ofBrowser, body });
    expect(started.status, started.text).toBe(202);
    const runId = textOf(started.body["runId"]);
    await expect.poll(async () => (await engine.reviews.ofRun({ environment: "live", runId })).length).toBe(1);
    people.set("ben", {
      person: "ben",
      roles: ["reviewer"],
      permissions: ["review"],
      environment: "live",
      via: "sso-7",
    });
    const decided = await send(`POST /api/runner-proxy/review/${runId}`, {
      headers: { cookie: "app=ben", "sec-fetch-site": "same-origin" },
      body: { approved: true, idempotencyKey: "5f0c3c1e-8b5e-4d0e-9c46-0d8f5a3f7a11" },
      address: "192.0.2.7",
    });
    expect(decided.status, decided.text).toBe(200);
    const [review] = await engine.reviews.ofRun({ environment: "live", runId });
    expect(review?.decisions).toMatchObject([{ person: "ben", via: "sso-7", address: "192.0.2.7" }]);
    const run = await engine.runs.get({ environment: "live", runId });
    expect(run.startedBy).toBe("ana@procedo.test");
  });

  test("names the environment, and reaches no other one than the application says", async () => {
    const { send, people } = await createApplication();
    expect(await send("GET /api/v1/runs", { headers: ofBrowser })).toMatchObject({ status: 400 });
    expect(await send("GET /api/v1/runs?environment=live", { headers: ofBrowser })).toMatchObject({ status: 200 });
    people.set("ana", { ...ana, environment: "sandbox" });
    expect(await send("GET /api/v1/runs", { headers: ofBrowser })).toMatchObject({ status: 200 });
    const live = await send("GET /api/v1/runs?environment=live", { headers: ofBrowser });
    expect(live).toMatchObject({ status: 403, body: { code: "environment_mismatch" } });
  });

  test("has only the permissions that the application gives", async () => {
    const { send, people } = await createApplication();
    people.set("ana", { ...ana, permissions: [] });
    const refused = await send(start, { headers: ofBrowser, body });
    expect(refused).toMatchObject({ status: 403, body: { code: "permission_denied" } });
  });

  test("learns who they are, and that there is no way to sign in here", async () => {
    const { send, people, key, http } = await createApplication({
      about: { version: "1", models: [], timeZone: "UTC" },
    });
    const service = { version: "1", models: [], timeZone: "UTC" };
    expect((await send("GET /api/v1/sign-in")).body).toEqual({ setUp: true, methods: [] });
    const known = await send("GET /api/v1/session", { headers: ofBrowser });
    const permissions: PrincipalAnswer["principal"]["permissions"] = ["run", "manage", "review"];
    const principal = { person: "ana@procedo.test", roles: ["treasury"], permissions };
    expect(known.body).toEqual({ principal, service } satisfies PrincipalAnswer);
    people.set("ana", { ...ana, environment: "live", permissionsElsewhere: ["run"] });
    expect((await send("GET /api/v1/session", { headers: ofBrowser })).body["principal"]).toEqual({
      ...principal,
      environment: "live",
      permissionsElsewhere: ["run"],
    });
    const ofKey = await send("GET /api/v1/session", { key: await key(["run"]) });
    expect(ofKey.body["principal"]).toMatchObject({ permissions: ["run"], environment: "sandbox" });
    expect((await send("GET /api/v1/session")).status).toBe(401);
    expect((await send("GET /api/v1/session?x=1", { headers: ofBrowser })).body["code"]).toBe("unknown_field");
    expect(Object.keys(http.openApi.paths)).not.toContain("/api/v1/people");
    expect(Object.keys(http.openApi.components.securitySchemes).sort()).toEqual(["apiKey", "connectionToken"]);
    expect(http.openApi.paths["/api/v1/session"]?.["get"]).toMatchObject({ operationId: "getPrincipal" });
  });
});

describe("a request", () => {
  test("with an API key is the key's, and the application is not asked", async () => {
    const { send, key, asked } = await createApplication();
    const credential = await key();
    expect((await send(start, { key: credential, headers: ofBrowser, body })).status).toBe(202);
    expect((await send(start, { key: `${credential}x`, headers: ofBrowser, body })).status).toBe(401);
    expect(asked).toEqual([]);
  });

  test("with a bearer token of the application is its person's, without a page", async () => {
    const { send } = await createApplication();
    expect((await send(start, { key: "jwt-ana", body })).status).toBe(202);
    expect((await send(start, { key: "jwt-eve", body })).status).toBe(401);
  });

  test("with a token of this service's sessions is a stranger's", async () => {
    const { send, person } = await createApplication();
    const { token } = await person({ access: { sandbox: ["owner"], live: ["owner"] } });
    expect((await send("GET /api/v1/runs?environment=live", { key: token })).status).toBe(401);
    const cookie = `procedo=${token}`;
    expect((await send("GET /api/v1/runs?environment=live", { headers: { cookie } })).status).toBe(401);
  });

  test.each([
    ["of a foreign page", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }],
    ["of another host of the domain", { "sec-fetch-site": "same-site" }],
    ["without an origin", {}],
  ])(
    "%s that changes something is refused, although the browser sends the application's cookie",
    async (_of, headers) => {
      const { send, engine } = await createApplication();
      const refused = await send(start, { headers: { cookie: "app=ana", ...headers }, body });
      expect(refused).toMatchObject({ status: 403, body: { code: "permission_denied" } });
      expect((await engine.runs.list({ environment: "sandbox", limit: 10 })).items).toEqual([]);
      expect(
        (await send("GET /api/v1/runs?environment=live", { headers: { cookie: "app=ana", ...headers } })).status,
      ).toBe(200);
    },
  );

  test("of people, invitations and sessions does not exist, and is the application's own path", async () => {
    const { send, http } = await createApplication();
    for (const path of ["people", "people/invitations", "sessions", "invitations/accept", "session/password"]) {
      expect(await send(`GET /api/v1/${path}`, { headers: ofBrowser })).toMatchObject({ status: 404 });
      expect(http.serves(`/api/v1/${path}`)).toBe(false);
    }
    const signIn = await send("POST /api/v1/session", { headers: ofBrowser, body: { email: "a@b.c", password: "x" } });
    expect(signIn.status).toBe(405);
  });

  test("that the application answers with no principal is an internal error, and the log says what to change", async () => {
    const { send, people, logged } = await createApplication();
    const { permissions: _, ...trusted } = ana;
    const wrong: readonly (readonly [unknown, string])[] = [
      [trusted, "has permissions that are no list of run, manage, review, administer"],
      [{ ...ana, permissions: ["everything"] }, "has permissions"],
      [{ ...ana, person: "" }, "has a person that"],
      [{ ...ana, person: undefined }, "has a person that is no text"],
      [{ ...ana, roles: "reviewer" }, "has roles"],
      [{ ...ana, environment: "production" }, 'has the environment "production"'],
      [{ ...ana, permissionsElsewhere: [1] }, "has permissionsElsewhere"],
      [{ ...ana, via: 7 }, "has a via"],
      [true, "is a boolean"],
    ];
    for (const [given, problem] of wrong) {
      people.set("ana", given as ApplicationPrincipal);
      const answer = await send("GET /api/v1/runs?environment=live", { headers: ofBrowser });
      expect(answer).toMatchObject({ status: 500, body: { code: "internal" } });
      expect(answer.text).not.toContain(problem);
      expect(logged.at(-1)?.replaceAll("\\", "")).toContain(problem);
    }
  });
});

describe("a person whom the application signs out", () => {
  test("while the body arrives is answered 401, and nothing is written", async () => {
    const { http, engine, people } = await createApplication();
    const stream = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          people.delete("ana");
          controller.enqueue(new TextEncoder().encode(JSON.stringify(body)));
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const init = { method: "POST", body: stream, duplex: "half" } as const;
    const headers = { ...ofBrowser, "content-type": "application/json" };
    const answer = await http.fetch(new Request(`${origin}/v1/procedures/echo/sandbox`, { ...init, headers }));
    expect(answer.status).toBe(401);
    expect((await engine.runs.list({ environment: "sandbox", limit: 10 })).items).toEqual([]);
  });

  test.each([
    ["is signed out", (people: Application["people"]) => void people.delete("ana")],
    ["loses a permission", (people: Application["people"]) => void people.set("ana", { ...ana, permissions: [] })],
  ])("who %s loses the stream of changes within 5 seconds, and another one goes on", async (_how, end) => {
    const clock = manualClock();
    const { http, people, asked } = await createApplication({ clock });
    people.set("ben", { ...ana, person: "ben" });
    const follow = async (cookie: string) => {
      const answer = await http.fetch(new Request(`${origin}/api/v1/events?environment=live`, { headers: { cookie } }));
      const reader = answer.body?.getReader();
      if (reader === undefined) throw new Error("The answer has no body.");
      await reader.read();
      return reader;
    };
    const [left, kept] = [await follow("app=ana"), await follow("app=ben")];
    const next = kept.read();
    await clock.advance(5_000);
    expect(asked).toHaveLength(4);
    end(people);
    const rest = left.read();
    await clock.advance(5_000);
    expect((await rest).done).toBe(true);
    await clock.advance(5_000);
    // The heartbeat after 15 seconds.
    expect((await next).done).toBe(false);
    await kept.cancel();
    const before = asked.length;
    await clock.advance(20_000);
    expect(asked).toHaveLength(before);
  });

  test.each([
    ["fails", () => Promise.reject(new Error("The application's database is down."))],
    ["does not answer", () => new Promise<undefined>(() => {})],
  ])("cannot be told from one about whom the application %s: the stream ends", async (_how, answer) => {
    const clock = manualClock();
    let isDown = false;
    const authenticate = async () => (isDown ? await answer() : ana);
    const { http } = await createApplication({ clock, authenticate });
    const response = await http.fetch(new Request(`${origin}/api/v1/events?environment=live`));
    const reader = response.body?.getReader();
    await reader?.read();
    isDown = true;
    const rest = reader?.read();
    await clock.advance(10_000);
    expect((await rest)?.done).toBe(true);
  });
});

test("the option authenticate is a function, and excludes identity providers of the service", async () => {
  const { engine } = await createHarness();
  const options = { engine, runnerUrl: origin, appUrl: origin };
  const refused = { code: "invalid_configuration" };
  const wrong = { ...options, authenticate: "cookie" as never };
  expect(() => createHttp(wrong)).toThrow(expect.objectContaining(refused) as Error);
  const both = { ...options, authenticate: async () => undefined, signIn: [] };
  expect(() => createHttp(both)).toThrow(/exclude each other/);
});

test("an application that does not answer within 3 seconds is named in the answer and in the log", async () => {
  const clock = manualClock();
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const harness = await createHarness({ clock, authenticate: () => promise });
  const asking = harness.http.fetch(new Request(`${origin}/api/v1/runs?environment=live`));
  await clock.advance(3_000);
  const answer = await read(await asking);
  expect(answer).toMatchObject({ status: 503, body: { code: "overloaded" } });
  expect(answer.text).toContain("option authenticate of createHttp");
  expect(harness.logged.join()).toContain("A request failed.");
  resolve(undefined);
});
