/* Authorization of people: the operations of sessions and guests, cookies, and four eyes. */
import { randomUUID } from "node:crypto";
import { countCases } from "@procedo-testing/tiers";
import { describe, expect, test } from "vitest";
import { operations } from "../src/operations/operations.ts";
import { createHarness, origin, owner, textOf, type Harness, type NewPerson, type SignedInPerson } from "./harness.ts";
import { createOffice } from "./private-office.ts";
import { requests } from "./requests.ts";
import { guestRequests, sessionRequests } from "./session-requests.ts";

const keyOperations = operations.filter((operation) => operation.access === "key");
const owning: NewPerson = { access: { sandbox: ["owner"], live: ["owner"] } };

/** The caller: a credential, and the status for an operation that any person may use, and one for owners. */
interface Asker {
  readonly name: string;
  readonly any: "ok" | 401;
  readonly administer: "ok" | 401 | 403;
  credential(harness: Harness, person: (given?: NewPerson) => Promise<SignedInPerson>): Promise<string | undefined>;
}

const stranger = (name: string, credential: Asker["credential"]): Asker => ({
  name,
  any: 401,
  administer: 401,
  credential,
});
const person = (name: string, administer: Asker["administer"], given: NewPerson): Asker => ({
  name,
  any: "ok",
  administer,
  credential: async (_harness, join) => (await join(given)).token,
});

const askers: readonly Asker[] = [
  stranger("nobody", async () => undefined),
  stranger("a malformed token", async () => "ses_, x"),
  stranger("an unknown session", async () => `ses_${"A".repeat(43)}`),
  stranger("a sandbox key of an owner", async (harness, join) => {
    const { email } = await join(owning);
    return await harness.key(["run", "manage", "review"], "sandbox", email);
  }),
  stranger("a poll client's token", async (harness) => (await createOffice(harness, "polled")).tokens.sandbox),
  stranger("a session that ended", async ({ engine }, join) => {
    const { token, personId, sessionId, email } = await join(owning);
    await engine.sessions.end({ personId, sessionId, by: { person: email } });
    return token;
  }),
  stranger("a session of a deactivated owner", async ({ engine }, join) => {
    const { token, personId } = await join(owning);
    await engine.people.deactivate({ personId, by: owner });
    return token;
  }),
  person("a person of groups only", 403, { groups: ["treasury"] }),
  person("a reviewer and builder", 403, {
    access: { sandbox: ["reviewer", "builder"], live: ["reviewer", "builder"] },
  }),
  person("an owner of one environment", 403, { access: { sandbox: ["owner"], live: ["builder"] } }),
  person("an owner", "ok", owning),
];

describe.each(askers)("$name", ({ any, administer, credential }) => {
  test.each(Object.entries(sessionRequests))("%s", async (_id, { needs, ok, prepare }) => {
    const harness = await createHarness();
    let caller: SignedInPerson | undefined;
    const key = await credential(harness, async (given) => (caller = await harness.person(given)));
    caller ??= await harness.person();
    const { target, body } = await prepare(harness, caller);
    const answer = await harness.ask(target, {
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
      body,
    });
    const expected = needs === undefined ? any : administer;
    expect(answer.status, `${target}: ${answer.text}`).toBe(expected === "ok" ? ok : expected);
    if (expected === 403) expect(answer.body).toMatchObject({ code: "permission_denied" });
    if (expected === 403) expect(answer.body["error"]).toContain('"administer"');
    if (expected === 401) expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    countCases(1);
  });
});

test("the table has 165 cells: the operations of sessions, for each caller", () => {
  expect(askers.length * Object.keys(sessionRequests).length).toBe(165);
});

test("no caller learns why a session was refused, except that API keys are none", async () => {
  const texts = { key: new Set<string>(), other: new Set<string>() };
  for (const { any, credential } of askers) {
    if (any === "ok") continue;
    const harness = await createHarness();
    const key = await credential(harness, (given) => harness.person(given));
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const { text, body } = await harness.ask("GET /api/v1/session", { headers });
    const isKey = key?.startsWith("rsk_") === true;
    texts[isKey ? "key" : "other"].add(text.replace(textOf(body["requestId"]), ""));
  }
  expect([texts.key.size, texts.other.size]).toEqual([1, 1]);
});

describe("an operation of guests takes no credential, and refuses a foreign page", () => {
  test.each(Object.entries(guestRequests))("%s", async (_id, { target, body, status }) => {
    const harness = await createHarness();
    const { token } = await harness.person(owning);
    for (const key of [undefined, token, "unknown"]) {
      expect((await harness.ask(target, { key, body })).status).toBe(status);
    }
    const foreign = await harness.ask(target, { body, headers: { origin: "https://evil.example" } });
    expect(foreign.status).toBe(body === undefined ? status : 403);
  });
});

