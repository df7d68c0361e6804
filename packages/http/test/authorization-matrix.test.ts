import type { Environment, Permission } from "@procedo/contract";
import { countCases } from "@procedo-testing/tiers";
import { describe, expect, test } from "vitest";
import { permissionsOf } from "../src/operation.ts";
import { operations } from "../src/operations/operations.ts";
import { createHarness, owner, textOf, type Answered, type Harness, type NewPerson } from "./harness.ts";
import { clientRequests } from "./client-requests.ts";
import { createOffice } from "./private-office.ts";
import { otherThan, type Placement } from "./request-placement.ts";
import { requests } from "./requests.ts";
import { guestRequests, sessionRequests } from "./session-requests.ts";

const keyOperations = operations.filter((operation) => operation.access === "key");
const clientOperations = operations.filter((operation) => operation.access === "client");

/** The caller: a key or session token to send, with its environment and permissions if it is valid. */
interface Asker {
  readonly name: string;
  readonly environment: Environment;
  readonly permissions: readonly Permission[] | undefined;
  /** Whether its requests name their environment. @defaultValue false */
  readonly isPerson?: boolean;
  /** The environments in which the person has a role. @defaultValue the environment */
  readonly reach?: readonly Environment[];
  key(harness: Harness): Promise<string | undefined>;
}

const stranger = (name: string, key: (harness: Harness) => Promise<string | undefined>): Asker => ({
  name,
  environment: "sandbox",
  permissions: undefined,
  key,
});
const holder = (name: string, environment: Environment, permissions: readonly Permission[]): Asker => ({
  name,
  environment,
  permissions,
  key: (harness) => harness.key(permissions, environment, "rita"),
});

const person = (name: string, permissions: readonly Permission[], given: NewPerson): Asker => ({
  name,
  environment: "sandbox",
  permissions,
  isPerson: true,
  key: async (harness) => (await harness.person(given)).token,
});

/** People have their roles in one environment, and no access to the other one. */
const people: readonly Asker[] = [
  {
    ...person("a session that ended", [], {}),
    permissions: undefined,
    key: async (harness) => {
      const { token, personId, sessionId, email } = await harness.person({
        access: { sandbox: ["builder", "reviewer"] },
      });
      await harness.engine.sessions.end({ personId, sessionId, by: { person: email } });
      return token;
    },
  },
  {
    ...person("a session of a deactivated person", [], {}),
    permissions: undefined,
    key: async (harness) => {
      const { token, personId } = await harness.person({ access: { sandbox: ["builder", "reviewer"] } });
      await harness.engine.people.deactivate({ personId, by: owner });
      return token;
    },
  },
  {
    ...person("a person of live only", ["run", "manage", "review"], { access: { live: ["owner", "reviewer"] } }),
    reach: ["live"],
  },
  { ...person("a person of groups only", [], { groups: ["treasury"] }), reach: [] },
  person("a viewer", [], { access: { sandbox: ["viewer"] } }),
  person("a reviewer", ["review"], { access: { sandbox: ["reviewer"] } }),
  person("a builder", ["run", "manage"], { access: { sandbox: ["builder"] }, groups: ["treasury"] }),
  person("an owner", ["run", "manage"], { access: { sandbox: ["owner"] } }),
  person("a person of several roles", ["run", "manage", "review"], { access: { sandbox: ["builder", "reviewer"] } }),
];

const askers: readonly Asker[] = [
  stranger("nobody", async () => undefined),
  stranger("a malformed key", async () => "rsk_sandbox_ä, b c"),
  stranger("an unknown key", async () => `rsk_sandbox_${"A".repeat(43)}`),
  stranger("a deleted key", async (harness) => {
    const doomed = { name: "doomed", environment: "sandbox", by: owner } as const;
    const { key, keyId } = await harness.engine.keys.create(doomed);
    expect(await harness.engine.keys.authenticate(key)).toBeDefined();
    await harness.engine.keys.remove({ keyId, by: owner });
    return key;
  }),
  stranger("a poll client's token", async (harness) => (await createOffice(harness, "polled")).tokens.sandbox),
  holder("a sandbox key", "sandbox", ["run", "manage", "review"]),
  holder("a live key", "live", ["run", "manage", "review"]),
  holder("a key without permissions", "sandbox", []),
  holder("a review-only key", "sandbox", ["review"]),
  ...people,
];

