import { describe, expect, test } from "vitest";
import { asJson, createHarness, origin, textOf, until } from "./harness.ts";
import { documentText } from "./listed-api.ts";
import { createOffice, screen } from "./private-office.ts";

const body = { name: "office", integration: "private_connection" };

describe("a private connection", () => {
  test.each(["sandbox", "live"] as const)(
    "that a key of %s creates returns that token only, once",
    async (environment) => {
      const harness = await createHarness();
      const key = await harness.key(["manage"], environment);
      const created = await harness.ask("POST /api/v1/connections", { key, body });
      const token = new RegExp(`^run_${environment}_[\\w-]{43}$`);
      expect(created).toMatchObject({ status: 201, body });
      expect(created.body["tokens"]).toEqual({ [environment]: expect.stringMatching(token) });
      expect(created.body).not.toHaveProperty("environment");
      const tokens = Object.values(created.body["tokens"] ?? {}).map(textOf);
      const id = textOf(created.body["id"]);
      for (const target of [`GET /api/v1/connections/${id}`, "GET /api/v1/connections"]) {
        const { status, text } = await harness.ask(target, { key });
        expect(status).toBe(200);
        expect(text).toContain('"office"');
        for (const token of tokens) expect(text).not.toContain(token);
      }
    },
  );

  test("gets its other token by a key of that environment, and is disconnected there until a client polls", async () => {
    const harness = await createHarness();
    const created = await harness.ask("POST /api/v1/connections", { key: await harness.key(), body });
    const path = `/api/v1/connections/${textOf(created.body["id"])}/private-connection`;
    const key = await harness.key(["manage"], "live");
    const status = async () => (await harness.ask(`GET ${path}/status`, { key })).body;
    expect(await status()).toEqual({ status: "disconnected", registeredFunctions: [] });
    const first = await harness.ask(`POST ${path}/tokens/live`, { key });
    expect(first).toMatchObject({ status: 200, body: { token: expect.stringMatching(/^run_live_/) } });
    const functions = { functions: [asJson(screen)] };
    const register = await harness.ask("PUT /v1/sdk/functions", { key: textOf(first.body["token"]), body: functions });
    expect(register.status).toBe(200);
    expect(await status()).toEqual({ status: "disconnected", registeredFunctions: ["screen"] });
  });

  test("names the environments in which it has a token, and is used by procedures of these only", async () => {
    const harness = await createHarness();
    const keys = { sandbox: await harness.key(), live: await harness.key(["manage"], "live") };
    const created = await harness.ask("POST /api/v1/connections", { key: keys.sandbox, body });
    expect(created.body["tokenEnvironments"]).toEqual(["sandbox"]);
    const calling = {
      schemaVersion: 1,
      procedureId: "screening",
      name: "Screening",
      input: { type: "object" },
      nodes: [
        { id: "start", kind: "start" },
        { id: "screen", kind: "tool_call", connection: "office", action: "screen", arguments: {} },
        { id: "end", kind: "end" },
      ],
      edges: [
        { from: "start", to: "screen" },
        { from: "screen", to: "end" },
      ],
    };
    const draft = { procedureId: "screening", document: calling, revision: 0, by: { person: "olga" } };
    await harness.engine.procedures.saveDraft(draft);
    const usesIn = async (environment: "sandbox" | "live") => {
      const { body } = await harness.ask("GET /api/v1/connections?include=uses", { key: keys[environment] });
      const listed = body["data"] as readonly { readonly name: string; readonly uses: number }[];
      return listed.find(({ name }) => name === "office")?.uses;
    };
    expect(await usesIn("sandbox")).toBe(1);
    expect(await usesIn("live")).toBe(0);
    const path = `/api/v1/connections/${textOf(created.body["id"])}`;
    await harness.ask(`POST ${path}/private-connection/tokens/live`, { key: keys.live });
    expect((await harness.ask(`GET ${path}`, { key: keys.live })).body["tokenEnvironments"]).toEqual([
      "sandbox",
      "live",
    ]);
    expect(await usesIn("live")).toBe(1);
  });

  test("lists the clients of one environment with their functions", async () => {
    const harness = await createHarness();
    const office = await createOffice(harness);
    const path = `/api/v1/connections/${office.connectionId}/private-connection/clients`;
    const key = await harness.key([]);
    expect((await harness.ask(`GET ${path}`, { key })).body).toEqual({ sdkUrl: origin, data: [] });
    await office.call();
    await office.take();
    await until(async () => ((await harness.ask(`GET ${path}`, { key })).body["data"] as unknown[]).length > 0);
    expect((await harness.ask(`GET ${path}`, { key })).body).toEqual({
      sdkUrl: origin,
      data: [{ clientId: "", lastPollAt: expect.any(String), functions: ["screen"] }],
    });
    expect((await harness.ask(`GET ${path}`, { key: await harness.key([], "live") })).body).toEqual({
      sdkUrl: origin,
      data: [],
    });
  });

  test("is found by keys of either environment", async () => {
    const harness = await createHarness();
    const { connectionId } = await createOffice(harness);
    for (const environment of ["sandbox", "live"] as const) {
      const key = await harness.key([], environment);
      expect((await harness.ask(`GET /api/v1/connections/${connectionId}`, { key })).status).toBe(200);
    }
  });

  test.each([
    [400, { ...body, environment: "sandbox" }],
    [422, { ...body, settings: { url: "https://example.com" } }],
    [422, { ...body, secrets: { token: "x" } }],
  ])("is refused with anything but a name: %d", async (status, wrong) => {
    const harness = await createHarness();
    expect((await harness.ask("POST /api/v1/connections", { key: await harness.key(), body: wrong })).status).toBe(
      status,
    );
  });

  test("needs a name that is free in its environment", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    const taken = await harness.ask("POST /api/v1/connections", { key, body: { ...body, name: "desk" } });
    expect(taken).toMatchObject({ status: 409, body: { code: "name_taken" } });
  });

  test("counts as connected once a client has polled, in that environment", async () => {
    const harness = await createHarness();
    const { connectionId, poll } = await createOffice(harness);
    const statusOf = async (environment: "sandbox" | "live") =>
      (
        await harness.ask(
          `GET /api/v1/connections/${connectionId}/private-connection/status?environment=${environment}`,
          {
            key: await harness.key([], environment),
          },
        )
      ).body;
    expect(await statusOf("sandbox")).toEqual({ status: "disconnected", registeredFunctions: [] });
    const gone = new AbortController();
    const polling = poll({ signal: gone.signal });
    while ((await statusOf("sandbox"))["status"] !== "connected") await new Promise((resolve) => setImmediate(resolve));
    gone.abort();
    await polling;
    expect(await statusOf("sandbox")).toEqual({
      status: "connected",
      lastPollAt: expect.stringMatching(/^\d{4}-.*Z$/),
      registeredFunctions: ["screen"],
    });
    expect(await statusOf("live")).toEqual({ status: "disconnected", registeredFunctions: [] });
  });

  test("lists its functions as actions", async () => {
    const harness = await createHarness();
    const { connectionId, register } = await createOffice(harness);
    await register();
    const actions = await harness.ask(`GET /api/v1/connections/${connectionId}/actions`, {
      key: await harness.key([]),
    });
    expect(actions.body["data"]).toMatchObject([{ name: "screen", effect: "once", input: { type: "object" } }]);
  });

  test("has a status and tokens; other connections have none", async () => {
    const harness = await createHarness();
    const { connectionId } = await harness.engine.connections.create({
      name: "ledger",
      integration: "custom_api",
      environment: "sandbox",
      settings: { spec: { text: documentText() } },
      by: { person: "olga" },
    });
    const path = `/api/v1/connections/${connectionId}/private-connection`;
    const key = await harness.key();
    for (const target of [`GET ${path}/status`, `POST ${path}/tokens/sandbox`]) {
      expect(await harness.ask(target, { key })).toMatchObject({ status: 404, body: { code: "connection_not_found" } });
    }
  });

  test("gets a new token by one request, and the earlier one is invalid", async () => {
    const harness = await createHarness();
    const office = await createOffice(harness);
    const path = `/api/v1/connections/${office.connectionId}/private-connection/tokens`;
    const regenerated = await harness.ask(`POST ${path}/sandbox`, { key: await harness.key() });
    expect(regenerated).toMatchObject({
      status: 200,
      body: { environment: "sandbox", token: expect.stringMatching(/^run_sandbox_/) },
    });
    expect((await office.poll()).status).toBe(401);
    expect(await office.register({ token: textOf(regenerated.body["token"]) })).not.toBe("");
    expect(await office.register({ environment: "live" })).not.toBe("");
  });
});
