import type { Environment, Permission } from "@procedo/contract";
import { countCases } from "@procedo-testing/tiers";
import { describe, expect, test } from "vitest";
import { operations } from "../src/operations/operations.ts";
import { createBench, textOf, type Answered, type Bench } from "./bench.ts";
import { clientRequests } from "./client-requests.ts";
import { createOffice } from "./private-office.ts";
import { requests, type Placement } from "./requests.ts";

const keyOperations = operations.filter((operation) => operation.access === "key");
const clientOperations = operations.filter((operation) => operation.access === "client");

/** Who asks: a key to send, with its environment and permissions when it is one. */
interface Asker {
  readonly name: string;
  readonly environment: Environment;
  readonly permissions: readonly Permission[] | undefined;
  key(bench: Bench): Promise<string | undefined>;
}

const stranger = (name: string, key: (bench: Bench) => Promise<string | undefined>): Asker => ({
  name,
  environment: "sandbox",
  permissions: undefined,
  key,
});
const holder = (name: string, environment: Environment, permissions: readonly Permission[]): Asker => ({
  name,
  environment,
  permissions,
  key: (bench) => bench.key(permissions, environment, "rita"),
});

const askers: readonly Asker[] = [
  stranger("nobody", async () => undefined),
  stranger("a malformed key", async () => "rsk_sandbox_ä, b c"),
  stranger("an unknown key", async () => `rsk_sandbox_${"A".repeat(43)}`),
  stranger("a deleted key", async (bench) => {
    const by = { person: "olga" };
    const { key, keyId } = await bench.engine.keys.create({ name: "doomed", environment: "sandbox", by });
    expect(await bench.engine.keys.authenticate(key)).toBeDefined();
    await bench.engine.keys.remove({ keyId, by });
    return key;
  }),
  stranger("a poll client's token", async (bench) => (await createOffice(bench, "polled")).tokens.sandbox),
  holder("a sandbox key", "sandbox", ["run", "manage", "review"]),
  holder("a live key", "live", ["run", "manage", "review"]),
  holder("a key without permissions", "sandbox", []),
  holder("a review-only key", "sandbox", ["review"]),
];

/** A text without what differs from request to request. */
const withoutIds = ({ text, body }: Answered, subject = ""): string =>
  text.replaceAll(textOf(body["requestId"]), "").replaceAll(subject === "" ? "\0" : subject, "");

test("A-07 every operation has a request in this matrix, and every request is an operation's", () => {
  expect(keyOperations.map(({ id }) => id).sort()).toEqual(Object.keys(requests).sort());
  expect(clientOperations.map(({ id }) => id).sort()).toEqual(Object.keys(clientRequests).sort());
});

test("the table asks for 999 cells: operations and placements, for each who asks", () => {
  const placed = Object.values(requests).reduce((sum, request) => sum + request.placements.length, 0);
  expect(askers.length * placed).toBe(999);
});

describe.each(askers)("$name", (asker) => {
  test.each(keyOperations.map((operation) => [operation.id, operation] as const))("%s", async (id, operation) => {
    const bench = await createBench();
    const key = await asker.key(bench);
    const request = requests[id];
    if (request === undefined) throw new Error(`There is no request for ${id}.`);
    countCases(request.placements.length);
    const missing = new Map<Placement, string>();
    for (const placement of request.placements) {
      const { target, body, subject } = await request.prepare(bench, asker.environment, placement);
      const headers = key === undefined ? {} : { authorization: `Bearer ${encodeURI(key)}` };
      const answer = await bench.ask(target, { headers, ...(body !== undefined && { body }) });
      expect(answer.status, `${target} (${placement}): ${answer.text}`).toBe(expected(placement));
      if (answer.status === 401) {
        expect(answer.headers.get("www-authenticate")).toBe("Bearer");
        missing.set(placement, withoutIds(answer));
      }
      if (answer.status === 404) missing.set(placement, withoutIds(answer, subject));
      if (answer.body["code"] === "permission_denied")
        expect(answer.body["error"]).toContain(`"${operation.permission}"`);
    }
    expect(new Set(missing.values()).size, JSON.stringify([...missing])).toBeLessThanOrEqual(1);

    function expected(placement: Placement): number {
      if (asker.permissions === undefined) return 401;
      const namesEnvironment = operation.path.includes(":environment");
      if (namesEnvironment && placement === "other") return 403;
      if (operation.permission !== undefined && !asker.permissions.includes(operation.permission)) return 403;
      if (placement === "own") return request?.ok ?? 0;
      return placement === "other" ? (request?.other ?? 404) : 404;
    }
  });
});

