import { ProcedoError, jsonSchemaOfProcedure } from "@procedo/contract";
import { expect, test } from "vitest";
import { createHarness, openApi, origin, textOf, type NewPerson } from "./harness.ts";

test("GET /healthz answers without a key", async () => {
  const harness = await createHarness();
  expect(await harness.ask("GET /healthz")).toMatchObject({ status: 200, body: { status: "ok" } });
});

test("GET /readyz answers 200, or 503 with the service's reason", async () => {
  const reasons: ProcedoError[] = [];
  const harness = await createHarness({
    ready: async () => {
      for (const reason of reasons) throw reason;
    },
  });
  expect(await harness.ask("GET /readyz")).toMatchObject({ status: 200, body: { status: "ready" } });
  reasons.push(new ProcedoError("shutting_down", "The service is shutting down."));
  expect(await harness.ask("GET /readyz")).toMatchObject({ status: 503, body: { code: "shutting_down" } });
});

test("GET /api/v1/openapi.json returns the document without a key", async () => {
  const harness = await createHarness();
  const answer = await harness.ask("GET /api/v1/openapi.json");
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual(openApi);
  expect(harness.http.openApi).toEqual(openApi);
});

test("GET /api/v1/procedure.schema.json returns the JSON Schema of documents without a key", async () => {
  const harness = await createHarness();
  const answer = await harness.ask("GET /api/v1/procedure.schema.json");
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"]);
  expect(answer.body).toEqual(jsonSchemaOfProcedure());
});

test("GET /api/v1/audit/public-key returns the key that verifies exports, without an API key", async () => {
  const harness = await createHarness();
  const answer = await harness.ask("GET /api/v1/audit/public-key");
  expect(answer).toMatchObject({ status: 200, body: harness.engine.audit.publicKey() });
});

test("HEAD is answered in the same way as GET, without the body", async () => {
  const harness = await createHarness();
  const key = await harness.key();
  const runId = await harness.run("echo", key);
  const found = await harness.ask(`HEAD /runs/${runId}`, { key });
  expect([found.status, found.text]).toEqual([200, ""]);
  expect((await harness.ask("HEAD /runs/none", { key })).status).toBe(404);
});

test("OPTIONS answers 204 with the methods of a path; other methods are a 405 with the same", async () => {
  const harness = await createHarness();
  const options = await harness.ask("OPTIONS /api/v1/webhooks/whk_1");
  expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, HEAD, PATCH, DELETE, OPTIONS"]);
  const refused = await harness.ask("PUT /api/v1/webhooks/whk_1", { body: {} });
  expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, HEAD, PATCH, DELETE, OPTIONS"]);
});

test.each([
  "/",
  "/runs",
  "/runs/",
  "/runs/a/b",
  "/api/v1/nothing",
  "/v1/procedures/p",
  "/runs/%ff",
  "//runs/a",
  "/RUNS/a",
])("%s is not found", async (path) => {
  const harness = await createHarness();
  expect(await harness.ask(`GET ${path}`)).toMatchObject({ status: 404, body: { code: "not_found" } });
});

test("an unexpected error is a 500 without its details, which the log contains under the requestId", async () => {
  const harness = await createHarness();
  const key = await harness.key();
  const { keys } = harness.engine;
  Object.assign(keys, { list: () => Promise.reject(new Error("no route to db-7")) });
  const answer = await harness.ask("GET /api/v1/api-keys", { key });
  expect(answer).toMatchObject({ status: 500, body: { code: "internal" } });
  expect(answer.text).not.toContain("db-7");
  expect(harness.logged).toEqual([expect.stringContaining(textOf(answer.body["requestId"]))]);
  expect(harness.logged[0]).toContain("no route to db-7");
});

test("onAnswered is called for every answered request", async () => {
  const reported: unknown[] = [];
  const harness = await createHarness({
    onAnswered: ({ durationMs: _, requestId: __, ...done }) => void reported.push(done),
  });
  await harness.ask("GET /healthz");
  await harness.ask("GET /nowhere");
  await harness.ask("GET /runs/run_1");
  expect(reported).toEqual([
    { method: "GET", operationId: "getHealth", status: 200 },
    { method: "GET", operationId: undefined, status: 404 },
    { method: "GET", operationId: "pollRun", status: 401 },
  ]);
});

test("an exception of onAnswered does not affect the request", async () => {
  const harness = await createHarness({
    onAnswered: () => {
      throw new Error("The metrics are full.");
    },
  });
  expect((await harness.ask("GET /healthz")).status).toBe(200);
  expect(harness.logged).toEqual([expect.stringContaining("The metrics are full.")]);
});

test("GET /api/v1/service tells owners of both environments how the service is set up", async () => {
  const deployment = {
    node: "v24.7.0",
    storage: "sqlite",
    schemaVersion: 1,
    role: "all",
    drainMs: 60_000,
    allowNetworks: ["10.0.0.0/8"],
  } as const;
  const about = { version: "1.2.3", models: ["questions"], timeZone: "Europe/Berlin" };
  const harness = await createHarness({ about: { ...about, deployment }, requestsPerSecond: 1_000 });
  const as = async (access: NewPerson["access"]) => {
    const { token } = await harness.person({ access: access ?? {} });
    return await harness.ask("GET /api/v1/service", { key: token });
  };
  const owners = await as({ sandbox: ["owner"], live: ["owner"] });
  expect(owners).toMatchObject({ status: 200 });
  expect(owners.body).toEqual({
    ...about,
    addresses: { runnerUrl: origin, appUrl: origin, sdkUrl: origin },
    limits: {
      requestsPerSecond: 1_000,
      maxRequestBytes: 1_048_576,
      maxConnectionRequestBytes: 26_214_400,
      maxJsonDepth: 64,
    },
    deployment,
  });
  expect((await as({ sandbox: ["owner"], live: ["builder", "reviewer"] })).status).toBe(403);
  const refused = await harness.ask("GET /api/v1/service", { key: await harness.key() });
  expect(refused).toMatchObject({
    status: 401,
    body: { error: expect.stringContaining("API keys are not accepted here") },
  });
  const shown = await harness.person({ access: { live: ["viewer"] } });
  const session = await harness.ask("GET /api/v1/session", { key: shown.token });
  expect(session.body["service"]).toEqual(about);
});

test("GET /api/v1/service leaves out what an embedded service does not know", async () => {
  const harness = await createHarness();
  const { token } = await harness.person({ access: { sandbox: ["owner"], live: ["owner"] } });
  const { body } = await harness.ask("GET /api/v1/service", { key: token });
  expect(body).toMatchObject({ version: "embedded", models: [] });
  expect(body).not.toHaveProperty("deployment");
  expect(body["limits"]).not.toHaveProperty("requestsPerSecond");
});
