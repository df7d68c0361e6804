import { manualClock, type ManualClock } from "@procedo-testing/faults";
import { maxConnectionRequestBytes, maxRequestBytes } from "@procedo/contract";
import { defineProcedure, z, type DocumentedIntegration } from "@procedo/engine";
import { createMemoryStorage } from "@procedo/storage";
import { describe, expect, test } from "vitest";
import { createHarness, textOf, type Harness } from "./harness.ts";
import { documentText, listedApi } from "./listed-api.ts";

const ledger = (changes: object = {}) => ({
  name: "ledger",
  integration: "custom_api",
  environment: "sandbox",
  settings: { spec: { text: documentText() } },
  secrets: { token: "tok-5f0c3c1e" },
  ...changes,
});

async function connected(harness: Harness, key: string): Promise<string> {
  const { status, body } = await harness.ask("POST /api/v1/connections", { key, body: ledger() });
  expect(status).toBe(201);
  return textOf(body["id"]);
}

/** A procedure of one call through the connection. */
const paying = defineProcedure({
  procedureId: "paying",
  name: "Paying",
  input: z.looseObject({}),
  nodes: {
    start: { kind: "start", next: "pay" },
    pay: { kind: "tool_call", connection: "ledger", action: "pay", arguments: {}, next: "done" },
    done: { kind: "end", output: {} },
  },
});

/** Takes a minute to read a document. */
function slowlyRead(clock: ManualClock) {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const integration: DocumentedIntegration = {
    ...listedApi,
    actions: async (connection) => {
      begin();
      await new Promise<void>((resolve) => void clock.after(60_000, resolve));
      return await listedApi.actions(connection);
    },
  };
  return { begun, integration };
}