describe("a client's operation takes the token of its connection and nothing else", () => {
  test.each(clientOperations.map(({ id }) => id))("%s", async (id) => {
    const bench = await createBench();
    const texts = new Set<string>();
    for (const asker of askers) {
      const key = asker.name === "a poll client's token" ? `run_sandbox_${"A".repeat(43)}` : await asker.key(bench);
      const { target, body } = (await clientRequests[id]?.(bench, asker.environment)) ?? { target: "" };
      const headers = key === undefined ? {} : { authorization: `Bearer ${encodeURI(key)}` };
      const answer = await bench.ask(target, { headers, ...(body !== undefined && { body }) });
      expect(answer.status, `${target} as ${asker.name}: ${answer.text}`).toBe(401);
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
      texts.add(withoutIds(answer));
    }
    expect(texts.size).toBe(1);
    for (const environment of ["sandbox", "live"] as const) {
      const { target, token, body } = (await clientRequests[id]?.(bench, environment)) ?? { target: "" };
      const answer = await bench.ask(target, { key: token, ...(body !== undefined && { body }) });
      expect(answer.status, answer.text).toBe(200);
    }
    countCases(askers.length + 2);
  });

  test.each(clientOperations.map(({ id }) => id))("%s takes nothing that it does not know", async (id) => {
    const bench = await createBench();
    const { target, token, body } = (await clientRequests[id]?.(bench, "sandbox")) ?? { target: "" };
    const query = `${target}${target.includes("?") ? "&" : "?"}environment=live`;
    const asked = await bench.ask(query, { key: token, ...(body !== undefined && { body }) });
    expect(asked).toMatchObject({ status: 400, body: { code: "unknown_field" } });
    if (body === undefined) return;
    const more = await bench.ask(target, { key: token, body: { ...body, environment: "live" } });
    expect(more).toMatchObject({ status: 400, body: { code: "unknown_field" } });
  });
});

test("A-01 what is answered to a key that is nobody's does not tell why", async () => {
  const bench = await createBench();
  const texts = new Set<string>();
  for (const asker of askers.filter(({ permissions }) => permissions === undefined)) {
    const key = await asker.key(bench);
    const headers = key === undefined ? {} : { authorization: `Bearer ${encodeURI(key)}` };
    texts.add(withoutIds(await bench.ask("GET /api/v1/runs", { headers })));
  }
  expect(texts.size).toBe(1);
});

describe("A-04 lists show nothing of the other environment", () => {
  test.each([
    ["runs", "data"],
    ["reviews", "data"],
    ["webhooks", "data"],
  ])("%s", async (list) => {
    const bench = await createBench();
    for (const id of ["getReview", "getWebhook"]) await requests[id]?.prepare(bench, "live", "own");
    const sandbox = await bench.ask(`GET /api/v1/${list}`, { key: await bench.key([]) });
    expect(sandbox.body).toEqual({ data: [] });
    const live = await bench.ask(`GET /api/v1/${list}`, { key: await bench.key([], "live") });
    expect(live.body["data"]).toHaveLength(1);
  });

  test.each(["runs", "reviews", "webhooks"])("a cursor of the other environment's %s is a 400", async (list) => {
    const bench = await createBench();
    for (const environment of ["live", "live", "sandbox", "sandbox"] as const) {
      for (const id of ["getReview", "getWebhook"]) await requests[id]?.prepare(bench, environment, "own");
    }
    const { body } = await bench.ask(`GET /api/v1/${list}?limit=1`, { key: await bench.key([], "live") });
    const answer = await bench.ask(`GET /api/v1/${list}?limit=1&cursor=${textOf(body["nextCursor"])}`, {
      key: await bench.key([]),
    });
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_cursor" } });
  });
});

test("A-05 a decision that names a review of the other environment is a 404, and nothing is written", async () => {
  const bench = await createBench();
  const key = await bench.key(["review"], "sandbox", "rita");
  const live = await requests["getReview"]?.prepare(bench, "live", "own");
  const { target, body } = (await requests["decideReview"]?.prepare(bench, "sandbox", "own")) ?? {
    target: "",
    body: {},
  };
  const answer = await bench.ask(target, { key, body: { ...body, reviewId: live?.subject } });
  expect(answer).toMatchObject({ status: 404, body: { code: "review_not_found" } });
  const review = await bench.engine.reviews.get({ environment: "live", reviewId: live?.subject ?? "" });
  expect([review.status, review.decisions]).toEqual(["open", []]);
});