/** The target with `?environment=`. */
function inEnvironment(target: string, environment: Environment): string {
  return `${target}${target.includes("?") ? "&" : "?"}environment=${environment}`;
}

/** A text without the parts that differ between requests. */
const withoutIds = ({ text, body }: Answered, subject = ""): string =>
  text.replaceAll(textOf(body["requestId"]), "").replaceAll(subject === "" ? "\0" : subject, "");

test("A-07 every operation has a request in this matrix, and every request belongs to an operation", () => {
  expect(keyOperations.map(({ id }) => id).sort()).toEqual(Object.keys(requests).sort());
  expect(clientOperations.map(({ id }) => id).sort()).toEqual(Object.keys(clientRequests).sort());
  const idsOf = (access: string) => operations.flatMap((one) => (one.access === access ? [one.id] : [])).sort();
  expect(idsOf("session")).toEqual(Object.keys(sessionRequests).sort());
  expect(idsOf("guest")).toEqual(Object.keys(guestRequests).sort());
});

test("the table has 3,618 cells: operations and placements, for each caller", () => {
  const placed = Object.values(requests).reduce((sum, request) => sum + request.placements.length, 0);
  expect(askers.length * placed).toBe(3_618);
});

describe.each(askers)("$name", (asker) => {
  test.each(keyOperations.map((operation) => [operation.id, operation] as const))("%s", async (id, operation) => {
    const harness = await createHarness();
    const key = await asker.key(harness);
    const request = requests[id];
    if (request === undefined) throw new Error(`There is no request for ${id}.`);
    countCases(request.placements.length);
    const missing = new Map<Placement, string>();
    for (const placement of request.placements) {
      const { target, body, subject } = await request.prepare(harness, asker.environment, placement);
      const headers = key === undefined ? {} : { authorization: `Bearer ${encodeURI(key)}` };
      const isNamed = asker.isPerson !== true || operation.path.includes(":environment");
      const asked = isNamed ? target : inEnvironment(target, asker.environment);
      const answer = await harness.ask(asked, { headers, ...(body !== undefined && { body }) });
      expect(answer.status, `${target} (${placement}): ${answer.text}`).toBe(expected(placement));
      if (answer.status === 401) {
        expect(answer.headers.get("www-authenticate")).toBe("Bearer");
        missing.set(placement, withoutIds(answer));
      }
      if (answer.status === 404) missing.set(placement, withoutIds(answer, subject));
      if (answer.body["code"] === "permission_denied" && !hasNoAccess(placement))
        expect(answer.body["error"]).toContain(`"${missingPermission()}"`);
    }
    expect(new Set(missing.values()).size, JSON.stringify([...missing])).toBeLessThanOrEqual(1);

    /** Whether the path names the environment that is not the caller's. */
    function isElsewhere(placement: Placement): boolean {
      return operation.path.includes(":environment") && placement === "other";
    }

    /** Whether the request is refused for its environment, before its permission is checked. */
    function hasNoAccess(placement: Placement): boolean {
      const { environment, reach = [environment] } = asker;
      return !reach.includes(isElsewhere(placement) ? otherThan(environment) : environment);
    }

    function missingPermission(): Permission | undefined {
      return permissionsOf(operation).find((permission) => asker.permissions?.includes(permission) === false);
    }

    function expected(placement: Placement): number {
      if (asker.permissions === undefined) return 401;
      if (hasNoAccess(placement)) return 403;
      if (missingPermission() !== undefined) return 403;
      if (placement === "own" || isElsewhere(placement)) return request?.ok ?? 0;
      return placement === "other" ? (request?.other ?? 404) : 404;
    }
  });
});

