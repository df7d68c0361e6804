import { describe, expect, test } from "vitest";
import { alice } from "./bench.ts";
import { createConnectionBench, payments, token, type ConnectionBench } from "./connection-bench.ts";
import { documentText } from "./listed-api.ts";

const sandbox = { environment: "sandbox" } as const;

const namesOf = async (bench: ConnectionBench, connectionId: string, request: object = {}) => {
  const { items, nextCursor } = await bench.engine.connections.actions({
    ...sandbox,
    connectionId,
    limit: 10,
    ...request,
  });
  return { names: items.map(({ name }) => name), nextCursor };
};

describe("a connection with a document", () => {
  test("is created with what its integration made of settings and document, and never shows a secret", async () => {
    const bench = await createConnectionBench();
    const created = await bench.connect();
    expect(created).toMatchObject({
      name: "bills",
      integration: "listed",
      settings: { baseUrl: bench.api.url, spec: { server: bench.api.url } },
      secretNames: ["token"],
      health: { status: "unknown" },
      problems: [],
    });
    const { problems: _problems, ...shown } = created;
    expect(await bench.engine.connections.get(created)).toEqual(shown);
    expect((await bench.engine.connections.list({ ...sandbox, limit: 10 })).items).toEqual([shown]);
    expect(JSON.stringify(created)).not.toContain(token);
    expect(bench.api.requests).toEqual([]);
  });

  test("gives its document back as it was given", async () => {
    const bench = await createConnectionBench();
    const text = documentText({ server: bench.api.url, actions: payments });
    expect(await bench.engine.connections.document(await bench.connect())).toBe(text);
    const plain = await bench.engine.connections.create({ name: "b", integration: "bank", ...sandbox, by: alice });
    const { connectionId } = plain;
    expect(await bench.engine.connections.document({ ...sandbox, connectionId })).toBeUndefined();
  });

  test("is refused with every problem of its document, by place", async () => {
    const bench = await createConnectionBench();
    const creating = bench.connect({ settings: { spec: { text: "{}" } } });
    await expect(creating).rejects.toMatchObject({
      code: "invalid_document",
      status: 422,
      details: [{ path: "/actions", message: "is no list (line 1, column 2)" }],
    });
    expect((await bench.engine.connections.list({ ...sandbox, limit: 10 })).items).toEqual([]);
  });

  test("is refused with every setting and secret that does not fit", async () => {
    const bench = await createConnectionBench();
    const creating = bench.connect({ settings: { spec: { text: "{}" }, colour: "red" }, secrets: {} });
    await expect(creating).rejects.toMatchObject({
      code: "invalid_input",
      details: [{ path: "/settings/colour" }, { path: "/secrets/token" }],
    });
  });

  test("tells what was left out of its document", async () => {
    const bench = await createConnectionBench();
    const text = documentText({ server: bench.api.url, actions: [] });
    expect((await bench.connect({ settings: { spec: { text } } })).problems).toMatchObject([{ severity: "warning" }]);
  });

  test("has its document fetched once, by its address", async () => {
    const bench = await createConnectionBench();
    bench.api.answer(200, documentText({ server: bench.api.url, actions: payments }));
    const created = await bench.connect({ settings: { spec: { url: `${bench.api.url}/openapi.json` } } });
    expect(bench.api.requests.map(({ path }) => path)).toEqual(["/openapi.json"]);
    expect((await namesOf(bench, created.connectionId)).names).toEqual(["pay", "look"]);
    expect(bench.api.requests).toHaveLength(1);
  });

  test("is refused when its document's server does not answer", async () => {
    const bench = await createConnectionBench();
    const creating = bench.connect({ settings: { spec: { url: "http://127.0.0.77:8099/openapi.json" } } });
    await expect(creating).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("could not be fetched") as string,
      details: [{ path: "/settings/spec/url" }],
    });
  });

  test("lists its actions page by page in the document's order, or those that hold the words", async () => {
    const bench = await createConnectionBench();
    const { connectionId } = await bench.connect();
    const first = await namesOf(bench, connectionId, { limit: 1 });
    expect(first.names).toEqual(["pay"]);
    const second = await namesOf(bench, connectionId, { limit: 1, cursor: first.nextCursor });
    expect(second).toEqual({ names: ["look"], nextCursor: undefined });
    expect((await namesOf(bench, connectionId, { search: "DOES lo" })).names).toEqual(["look"]);
    expect((await namesOf(bench, connectionId, { search: "nothing" })).names).toEqual([]);
    const other = namesOf(bench, connectionId, { search: "pay", cursor: first.nextCursor });
    await expect(other).rejects.toMatchObject({ code: "invalid_cursor" });
  });

  test("ends a page of actions early where their schemas are large, never before the first", async () => {
    const bench = await createConnectionBench();
    const input = { description: "x".repeat(3 * 1024 * 1024) };
    const actions = ["a", "b", "c"].map((name) => ({ name, at: `POST /${name}`, input }));
    const text = documentText({ server: bench.api.url, actions });
    const { connectionId } = await bench.connect({ settings: { spec: { text } } });
    expect((await namesOf(bench, connectionId)).names).toEqual(["a"]);
  });

  test("is looked at without anything being saved", async () => {
    const bench = await createConnectionBench();
    const text = documentText({ server: "https://ledger.test", actions: payments });
    const request = { integration: "listed", ...sandbox, by: alice };
    const preview = await bench.engine.connections.preview({ ...request, settings: { spec: { text } } });
    expect(preview).toMatchObject({ baseUrl: "https://ledger.test", actionCount: 2, problems: [] });
    expect(preview.actions.map(({ name }) => name)).toEqual(["pay", "look"]);
    const refused = await bench.engine.connections.preview({ ...request, settings: { spec: { text: "{}" } } });
    expect(refused).toMatchObject({ actionCount: 0, actions: [], problems: [{ path: "/actions", line: 1 }] });
    const rows = await bench.storage.records.list({ workspace: "default", kind: "connection_document", limit: 10 });
    expect(rows.items).toEqual([]);
  });

  test("is read once, however often something else is changed", async () => {
    const bench = await createConnectionBench();
    const { connectionId } = await bench.connect();
    const { reads } = bench.listed;
    const before = reads();
    await bench.call();
    for (const name of ["a", "b", "c"]) {
      await bench.engine.connections.create({ name, integration: "bank", ...sandbox, by: alice });
      await bench.run();
    }
    await namesOf(bench, connectionId);
    expect(reads()).toBe(before);
  });

  test("is removed with its document", async () => {
    const bench = await createConnectionBench();
    const { connectionId } = await bench.connect();
    await bench.engine.connections.remove({ ...sandbox, connectionId, by: alice });
    const rows = await bench.storage.records.list({ workspace: "default", kind: "connection_document", limit: 10 });
    expect(rows.items).toEqual([]);
    await expect(bench.engine.connections.get({ ...sandbox, connectionId })).rejects.toMatchObject({
      code: "connection_not_found",
    });
  });

  test("whose name is taken leaves no document behind", async () => {
    const bench = await createConnectionBench();
    await bench.connect();
    await expect(bench.connect()).rejects.toMatchObject({ code: "name_taken" });
    const rows = await bench.storage.records.list({ workspace: "default", kind: "connection_document", limit: 10 });
    expect(rows.items).toHaveLength(1);
  });

  test("of one environment is not there in the other", async () => {
    const bench = await createConnectionBench();
    const { connectionId } = await bench.connect();
    const live = { environment: "live", connectionId } as const;
    const { connections } = bench.engine;
    const missing = { code: "connection_not_found" };
    await expect(connections.get(live)).rejects.toMatchObject(missing);
    await expect(connections.document(live)).rejects.toMatchObject(missing);
    await expect(connections.usedBy(live)).rejects.toMatchObject(missing);
    await expect(connections.actions({ ...live, limit: 1 })).rejects.toMatchObject(missing);
    await expect(connections.update({ ...live, name: "x", by: alice })).rejects.toMatchObject(missing);
    await expect(connections.test({ ...live, by: alice })).rejects.toMatchObject(missing);
  });
});

