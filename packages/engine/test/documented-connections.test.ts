import { describe, expect, test } from "vitest";
import { alice } from "./harness.ts";
import { createConnectionHarness, payments, token, type ConnectionHarness } from "./connection-harness.ts";
import { documentText } from "./listed-api.ts";

const sandbox = { environment: "sandbox" } as const;

const namesOf = async (harness: ConnectionHarness, connectionId: string, request: object = {}) => {
  const { items, nextCursor } = await harness.engine.connections.actions({
    ...sandbox,
    connectionId,
    limit: 10,
    ...request,
  });
  return { names: items.map(({ name }) => name), nextCursor };
};

describe("a connection with a document", () => {
  test("is created with the settings and the document that its integration prepared, and never shows a secret", async () => {
    const harness = await createConnectionHarness();
    const created = await harness.connect();
    expect(created).toMatchObject({
      name: "bills",
      integration: "listed",
      settings: { baseUrl: harness.api.url, spec: { server: harness.api.url } },
      secretNames: ["token"],
      health: { status: "unknown" },
      problems: [],
    });
    const { problems: _problems, ...shown } = created;
    expect(await harness.engine.connections.get(created)).toEqual(shown);
    expect((await harness.engine.connections.list({ ...sandbox, limit: 10 })).items).toEqual([shown]);
    expect(JSON.stringify(created)).not.toContain(token);
    expect(harness.api.requests).toEqual([]);
  });

  test("returns its document unchanged", async () => {
    const harness = await createConnectionHarness();
    const text = documentText({ server: harness.api.url, actions: payments });
    expect(await harness.engine.connections.document(await harness.connect())).toBe(text);
    const plain = await harness.engine.connections.create({ name: "b", integration: "bank", ...sandbox, by: alice });
    const { connectionId } = plain;
    expect(await harness.engine.connections.document({ ...sandbox, connectionId })).toBeUndefined();
  });

  test("is refused with every problem of its document, by position", async () => {
    const harness = await createConnectionHarness();
    const creating = harness.connect({ settings: { spec: { text: "{}" } } });
    await expect(creating).rejects.toMatchObject({
      code: "invalid_document",
      status: 422,
      details: [{ path: "/actions", message: "is no list (line 1, column 2)" }],
    });
    expect((await harness.engine.connections.list({ ...sandbox, limit: 10 })).items).toEqual([]);
  });

  test("is refused with every invalid setting and secret", async () => {
    const harness = await createConnectionHarness();
    const creating = harness.connect({ settings: { spec: { text: "{}" }, colour: "red" }, secrets: {} });
    await expect(creating).rejects.toMatchObject({
      code: "invalid_input",
      details: [{ path: "/settings/colour" }, { path: "/secrets/token" }],
    });
  });

  test("lists the omitted parts of its document", async () => {
    const harness = await createConnectionHarness();
    const text = documentText({ server: harness.api.url, actions: [] });
    expect((await harness.connect({ settings: { spec: { text } } })).problems).toMatchObject([{ severity: "warning" }]);
  });

  test("has its document fetched once, from its address", async () => {
    const harness = await createConnectionHarness();
    harness.api.answer(200, documentText({ server: harness.api.url, actions: payments }));
    const created = await harness.connect({ settings: { spec: { url: `${harness.api.url}/openapi.json` } } });
    expect(harness.api.requests.map(({ path }) => path)).toEqual(["/openapi.json"]);
    expect((await namesOf(harness, created.connectionId)).names).toEqual(["pay", "look"]);
    expect(harness.api.requests).toHaveLength(1);
  });

  test("is refused if its document's server does not answer", async () => {
    const harness = await createConnectionHarness();
    const creating = harness.connect({ settings: { spec: { url: "http://127.0.0.77:8099/openapi.json" } } });
    await expect(creating).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("could not be fetched") as string,
      details: [{ path: "/settings/spec/url" }],
    });
  });

  test("lists its actions page by page in the document's order, or those that contain the search words", async () => {
    const harness = await createConnectionHarness();
    const { connectionId } = await harness.connect();
    const first = await namesOf(harness, connectionId, { limit: 1 });
    expect(first.names).toEqual(["pay"]);
    const second = await namesOf(harness, connectionId, { limit: 1, cursor: first.nextCursor });
    expect(second).toEqual({ names: ["look"], nextCursor: undefined });
    expect((await namesOf(harness, connectionId, { search: "DOES lo" })).names).toEqual(["look"]);
    expect((await namesOf(harness, connectionId, { search: "nothing" })).names).toEqual([]);
    const other = namesOf(harness, connectionId, { search: "pay", cursor: first.nextCursor });
    await expect(other).rejects.toMatchObject({ code: "invalid_cursor" });
  });

  test("ends a page of actions early if their schemas are large, but not before the first", async () => {
    const harness = await createConnectionHarness();
    const input = { description: "x".repeat(3 * 1024 * 1024) };
    const actions = ["a", "b", "c"].map((name) => ({ name, at: `POST /${name}`, input }));
    const text = documentText({ server: harness.api.url, actions });
    const { connectionId } = await harness.connect({ settings: { spec: { text } } });
    expect((await namesOf(harness, connectionId)).names).toEqual(["a"]);
  });

  test("can be previewed without saving anything", async () => {
    const harness = await createConnectionHarness();
    const text = documentText({ server: "https://ledger.test", actions: payments });
    const request = { integration: "listed", ...sandbox, by: alice };
    const preview = await harness.engine.connections.preview({ ...request, settings: { spec: { text } } });
    expect(preview).toMatchObject({ baseUrl: "https://ledger.test", actionCount: 2, problems: [] });
    expect(preview.actions.map(({ name }) => name)).toEqual(["pay", "look"]);
    const refused = await harness.engine.connections.preview({ ...request, settings: { spec: { text: "{}" } } });
    expect(refused).toMatchObject({ actionCount: 0, actions: [], problems: [{ path: "/actions", line: 1 }] });
    const rows = await harness.storage.records.list({ workspace: "default", kind: "connection_document", limit: 10 });
    expect(rows.items).toEqual([]);
  });

  test("has its document read once, despite other changes", async () => {
    const harness = await createConnectionHarness();
    const { connectionId } = await harness.connect();
    const { reads } = harness.listed;
    const before = reads();
    await harness.call();
    for (const name of ["a", "b", "c"]) {
      await harness.engine.connections.create({ name, integration: "bank", ...sandbox, by: alice });
      await harness.run();
    }
    await namesOf(harness, connectionId);
    expect(reads()).toBe(before);
  });

  test("is removed with its document", async () => {
    const harness = await createConnectionHarness();
    const { connectionId } = await harness.connect();
    await harness.engine.connections.remove({ ...sandbox, connectionId, by: alice });
    const rows = await harness.storage.records.list({ workspace: "default", kind: "connection_document", limit: 10 });
    expect(rows.items).toEqual([]);
    await expect(harness.engine.connections.get({ ...sandbox, connectionId })).rejects.toMatchObject({
      code: "connection_not_found",
    });
  });

  test("with a name in use leaves no document behind", async () => {
    const harness = await createConnectionHarness();
    await harness.connect();
    await expect(harness.connect()).rejects.toMatchObject({ code: "name_taken" });
    const rows = await harness.storage.records.list({ workspace: "default", kind: "connection_document", limit: 10 });
    expect(rows.items).toHaveLength(1);
  });

  test("of one environment is missing in the other", async () => {
    const harness = await createConnectionHarness();
    const { connectionId } = await harness.connect();
    const live = { environment: "live", connectionId } as const;
    const { connections } = harness.engine;
    const missing = { code: "connection_not_found" };
    await expect(connections.get(live)).rejects.toMatchObject(missing);
    await expect(connections.document(live)).rejects.toMatchObject(missing);
    await expect(connections.usedBy(live)).rejects.toMatchObject(missing);
    await expect(connections.actions({ ...live, limit: 1 })).rejects.toMatchObject(missing);
    await expect(connections.update({ ...live, name: "x", by: alice })).rejects.toMatchObject(missing);
    await expect(connections.test({ ...live, by: alice })).rejects.toMatchObject(missing);
  });
});