describe("A-06 a key counts in its header only, once, and with its scheme", () => {
  test.each<[string, (key: string) => { readonly query?: string; readonly headers?: Record<string, string> }]>([
    ["in the query", (key) => ({ query: `?key=${key}` })],
    ["in a cookie", (key) => ({ headers: { cookie: `key=${key}` } })],
    ["twice", (key) => ({ headers: { authorization: `Bearer ${key}, Bearer ${key}` } })],
    ["with another scheme", (key) => ({ headers: { authorization: `Basic ${btoa(`${key}:`)}` } })],
    ["without a scheme", (key) => ({ headers: { authorization: key } })],
    ["in another header", (key) => ({ headers: { "x-api-key": key } })],
    ["with something behind it", (key) => ({ headers: { authorization: `Bearer ${key} x` } })],
  ])("%s: 401", async (_how, send) => {
    const bench = await createBench();
    const { query = "", headers = {} } = send(await bench.key());
    expect((await bench.ask(`GET /api/v1/runs${query}`, { headers })).status).toBe(401);
  });

  test.each(["bearer", "BEARER", "bEaReR"])("with its scheme written %s: 200 (RFC 9110, 11.1)", async (scheme) => {
    const bench = await createBench();
    const headers = { authorization: `${scheme} ${await bench.key()}` };
    expect((await bench.ask("GET /api/v1/runs", { headers })).status).toBe(200);
  });

  test("in the query beside one in its header: 400", async () => {
    const bench = await createBench();
    const key = await bench.key();
    expect((await bench.ask(`GET /api/v1/runs?access_token=${key}`, { key })).status).toBe(400);
  });
});

test("A-09 whoever started a run may not decide a review that excludes them, with whatever key", async () => {
  const bench = await createBench();
  const by = { person: "rita" };
  const document = {
    ...bench.documents.ask,
    procedureId: "strict",
    nodes: bench.documents.ask.nodes.map((node) =>
      node.kind === "human_review" ? { ...node, excludeStarter: true } : node,
    ),
  };
  await bench.engine.procedures.publish({ document, version: "v1", defaultIn: ["live"], by });
  const runId = await bench.run("strict", await bench.key(["run"], "live", "rita"), "live");
  await bench.rested(runId, "live");
  const body = { approved: true, idempotencyKey: "5f0c3c1e-8b5e-4d0e-9c46-0d8f5a3f7a11" };
  const own = await bench.ask(`POST /api/runner-proxy/review/${runId}`, {
    key: await bench.key(["review"], "live", "rita"),
    body,
  });
  expect(own).toMatchObject({ status: 403, body: { code: "permission_denied" } });
  const other = await bench.ask(`POST /api/runner-proxy/review/${runId}`, {
    key: await bench.key(["review"], "live", "rob"),
    body,
  });
  expect(other.status).toBe(200);
});

describe("A-10 what a caller may not set is refused, never applied", () => {
  const writes = keyOperations.filter(({ body }) => body !== undefined);
  test.each(writes.map(({ id }) => id))("%s", async (id) => {
    const bench = await createBench();
    const key = await bench.key(["run", "manage", "review"], "sandbox", "rita");
    for (const [field, value] of Object.entries({
      environment: "live",
      status: "completed",
      createdBy: "ceo",
      decision: { approved: true },
      leaseToken: "x",
      id: "chosen",
    })) {
      if (["createApiKey", "createConnection"].includes(id) && field === "environment") continue;
      const prepared = await requests[id]?.prepare(bench, "sandbox", "own");
      const answer = await bench.ask(prepared?.target ?? "", { key, body: { ...prepared?.body, [field]: value } });
      expect(answer, field).toMatchObject({
        status: 400,
        body: { code: "unknown_field", details: [{ path: `/${field}` }] },
      });
    }
  });
});

describe("A-11 ?environment= is the key's, or a 403", () => {
  test.each(keyOperations.map(({ id }) => id))("%s", async (id) => {
    const bench = await createBench();
    const key = await bench.key(["run", "manage", "review"], "sandbox", "rita");
    for (const [environment, status] of [
      ["live", 403],
      ["sandbox", requests[id]?.ok],
      ["mars", 400],
    ] as const) {
      const { target, body } = (await requests[id]?.prepare(bench, "sandbox", "own")) ?? { target: "" };
      const asked = `${target}${target.includes("?") ? "&" : "?"}environment=${environment}`;
      const answer = await bench.ask(asked, { key, ...(body !== undefined && { body }) });
      expect(answer.status, `${asked}: ${answer.text}`).toBe(status);
      if (status === 403) expect(answer.body["code"]).toBe("environment_mismatch");
    }
  });
});