describe("connections", () => {
  test("are created, shown and listed without their secrets", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    const created = await harness.ask("POST /api/v1/connections", { key, body: ledger() });
    expect(created).toMatchObject({
      status: 201,
      body: {
        name: "ledger",
        integration: "custom_api",
        environment: "sandbox",
        settings: { baseUrl: "http://127.0.0.77:8099", spec: { title: "Ledger" } },
        secretNames: ["token"],
        health: { status: "unknown" },
        createdBy: "olga@procedo.test",
        usedBy: [],
      },
    });
    const id = textOf(created.body["id"]);
    const shown = await harness.ask(`GET /api/v1/connections/${id}`, { key });
    expect(shown.body).toEqual(created.body);
    const listed = await harness.ask("GET /api/v1/connections", { key });
    expect((listed.body["data"] as { name: string }[]).map(({ name }) => name)).toEqual(["desk", "ledger"]);
    for (const { text } of [created, shown, listed]) expect(text).not.toContain("tok-5f0c3c1e");
  });

  test("show when their name, settings or secrets were last changed", async () => {
    const clock = manualClock();
    const harness = await createHarness({ clock });
    const key = await harness.key();
    const id = await connected(harness, key);
    const createdAt = new Date(clock.now()).toISOString();
    expect((await harness.ask(`GET /api/v1/connections/${id}`, { key })).body).toMatchObject({
      createdAt,
      updatedAt: createdAt,
    });
    await clock.advance(1_000);
    await harness.ask(`PATCH /api/v1/connections/${id}`, { key, body: { secrets: { token: "another" } } });
    const updatedAt = new Date(clock.now()).toISOString();
    const shown = await harness.ask(`GET /api/v1/connections/${id}`, { key });
    expect(shown.body).toMatchObject({ createdBy: "olga@procedo.test", createdAt, updatedAt });
  });

  test("can be created for each of the listed integrations, with the fields that each one lists", async () => {
    const harness = await createHarness();
    const { body } = await harness.ask("GET /api/v1/integrations", { key: await harness.key([]) });
    expect(body["data"]).toMatchObject([
      { id: "custom_api", kind: "documented", needsConnection: true, secrets: [{ name: "token", isRequired: false }] },
      { id: "desk", title: "desk", kind: "coded", needsConnection: false, settings: { type: "object" }, secrets: [] },
      { id: "private_connection", kind: "private", needsConnection: true, secrets: [], authentication: [] },
      { id: "unreached_oauth", kind: "coded", needsConnection: true, secrets: [], oauth: true },
    ]);
  });

  test("list one action by its name, and the actions of all connections without schemas", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    const id = await connected(harness, key);
    const one = await harness.ask(`GET /api/v1/connections/${id}/actions/pay`, { key });
    const { body: listed } = await harness.ask(`GET /api/v1/connections/${id}/actions?search=pay`, { key });
    expect([one.status, one.body]).toEqual([200, (listed["data"] as unknown[])[0]]);
    expect(await harness.ask(`GET /api/v1/connections/${id}/actions/none`, { key })).toMatchObject({
      status: 404,
      body: { code: "not_found", error: 'Connection "ledger" has no action "none".' },
    });
    const all = await harness.ask("GET /api/v1/actions?search=pay", { key });
    expect(all.body["data"]).toEqual([
      { connection: "ledger", integration: "custom_api", name: "pay", description: "Does pay.", effect: "once" },
    ]);
  });

  test("return the document on request, exactly as it was sent", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    const id = await connected(harness, key);
    const withText = await harness.ask(`GET /api/v1/connections/${id}?include=spec`, { key });
    expect(withText.body["spec"]).toBe(documentText());
    expect((await harness.ask(`GET /api/v1/connections/${id}`, { key })).body).not.toHaveProperty("spec");
  });

  test("are refused with every problem of the document, each at its position", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    const body = ledger({ settings: { spec: { text: "openapi: 3.1.0" } } });
    expect(await harness.ask("POST /api/v1/connections", { key, body })).toMatchObject({
      status: 422,
      body: { code: "invalid_document", details: [{ path: "/actions", message: "is no list (line 1, column 1)" }] },
    });
  });

  test("are refused with every invalid setting and secret", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    const body = ledger({ settings: { spec: { text: "x" }, colour: 1 }, secrets: { pin: "1" } });
    expect(await harness.ask("POST /api/v1/connections", { key, body })).toMatchObject({
      status: 422,
      body: { code: "invalid_input", details: [{ path: "/settings/colour" }, { path: "/secrets/pin" }] },
    });
    const unknown = await harness.ask("POST /api/v1/connections", { key, body: ledger({ integration: "x" }) });
    expect(unknown).toMatchObject({ status: 422, body: { details: [{ path: "/integration" }] } });
    const taken = await harness.ask("POST /api/v1/connections", { key, body: ledger({ name: "desk" }) });
    expect(taken).toMatchObject({ status: 409, body: { code: "name_taken" } });
  });

  test.each(["http://10.0.0.1/", "http://169.254.169.254/latest", "http://[::1]/", "http://nowhere.invalid/"])(
    "are refused if they would lead to %s, at any address",
    async (url) => {
      const harness = await createHarness();
      const key = await harness.key();
      const refused = { status: 422, body: { code: "destination_not_allowed" } };
      const byDocument = ledger({ settings: { spec: { text: documentText({ server: url }) } } });
      expect(await harness.ask("POST /api/v1/connections", { key, body: byDocument })).toMatchObject(refused);
      const byName = ledger({ settings: { spec: { text: documentText() }, baseUrl: url } });
      expect(await harness.ask("POST /api/v1/connections", { key, body: byName })).toMatchObject(refused);
      const id = await connected(harness, key);
      const change = { settings: { baseUrl: url } };
      expect(await harness.ask(`PATCH /api/v1/connections/${id}`, { key, body: change })).toMatchObject(refused);
    },
  );

  test("are refused if their document is at a forbidden or unreachable address", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    const asked = async (url: string) => {
      const spec = { url };
      const saved = await harness.ask("POST /api/v1/connections", { key, body: ledger({ settings: { spec } }) });
      const looked = await harness.ask("POST /api/v1/connections/preview", { key, body: { spec } });
      const places = [saved, looked].map(({ body }) => (body["details"] as { path: string }[] | undefined)?.[0]?.path);
      if (saved.body["code"] === "invalid_input") expect(places).toEqual(["/settings/spec/url", "/spec/url"]);
      return [saved, looked].map(({ status, body }) => [status, body["code"]]);
    };
    const inside = [422, "destination_not_allowed"];
    expect(await asked("http://10.0.0.1/openapi.json")).toEqual([inside, inside]);
    const silent = [422, "invalid_input"];
    expect(await asked("http://127.0.0.77:8099/openapi.json")).toEqual([silent, silent]);
  });

  test("show the operations of a document before anything is saved", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    const preview = (text: string) =>
      harness.ask("POST /api/v1/connections/preview", { key, body: { spec: { text } } });
    expect((await preview(documentText())).body).toMatchObject({
      title: "Ledger",
      version: "1",
      baseUrl: "http://127.0.0.77:8099",
      actionCount: 2,
      actions: [
        { name: "pay", effect: "once", operation: { method: "POST", path: "/pay" } },
        { name: "look", deprecated: true },
      ],
      problems: [],
    });
    expect(await preview("<html>")).toMatchObject({
      status: 200,
      body: { actionCount: 0, actions: [], problems: [{ severity: "error", path: "/actions", line: 1, column: 1 }] },
    });
  });

  test("tell the consequences of a change before it is made", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    const id = await connected(harness, key);
    const by = { person: "olga" };
    await harness.engine.procedures.publish({ document: paying, version: "v1", defaultIn: ["sandbox"], by });
    const body = { settings: { spec: { text: documentText({ actions: ["look"] }) } } };
    const preview = await harness.ask(`POST /api/v1/connections/${id}/preview`, { key, body });
    expect(preview).toMatchObject({
      status: 200,
      body: { changes: { removed: ["pay"], usedBy: [{ procedureId: "paying", version: "v1", nodeIds: ["pay"] }] } },
    });
    const saved = await harness.ask(`PATCH /api/v1/connections/${id}`, { key, body });
    expect(saved.body["changes"]).toEqual(preview.body["changes"]);
    const refused = { settings: { spec: { text: "<html>" } } };
    expect(await harness.ask(`POST /api/v1/connections/${id}/preview`, { key, body: refused })).toMatchObject({
      status: 422,
      body: { code: "invalid_document" },
    });
  });

  test("are listed with the number of procedures that call them, where that is asked for", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    await connected(harness, key);
    await harness.ask("POST /api/v1/connections", { key, body: ledger({ name: "unused" }) });
    const by = { person: "olga" };
    await harness.engine.procedures.publish({ document: paying, version: "v1", defaultIn: ["sandbox"], by });
    await harness.engine.procedures.saveDraft({ procedureId: "paying", document: paying, revision: 0, by });
    const drafted = { ...paying, procedureId: "drafted" };
    await harness.engine.procedures.saveDraft({ procedureId: "drafted", document: drafted, revision: 0, by });
    const usesOf = async (query: string) => {
      const { body } = await harness.ask(`GET /api/v1/connections${query}`, { key });
      const listed = body["data"] as readonly { readonly name: string; readonly uses?: number }[];
      return Object.fromEntries(listed.map(({ name, uses }) => [name, uses]));
    };
    expect(await usesOf("?include=uses")).toMatchObject({ ledger: 2, unused: 0 });
    expect(await usesOf("")).toMatchObject({ ledger: undefined, unused: undefined });
  });

  test("report the changes of their actions, and the affected procedures", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    const id = await connected(harness, key);
    const by = { person: "olga" };
    await harness.engine.procedures.publish({ document: paying, version: "v1", defaultIn: ["sandbox"], by });
    const settings = { spec: { text: documentText({ actions: ["look", "refund"] }) } };
    const changed = await harness.ask(`PATCH /api/v1/connections/${id}`, { key, body: { settings } });
    const usedBy = [{ procedureId: "paying", version: "v1", nodeIds: ["pay"] }];
    expect(changed).toMatchObject({
      status: 200,
      body: { usedBy, changes: { added: ["refund"], removed: ["pay"], renamed: [], usedBy } },
    });
    const validated = await harness.ask("POST /api/v1/procedures/paying/validate", { key, body: { document: paying } });
    expect(validated.body).toMatchObject({ problems: [{ code: "unknown_action", path: "/nodes/1/action" }] });
  });

  test("with a document that takes a minute to read can be checked, published and made the default", async () => {
    const clock = manualClock();
    const storage = createMemoryStorage({ now: clock.now });
    const first = await createHarness({ clock, storage });
    await connected(first, await first.key());
    await first.stop();
    const works = [
      ["PUT /api/v1/procedures/paying/draft", { document: paying, revision: 0 }, 200],
      ["POST /api/v1/procedures/paying/validate", { document: paying }, 200],
      ["POST /api/v1/procedures/paying/versions", { document: paying, version: "v1" }, 201],
      ["PUT /api/v1/procedures/paying/defaults/sandbox", { version: "v1" }, 200],
    ] as const;
    for (const [target, body, status] of works) {
      // Nothing was read yet.
      const slow = slowlyRead(clock);
      const harness = await createHarness({ clock, storage, documented: slow.integration });
      const key = await harness.key();
      const answering = harness.ask(target, { key, body });
      await slow.begun;
      await clock.advance(60_000);
      expect((await answering).status).toBe(status);
      await harness.stop();
    }
  });

  test("that are used by default versions are neither renamed nor deleted, unless it is forced", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    const id = await connected(harness, key);
    const by = { person: "olga" };
    await harness.engine.procedures.publish({ document: paying, version: "v1", defaultIn: ["sandbox"], by });
    const inUse = { status: 409, body: { code: "connection_in_use", details: [{ path: "" }] } };
    const path = `/api/v1/connections/${id}`;
    expect(await harness.ask(`PATCH ${path}`, { key, body: { name: "other" } })).toMatchObject(inUse);
    expect(await harness.ask(`DELETE ${path}`, { key })).toMatchObject(inUse);
    expect((await harness.ask(`PATCH ${path}?force=true`, { key, body: { name: "other" } })).body["name"]).toBe(
      "other",
    );
    expect((await harness.ask(`PATCH ${path}`, { key, body: { name: "ledger" } })).status).toBe(200);
    expect((await harness.ask(`DELETE ${path}?force=true`, { key })).body).toEqual({ success: true });
  });

  test("list the actions that contain the search words", async () => {
    const harness = await createHarness();
    const key = await harness.key([]);
    const id = await connected(harness, await harness.key());
    const names = async (query: string) => {
      const { body } = await harness.ask(`GET /api/v1/connections/${id}/actions${query}`, { key });
      return [(body["data"] as { name: string }[]).map(({ name }) => name), "nextCursor" in body];
    };
    expect(await names("")).toEqual([["pay", "look"], false]);
    expect(await names("?limit=1")).toEqual([["pay"], true]);
    expect(await names("?search=LOOK")).toEqual([["look"], false]);
  });

  test("can be tested, and keep the result of the last call", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    const id = await connected(harness, key);
    expect((await harness.ask(`POST /api/v1/connections/${id}/test`, { key })).body).toEqual({ ok: true });
    await harness.ask(`PATCH /api/v1/connections/${id}`, { key, body: { secrets: { token: "bad" } } });
    const failed = await harness.ask(`POST /api/v1/connections/${id}/test`, { key });
    expect(failed.body).toEqual({ ok: false, error: "It answers 401." });
    expect((await harness.ask(`GET /api/v1/connections/${id}`, { key })).body["health"]).toMatchObject({
      status: "failing",
      message: "It answers 401.",
    });
  });

  test("of one environment are neither in the other's list nor after a cursor of it", async () => {
    const harness = await createHarness();
    const sandbox = await harness.key();
    await connected(harness, sandbox);
    const live = await harness.key([], "live");
    const { body } = await harness.ask("GET /api/v1/connections", { key: live });
    expect((body["data"] as { name: string; environment: string }[]).map(({ environment }) => environment)).toEqual([
      "live",
    ]);
    const page = await harness.ask("GET /api/v1/connections?limit=1", { key: sandbox });
    const cursor = textOf(page.body["nextCursor"]);
    expect(await harness.ask(`GET /api/v1/connections?limit=1&cursor=${cursor}`, { key: live })).toMatchObject({
      status: 400,
      body: { code: "invalid_cursor" },
    });
  });

  test("accept a document that is larger than any other request, up to 25 MiB", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    const pad = (length: number) =>
      ledger({ settings: { spec: { text: documentText({ title: "x".repeat(length) }) } } });
    const large = await harness.ask("POST /api/v1/connections", { key, body: pad(maxRequestBytes * 20) });
    expect(large.status).toBe(201);
    const tooLarge = await harness.ask("POST /api/v1/connections", { key, body: pad(maxConnectionRequestBytes) });
    expect(tooLarge).toMatchObject({ status: 413, body: { code: "payload_too_large" } });
    const others = await harness.ask("POST /api/v1/procedures/echo/validate", {
      key,
      body: { document: pad(maxRequestBytes) },
    });
    expect(others.status).toBe(413);
  });

  test("accept a document with many digits and levels as plain text", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    const title = `${"[".repeat(5_000)} 9007199254740993 1e400 0.1000000000000000055`;
    const spec = { text: documentText({ title }) };
    expect((await harness.ask("POST /api/v1/connections", { key, body: ledger({ settings: { spec } }) })).status).toBe(
      201,
    );
  });
});

test("record the exchanged requests in a run's steps, without secrets", async () => {
  const harness = await createHarness();
  const key = await harness.key();
  await connected(harness, key);
  await harness.engine.procedures.publish({ document: paying, version: "v1", by: { person: "olga" } });
  const runId = await harness.run("paying", key);
  await harness.ended(runId);
  const { body } = await harness.ask(`GET /api/v1/runs/${runId}?include=steps`, { key });
  const [, step] = body["steps"] as { exchanges?: unknown }[];
  expect(step?.exchanges).toEqual([
    {
      attempt: 1,
      request: {
        method: "POST",
        url: "https://ledger.test/pay",
        headers: { authorization: "[redacted]" },
        body: {},
      },
      response: { status: 200, headers: {} },
    },
  ]);
});