describe("a change of a connection", () => {
  test("affects only the named settings and secrets; null removes one", async () => {
    const harness = await createConnectionHarness();
    const { connectionId } = await harness.connect({ secrets: { token, spare: "old" } });
    const other = { baseUrl: `${harness.api.url}/v2` };
    const changed = await harness.engine.connections.update({
      ...sandbox,
      connectionId,
      settings: other,
      secrets: { spare: null },
      by: alice,
    });
    expect(changed).toMatchObject({ settings: other, secretNames: ["token"] });
    await harness.call();
    expect(harness.api.requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ["/v2/payments", `Bearer ${token}`],
    ]);
    await harness.engine.connections.update({ ...sandbox, connectionId, settings: { baseUrl: null }, by: alice });
    expect((await harness.engine.connections.get({ ...sandbox, connectionId })).settings).toMatchObject({
      baseUrl: harness.api.url,
    });
  });

  test("to another secret applies to later calls", async () => {
    const harness = await createConnectionHarness();
    const { connectionId } = await harness.connect();
    await harness.engine.connections.update({ ...sandbox, connectionId, secrets: { token: "tok-2222" }, by: alice });
    await harness.call();
    expect(harness.api.requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer tok-2222"]);
  });

  test("reports the changes of its actions", async () => {
    const harness = await createConnectionHarness();
    const { connectionId } = await harness.connect();
    const actions = [
      { name: "pay_now", at: "POST /payments" },
      { name: "refund", at: "POST /refunds" },
    ];
    const spec = { text: documentText({ server: harness.api.url, actions }) };
    const changed = await harness.engine.connections.update({
      ...sandbox,
      connectionId,
      settings: { spec },
      by: alice,
    });
    expect(changed.changes).toEqual({
      added: ["refund"],
      changed: [],
      deprecated: [],
      renamed: [{ from: "pay", to: "pay_now" }],
      removed: ["look"],
      usedBy: [],
    });
    expect((await namesOf(harness, connectionId)).names).toEqual(["pay_now", "refund"]);
  });

  test("is previewed: the same changes are told, and nothing is saved", async () => {
    const harness = await createConnectionHarness();
    const { connectionId } = await harness.connect();
    const before = await harness.engine.connections.get({ ...sandbox, connectionId });
    const spec = {
      text: documentText({ server: harness.api.url, actions: [{ name: "pay_now", at: "POST /payments" }] }),
    };
    const change = { ...sandbox, connectionId, settings: { spec }, by: alice };
    const preview = await harness.engine.connections.previewChange(change);
    expect(preview.unconfirmedBaseUrl).toBeUndefined();
    expect(preview.changes).toMatchObject({ renamed: [{ from: "pay", to: "pay_now" }], removed: ["look"] });
    expect(await harness.engine.connections.get({ ...sandbox, connectionId })).toEqual(before);
    expect((await namesOf(harness, connectionId)).names).toContain("look");
    const saved = await harness.engine.connections.update(change);
    expect(saved.changes).toEqual(preview.changes);
  });

  test("is previewed with the address that it would have to confirm", async () => {
    const harness = await createConnectionHarness();
    const { connectionId } = await harness.connect();
    const spec = { text: documentText({ server: "http://127.0.0.78:8099", actions: [] }) };
    const change = { ...sandbox, connectionId, settings: { spec }, by: alice };
    const { unconfirmedBaseUrl } = await harness.engine.connections.previewChange(change);
    expect(unconfirmedBaseUrl).toBe("http://127.0.0.78:8099");
  });

  test("concurrent with another one does not undo it", async () => {
    const harness = await createConnectionHarness();
    const { connectionId } = await harness.connect();
    const { update } = harness.engine.connections;
    const place = { ...sandbox, connectionId, by: alice };
    await Promise.all([update({ ...place, name: "other" }), update({ ...place, secrets: { spare: "x" } })]);
    expect(await harness.engine.connections.get(place)).toMatchObject({
      name: "other",
      secretNames: ["token", "spare"],
    });
  });

  test("without a named field, or with an invalid value, is refused", async () => {
    const harness = await createConnectionHarness();
    const { connectionId, ...created } = await harness.connect();
    const place = { ...sandbox, connectionId, by: alice };
    const { update } = harness.engine.connections;
    await update(place);
    await expect(update({ ...place, settings: { spec: { text: "{}" } } })).rejects.toMatchObject({
      code: "invalid_document",
    });
    await expect(update({ ...place, secrets: { token: null } })).rejects.toMatchObject({ code: "invalid_input" });
    await expect(update({ ...place, name: "" })).rejects.toMatchObject({ code: "invalid_input" });
    await expect(update({ ...place, name: "x", by: { person: "eve", permissions: ["run"] } })).rejects.toMatchObject({
      code: "permission_denied",
    });
    const { problems: _problems, ...shown } = created;
    expect(await harness.engine.connections.get(place)).toEqual({ connectionId, ...shown });
    const changes = await harness.storage.audit.list({ workspace: "default", afterSeq: 0, limit: 100 });
    expect(changes.map(({ body }) => (JSON.parse(body) as { action: string }).action)).toEqual(["connection.created"]);
  });

  test("is recorded in the audit chain without a secret", async () => {
    const harness = await createConnectionHarness();
    const { connectionId } = await harness.connect();
    const place = { ...sandbox, connectionId, by: alice };
    await harness.engine.connections.update({ ...place, name: "b", secrets: { token: "tok-2222" } });
    const [, change] = await harness.storage.audit.list({ workspace: "default", afterSeq: 0, limit: 100 });
    expect(JSON.parse(change?.body ?? "")).toMatchObject({
      action: "connection.updated",
      by: "alice",
      subject: `sandbox/${connectionId}`,
      details: { changed: ["name", "secrets"], name: "b" },
    });
    expect(change?.body).not.toContain("tok-2222");
  });

  test("twenty former documents are kept, and no more", async () => {
    const harness = await createConnectionHarness();
    const { connectionId } = await harness.connect();
    for (let n = 0; n < 23; n++) {
      const actions = [{ name: "pay", at: `POST /payments/${n}` }];
      const spec = { text: documentText({ server: harness.api.url, actions }) };
      await harness.engine.connections.update({ ...sandbox, connectionId, settings: { spec }, by: alice });
    }
    const rows = await harness.storage.records.list({ workspace: "default", kind: "connection_document", limit: 100 });
    expect(rows.items).toHaveLength(21);
  });
});