describe("a session in a cookie", () => {
  const sent = [...keyOperations.map(({ id, method, path }) => ({ id, method, path }))];

  test.each(sent)("$id: as a bearer token from the application's page, and a 403 from elsewhere", async (operation) => {
    const harness = await createHarness();
    const { token } = await harness.person({ access: { sandbox: ["builder", "reviewer"] } });
    const request = requests[operation.id];
    if (request === undefined) throw new Error(`There is no request for ${operation.id}.`);
    const cookie = `procedo=${token}`;
    for (const [headers, isRefused] of [
      [{ cookie }, true],
      [{ cookie, origin: "https://evil.example", "sec-fetch-site": "cross-site" }, true],
      [{ cookie, "sec-fetch-site": "same-site" }, true],
      [{ cookie, origin }, false],
      [{ cookie, "sec-fetch-site": "same-origin" }, false],
    ] as const) {
      const { target, body } = await request.prepare(harness, "sandbox", "own");
      const isNamed = operation.path.includes(":environment");
      const asked = isNamed ? target : `${target}${target.includes("?") ? "&" : "?"}environment=sandbox`;
      const answer = await harness.ask(asked, { headers, body });
      const isExpected = isRefused && operation.method !== "GET" ? 403 : request.ok;
      expect(answer.status, `${asked} ${JSON.stringify(headers)}: ${answer.text}`).toBe(isExpected);
      countCases(1);
    }
    const { target, body } = await request.prepare(harness, "sandbox", "own");
    const both = await harness.ask(target, { key: await harness.key([]), headers: { cookie, origin }, body });
    expect(both).toMatchObject({ status: 400, body: { code: "malformed_request" } });
  });
});

describe("a person who starts a run may not decide its review that excludes the starter", () => {
  test("with a session or another key, however the run was started", async () => {
    const harness = await createHarness();
    const strict = {
      ...harness.documents.ask,
      procedureId: "strict",
      nodes: harness.documents.ask.nodes.map((node) =>
        node.kind === "human_review" ? { ...node, excludeStarter: true } : node,
      ),
    };
    await harness.engine.procedures.publish({ document: strict, version: "v1", defaultIn: ["live"], by: owner });
    const access = { live: ["builder", "reviewer"] } as const;
    const ana = await harness.person({ email: "Ana@Procedo.test", access: { live: [...access.live] } });
    const ben = await harness.person({ access: { live: [...access.live] } });
    const credentials = [
      ana.token,
      await ana.signInAgain(),
      await harness.key(["run", "review"], "live", ana.email),
      await harness.key(["run", "review"], "live", " ANA@procedo.TEST "),
    ];
    for (const starter of credentials) {
      const start = await harness.ask("POST /v1/procedures/strict/live", {
        key: starter,
        body: { data: { amount: 1 } },
      });
      const runId = textOf(start.body["runId"]);
      await harness.settled(runId, "live");
      const decide = (key: string) =>
        harness.ask(`POST /api/runner-proxy/review/${runId}?environment=live`, {
          key,
          body: { approved: true, idempotencyKey: randomUUID() },
        });
      for (const key of credentials) {
        expect(await decide(key)).toMatchObject({ status: 403, body: { code: "permission_denied" } });
      }
      expect((await decide(ben.token)).status).toBe(200);
      countCases(credentials.length + 1);
    }
  });

  test("and two approvals are those of two people, not of one person's session and key", async () => {
    const harness = await createHarness();
    const double = {
      ...harness.documents.ask,
      procedureId: "double",
      nodes: harness.documents.ask.nodes.map((node) =>
        node.kind === "human_review" ? { ...node, approvals: 2 } : node,
      ),
    };
    await harness.engine.procedures.publish({ document: double, version: "v1", defaultIn: ["live"], by: owner });
    const ana = await harness.person({ access: { live: ["reviewer"] } });
    const ben = await harness.person({ access: { live: ["reviewer"] } });
    const { runId } = await harness.engine.runs.execute({
      procedureId: "double",
      environment: "live",
      data: { amount: 1 },
      by: owner,
    });
    const decide = (key: string) =>
      harness.ask(`POST /api/runner-proxy/review/${runId}?environment=live`, {
        key,
        body: { approved: true, idempotencyKey: randomUUID() },
      });
    expect((await decide(ana.token)).status).toBe(200);
    const again = await decide(await harness.key(["review"], "live", ana.email));
    expect(again.status, again.text).not.toBe(200);
    expect((await harness.engine.runs.get({ environment: "live", runId })).status).toBe("awaiting_review");
    expect((await decide(ben.token)).status).toBe(200);
    await harness.ended(runId, "live");
  });
});

describe("a review that names a role is decided", () => {
  test.each([
    ["by a group of that name", { access: { live: ["reviewer"] }, groups: ["Treasury"] }, 200],
    ["not by a reviewer without the group", { access: { live: ["reviewer"] } }, 403],
    ["not by the group without the permission", { access: { live: ["builder"] }, groups: ["treasury"] }, 403],
    ["not by the group in the other environment", { access: { sandbox: ["reviewer"] }, groups: ["treasury"] }, 403],
    ["not by an owner for being one", owning, 403],
  ] satisfies [string, NewPerson, number][])("%s", async (_who, given, status) => {
    const harness = await createHarness();
    const named = {
      ...harness.documents.ask,
      procedureId: "named",
      nodes: harness.documents.ask.nodes.map((node) =>
        node.kind === "human_review" ? { ...node, reviewers: { roles: ["treasury"] } } : node,
      ),
    };
    await harness.person({ access: { live: ["reviewer"] }, groups: ["treasury"] });
    await harness.engine.procedures.publish({ document: named, version: "v1", defaultIn: ["live"], by: owner });
    const { runId } = await harness.engine.runs.execute({
      procedureId: "named",
      environment: "live",
      data: { amount: 1 },
      by: owner,
    });
    const { token: key } = await harness.person(given);
    const body = { approved: true, idempotencyKey: randomUUID() };
    const answer = await harness.ask(`POST /api/runner-proxy/review/${runId}?environment=live`, { key, body });
    expect(answer.status, answer.text).toBe(status);
  });
});