describe("a connection is changed", () => {
  test("in what is named, by setting and by secret; null removes one", async () => {
    const bench = await createConnectionBench();
    const { connectionId } = await bench.connect({ secrets: { token, spare: "old" } });
    const other = { baseUrl: `${bench.api.url}/v2` };
    const changed = await bench.engine.connections.update({
      ...sandbox,
      connectionId,
      settings: other,
      secrets: { spare: null },
      by: alice,
    });
    expect(changed).toMatchObject({ settings: other, secretNames: ["token"] });
    await bench.call();
    expect(bench.api.requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ["/v2/payments", `Bearer ${token}`],
    ]);
    await bench.engine.connections.update({ ...sandbox, connectionId, settings: { baseUrl: null }, by: alice });
    expect((await bench.engine.connections.get({ ...sandbox, connectionId })).settings).toMatchObject({
      baseUrl: bench.api.url,
    });
  });

  test("to another secret, which calls carry from then on", async () => {
    const bench = await createConnectionBench();
    const { connectionId } = await bench.connect();
    await bench.engine.connections.update({ ...sandbox, connectionId, secrets: { token: "tok-2222" }, by: alice });
    await bench.call();
    expect(bench.api.requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer tok-2222"]);
  });

  test("and tells what became of its actions", async () => {
    const bench = await createConnectionBench();
    const { connectionId } = await bench.connect();
    const actions = [
      { name: "pay_now", at: "POST /payments" },
      { name: "refund", at: "POST /refunds" },
    ];
    const spec = { text: documentText({ server: bench.api.url, actions }) };
    const changed = await bench.engine.connections.update({ ...sandbox, connectionId, settings: { spec }, by: alice });
    expect(changed.changes).toEqual({
      added: ["refund"],
      changed: [],
      deprecated: [],
      renamed: [{ from: "pay", to: "pay_now" }],
      removed: ["look"],
      usedBy: [],
    });
    expect((await namesOf(bench, connectionId)).names).toEqual(["pay_now", "refund"]);
  });

  test("by two at once: what one names does not undo what the other named", async () => {
    const bench = await createConnectionBench();
    const { connectionId } = await bench.connect();
    const { update } = bench.engine.connections;
    const place = { ...sandbox, connectionId, by: alice };
    await Promise.all([update({ ...place, name: "other" }), update({ ...place, secrets: { spare: "x" } })]);
    expect(await bench.engine.connections.get(place)).toMatchObject({ name: "other", secretNames: ["token", "spare"] });
  });

  test("not at all where nothing is named, or something does not fit", async () => {
    const bench = await createConnectionBench();
    const { connectionId, ...created } = await bench.connect();
    const place = { ...sandbox, connectionId, by: alice };
    const { update } = bench.engine.connections;
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
    expect(await bench.engine.connections.get(place)).toEqual({ connectionId, ...shown });
    const changes = await bench.storage.audit.list({ workspace: "default", afterSeq: 0, limit: 100 });
    expect(changes.map(({ body }) => (JSON.parse(body) as { action: string }).action)).toEqual(["connection.created"]);
  });

  test("and the chain says what, without a secret", async () => {
    const bench = await createConnectionBench();
    const { connectionId } = await bench.connect();
    const place = { ...sandbox, connectionId, by: alice };
    await bench.engine.connections.update({ ...place, name: "b", secrets: { token: "tok-2222" } });
    const [, change] = await bench.storage.audit.list({ workspace: "default", afterSeq: 0, limit: 100 });
    expect(JSON.parse(change?.body ?? "")).toMatchObject({
      action: "connection.updated",
      by: "alice",
      subject: `sandbox/${connectionId}`,
      details: { changed: ["name", "secrets"], name: "b" },
    });
    expect(change?.body).not.toContain("tok-2222");
  });

  test("twenty former documents are kept, and no more", async () => {
    const bench = await createConnectionBench();
    const { connectionId } = await bench.connect();
    for (let n = 0; n < 23; n++) {
      const actions = [{ name: "pay", at: `POST /payments/${n}` }];
      const spec = { text: documentText({ server: bench.api.url, actions }) };
      await bench.engine.connections.update({ ...sandbox, connectionId, settings: { spec }, by: alice });
    }
    const rows = await bench.storage.records.list({ workspace: "default", kind: "connection_document", limit: 100 });
    expect(rows.items).toHaveLength(21);
  });
});