describe("a client's operation accepts the token of its connection and nothing else", () => {
  test.each(clientOperations.map(({ id }) => id))("%s", async (id) => {
    const harness = await createHarness();
    const texts = new Set<string>();
    for (const asker of askers) {
      const key = asker.name === "a poll client's token" ? `run_sandbox_${"A".repeat(43)}` : await asker.key(harness);
      const { target, body } = (await clientRequests[id]?.(harness, asker.environment)) ?? { target: "" };
      const headers = key === undefined ? {} : { authorization: `Bearer ${encodeURI(key)}` };
      const answer = await harness.ask(target, { headers, ...(body !== undefined && { body }) });
      expect(answer.status, `${target} as ${asker.name}: ${answer.text}`).toBe(401);
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
      texts.add(withoutIds(answer));
    }
    expect(texts.size).toBe(1);
    for (const environment of ["sandbox", "live"] as const) {
      const { target, token, body } = (await clientRequests[id]?.(harness, environment)) ?? { target: "" };
      const answer = await harness.ask(target, { key: token, ...(body !== undefined && { body }) });
      expect(answer.status, answer.text).toBe(200);
    }
    countCases(askers.length + 2);
  });

  test.each(clientOperations.map(({ id }) => id))("%s accepts no unknown query parameter or member", async (id) => {
    const harness = await createHarness();
    const { target, token, body } = (await clientRequests[id]?.(harness, "sandbox")) ?? { target: "" };
    const query = `${target}${target.includes("?") ? "&" : "?"}environment=live`;
    const asked = await harness.ask(query, { key: token, ...(body !== undefined && { body }) });
    expect(asked).toMatchObject({ status: 400, body: { code: "unknown_field" } });
    if (body === undefined) return;
    const more = await harness.ask(target, { key: token, body: { ...body, environment: "live" } });
    expect(more).toMatchObject({ status: 400, body: { code: "unknown_field" } });
  });
});

test("A-01 the answer to an unknown key does not reveal the reason", async () => {
  const harness = await createHarness();
  const texts = new Set<string>();
  for (const asker of askers.filter(({ permissions }) => permissions === undefined)) {
    const key = await asker.key(harness);
    const headers = key === undefined ? {} : { authorization: `Bearer ${encodeURI(key)}` };
    texts.add(withoutIds(await harness.ask("GET /api/v1/runs", { headers })));
  }
  expect(texts.size).toBe(1);
});

describe("A-04 lists show nothing of the other environment", () => {
  test.each([
    ["runs", "data"],
    ["reviews", "data"],
    ["webhooks", "data"],
  ])("%s", async (list) => {
    const harness = await createHarness();
    for (const id of ["getReview", "getWebhook"]) await requests[id]?.prepare(harness, "live", "own");
    const sandbox = await harness.ask(`GET /api/v1/${list}`, { key: await harness.key([]) });
    expect(sandbox.body).toEqual({ data: [] });
    const live = await harness.ask(`GET /api/v1/${list}`, { key: await harness.key([], "live") });
    expect(live.body["data"]).toHaveLength(1);
  });

  test.each(["runs", "reviews", "webhooks"])("a cursor of %s of the other environment is a 400", async (list) => {
    const harness = await createHarness();
    for (const environment of ["live", "live", "sandbox", "sandbox"] as const) {
      for (const id of ["getReview", "getWebhook"]) await requests[id]?.prepare(harness, environment, "own");
    }
    const { body } = await harness.ask(`GET /api/v1/${list}?limit=1`, { key: await harness.key([], "live") });
    const answer = await harness.ask(`GET /api/v1/${list}?limit=1&cursor=${textOf(body["nextCursor"])}`, {
      key: await harness.key([]),
    });
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_cursor" } });
  });
});

test("A-05 a decision that names a review of the other environment is a 404, and nothing is written", async () => {
  const harness = await createHarness();
  const key = await harness.key(["review"], "sandbox", "rita");
  const live = await requests["getReview"]?.prepare(harness, "live", "own");
  const { target, body } = (await requests["decideReview"]?.prepare(harness, "sandbox", "own")) ?? {
    target: "",
    body: {},
  };
  const answer = await harness.ask(target, { key, body: { ...body, reviewId: live?.subject } });
  expect(answer).toMatchObject({ status: 404, body: { code: "review_not_found" } });
  const review = await harness.engine.reviews.get({ environment: "live", reviewId: live?.subject ?? "" });
  expect([review.status, review.decisions]).toEqual(["open", []]);
});

describe("A-06 a key is read from its header only, once, and with its scheme", () => {
  test.each<[string, (key: string) => { readonly query?: string; readonly headers?: Record<string, string> }]>([
    ["in the query", (key) => ({ query: `?key=${key}` })],
    ["in a cookie", (key) => ({ headers: { cookie: `key=${key}` } })],
    ["twice", (key) => ({ headers: { authorization: `Bearer ${key}, Bearer ${key}` } })],
    ["with another scheme", (key) => ({ headers: { authorization: `Basic ${btoa(`${key}:`)}` } })],
    ["without a scheme", (key) => ({ headers: { authorization: key } })],
    ["in another header", (key) => ({ headers: { "x-api-key": key } })],
    ["with additional text", (key) => ({ headers: { authorization: `Bearer ${key} x` } })],
  ])("%s: 401", async (_how, send) => {
    const harness = await createHarness();
    const { query = "", headers = {} } = send(await harness.key());
    expect((await harness.ask(`GET /api/v1/runs${query}`, { headers })).status).toBe(401);
  });

  test.each(["bearer", "BEARER", "bEaReR"])("with its scheme written %s: 200 (RFC 9110, 11.1)", async (scheme) => {
    const harness = await createHarness();
    const headers = { authorization: `${scheme} ${await harness.key()}` };
    expect((await harness.ask("GET /api/v1/runs", { headers })).status).toBe(200);
  });

  test("in the query beside one in its header: 400", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    expect((await harness.ask(`GET /api/v1/runs?access_token=${key}`, { key })).status).toBe(400);
  });
});

test("A-09 the starter of a run may not decide a review that excludes the starter, with any key", async () => {
  const harness = await createHarness();
  const by = { person: "rita" };
  const document = {
    ...harness.documents.ask,
    procedureId: "strict",
    nodes: harness.documents.ask.nodes.map((node) =>
      node.kind === "human_review" ? { ...node, excludeStarter: true } : node,
    ),
  };
  await harness.engine.procedures.publish({ document, version: "v1", defaultIn: ["live"], by });
  const runId = await harness.run("strict", await harness.key(["run"], "live", "rita"), "live");
  await harness.settled(runId, "live");
  const body = { approved: true, idempotencyKey: "5f0c3c1e-8b5e-4d0e-9c46-0d8f5a3f7a11" };
  const own = await harness.ask(`POST /api/runner-proxy/review/${runId}`, {
    key: await harness.key(["review"], "live", "rita"),
    body,
  });
  expect(own).toMatchObject({ status: 403, body: { code: "permission_denied" } });
  const other = await harness.ask(`POST /api/runner-proxy/review/${runId}`, {
    key: await harness.key(["review"], "live", "rob"),
    body,
  });
  expect(other.status).toBe(200);
});

describe("A-10 a member that a caller may not set is refused, never applied", () => {
  const writes = keyOperations.filter(({ body }) => body !== undefined);
  test.each(writes.map(({ id }) => id))("%s", async (id) => {
    const harness = await createHarness();
    const key = await harness.key(["run", "manage", "review"], "sandbox", "rita");
    for (const [field, value] of Object.entries({
      environment: "live",
      status: "completed",
      createdBy: "ceo",
      decision: { approved: true },
      leaseToken: "x",
      id: "chosen",
    })) {
      if (["createApiKey", "createConnection"].includes(id) && field === "environment") continue;
      const prepared = await requests[id]?.prepare(harness, "sandbox", "own");
      const answer = await harness.ask(prepared?.target ?? "", { key, body: { ...prepared?.body, [field]: value } });
      expect(answer, field).toMatchObject({
        status: 400,
        body: { code: "unknown_field", details: [{ path: `/${field}` }] },
      });
    }
  });
});

describe("A-11 ?environment= is the environment of the key, or a 403", () => {
  test.each(keyOperations.map(({ id }) => id))("%s", async (id) => {
    const harness = await createHarness();
    const key = await harness.key(["run", "manage", "review"], "sandbox", "rita");
    for (const [environment, status] of [
      ["live", 403],
      ["sandbox", requests[id]?.ok],
      ["mars", 400],
    ] as const) {
      const { target, body } = (await requests[id]?.prepare(harness, "sandbox", "own")) ?? { target: "" };
      const asked = `${target}${target.includes("?") ? "&" : "?"}environment=${environment}`;
      const answer = await harness.ask(asked, { key, ...(body !== undefined && { body }) });
      expect(answer.status, `${asked}: ${answer.text}`).toBe(status);
      if (status === 403) expect(answer.body["code"]).toBe("environment_mismatch");
    }
  });
});
