import { describe, expect, test } from "vitest";
import { alice } from "./harness.ts";
import { calling, createPrivateHarness, declared } from "./private-harness.ts";

const minute = 60_000;
const sandbox = { environment: "sandbox" } as const;

describe("a private connection", () => {
  test("is one record for both environments, with a token for each that is shown once and stored as a hash", async () => {
    const { engine, office, storage } = await createPrivateHarness();
    const { tokens, problems: _problems, ...shown } = office;
    expect(tokens).toEqual({
      sandbox: expect.stringMatching(/^run_sandbox_[\w-]{43}$/),
      live: expect.stringMatching(/^run_live_[\w-]{43}$/),
    });
    expect(shown).toMatchObject({ environment: undefined, settings: {}, secretNames: [] });
    for (const environment of ["sandbox", "live"] as const) {
      expect(await engine.connections.get({ environment, connectionId: office.connectionId })).toEqual(shown);
      expect((await engine.connections.list({ environment, limit: 10 })).items).toEqual([shown]);
    }
    const records = await storage.records.list({ workspace: "default", kind: "connection", limit: 10 });
    const chain = await storage.audit.list({ workspace: "default", afterSeq: 0, limit: 10 });
    for (const token of Object.values(tokens ?? {})) expect(JSON.stringify([records, chain])).not.toContain(token);
  });

  test("that a session creates has a token for each environment in which its person may manage", async () => {
    const { engine } = await createPrivateHarness();
    const tokensFor = async (name: string, permissionsElsewhere: readonly ("run" | "manage")[]) => {
      const by = { person: "mara", environment: "sandbox", permissions: ["manage"], permissionsElsewhere } as const;
      return (await engine.connections.create({ name, integration: "private_connection", by })).tokens;
    };
    expect(Object.keys((await tokensFor("both", ["run", "manage"])) ?? {})).toEqual(["sandbox", "live"]);
    expect(Object.keys((await tokensFor("one", ["run"])) ?? {})).toEqual(["sandbox"]);
  });

  test("needs a name that is free in both environments, and nothing else", async () => {
    const { engine } = await createPrivateHarness();
    const integration = "private_connection";
    await engine.connections.create({ name: "taken", integration: "bank", environment: "live", by: alice });
    const creating = (more: object) => engine.connections.create({ name: "n", integration, by: alice, ...more });
    await expect(creating({ name: "taken" })).rejects.toMatchObject({ code: "name_taken" });
    await expect(creating({ name: "office" })).rejects.toMatchObject({ code: "name_taken" });
    await expect(creating({ environment: "live" })).rejects.toMatchObject({ code: "invalid_input" });
    await expect(creating({ settings: { a: 1 } })).rejects.toMatchObject({ code: "invalid_input" });
    await expect(creating({ secrets: { a: "b" } })).rejects.toMatchObject({ code: "invalid_input" });
    const bank = engine.connections.create({ name: "b", integration: "bank", by: alice });
    await expect(bank).rejects.toMatchObject({ code: "invalid_input", details: [{ path: "/environment" }] });
    const other = { name: "office", integration: "bank", environment: "live", by: alice } as const;
    await expect(engine.connections.create(other)).rejects.toMatchObject({ code: "name_taken" });
  });

  test("appears in paged lists among the connections of one environment", async () => {
    const { engine } = await createPrivateHarness();
    for (const name of ["a", "b", "c"]) {
      await engine.connections.create({ name, integration: "bank", environment: "live", by: alice });
      await engine.connections.create({ name: `of ${name}`, integration: "private_connection", by: alice });
    }
    const names: string[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await engine.connections.list({ ...sandbox, limit: 1, ...(cursor !== undefined && { cursor }) });
      expect(page.items.length).toBe(1);
      names.push(...page.items.map(({ name }) => name));
      if (page.nextCursor === undefined) break;
      cursor = page.nextCursor;
    }
    expect(names.toSorted()).toEqual(["of a", "of b", "of c", "office"]);
    const { nextCursor } = await engine.connections.list({ ...sandbox, limit: 1 });
    const live = engine.connections.list({ environment: "live", limit: 1, cursor: nextCursor ?? "" });
    await expect(live).rejects.toMatchObject({ code: "invalid_cursor" });
  });

  test("is renamed without a change of its tokens, and accepts neither settings nor secrets", async () => {
    const harness = await createPrivateHarness();
    const { connectionId } = harness.office;
    await harness.connect();
    await harness.engine.connections.update({ ...sandbox, connectionId, name: "desk", by: alice });
    await harness.connect();
    await harness.publish(calling("screen", { connection: "desk" }));
    const settings = harness.engine.connections.update({ ...sandbox, connectionId, settings: { a: 1 }, by: alice });
    await expect(settings).rejects.toMatchObject({ code: "invalid_input" });
    const renaming = { ...sandbox, connectionId, name: "door", by: alice };
    await expect(harness.engine.connections.update(renaming)).rejects.toMatchObject({ code: "connection_in_use" });
    await harness.engine.connections.update({ ...renaming, force: true });
  });

  test("leaves no data of its clients behind when it is removed", async () => {
    const harness = await createPrivateHarness();
    for (const environment of ["sandbox", "live"] as const) await harness.connect(undefined, { environment });
    const { connectionId } = harness.office;
    await harness.engine.connections.remove({ ...sandbox, connectionId, by: alice });
    for (const kind of ["connection", "private_manifest", "private_manifest_list"]) {
      expect((await harness.storage.records.list({ workspace: "default", kind, limit: 9 })).items, kind).toEqual([]);
    }
  });

  test("that is removed invalidates its tokens, also for a held poll", async () => {
    const harness = await createPrivateHarness();
    const client = await harness.connect();
    const poll = client.poll();
    poll.catch(() => {});
    const { connectionId, tokens } = harness.office;
    await harness.engine.connections.remove({ ...sandbox, connectionId, by: alice });
    await expect(poll).rejects.toMatchObject({ code: "unauthorized" });
    expect(await harness.engine.privateConnections.authenticate(tokens?.sandbox ?? "")).toBeUndefined();
  });

  test("is tested by whether a client is connected", async () => {
    const harness = await createPrivateHarness();
    const { connectionId } = harness.office;
    const testing = { ...sandbox, connectionId, by: alice };
    expect(await harness.engine.connections.test(testing)).toMatchObject({ ok: false });
    const client = await harness.connect();
    const poll = client.poll();
    await harness.clock.advance(25_000);
    await poll;
    expect(await harness.engine.connections.test(testing)).toEqual({ ok: true });
  });
});

describe("a token", () => {
  test("identifies connection and environment; an invalid one is unknown", async () => {
    const { engine, office } = await createPrivateHarness();
    const { authenticate } = engine.privateConnections;
    const { connectionId } = office;
    expect(await authenticate(office.tokens?.live ?? "")).toMatchObject({ connectionId, environment: "live" });
    for (const token of [
      "",
      "run_live_",
      `run_live_${"a".repeat(43)}`,
      "rsk_live_x",
      `${office.tokens?.live ?? ""}a`,
    ]) {
      expect(await authenticate(token), token).toBeUndefined();
    }
  });

  test("that is regenerated is invalid at once, for new calls and for polls held here and on other nodes", async () => {
    const harness = await createPrivateHarness();
    const other = await harness.addEngine();
    const here = await harness.connect();
    const there = await harness.connect(undefined, { engine: other });
    const polls = [here.poll(), there.poll()];
    for (const poll of polls) poll.catch(() => {});
    await harness.clock.settle();
    const { connectionId, tokens } = harness.office;
    const { token } = await harness.engine.privateConnections.regenerateToken({ ...sandbox, connectionId, by: alice });
    await harness.clock.settle();
    for (const poll of polls) await expect(poll).rejects.toMatchObject({ code: "unauthorized" });
    await expect(here.heartbeat()).rejects.toMatchObject({ code: "unauthorized" });
    for (const { privateConnections } of [harness.engine, other]) {
      expect(await privateConnections.authenticate(tokens?.sandbox ?? "")).toBeUndefined();
      expect(await privateConnections.authenticate(tokens?.live ?? "")).toBeDefined();
    }
    const again = await harness.connect(undefined, { token });
    const runId = await harness.call();
    await again.answer(await again.take(), "done");
    expect(await harness.read(runId)).toMatchObject({ status: "completed" });
  });

  test("that is regenerated during the lookup of its poll's functions holds no poll", async () => {
    const harness = await createPrivateHarness();
    const { connectionId } = harness.office;
    const other = await harness.addEngine({ started: false });
    const { client, digest } = await harness.connect();
    other.way.on("records.get", async (work, request) => {
      const row = await work();
      if ((request as { readonly kind: string }).kind !== "private_manifest") return row;
      await harness.engine.privateConnections.regenerateToken({ ...sandbox, connectionId, by: alice });
      await harness.clock.settle();
      return row;
    });
    const polling = other.privateConnections.poll(client, { max: 1, manifest: digest });
    await expect(polling).rejects.toMatchObject({ code: "unauthorized" });
  });

  test("is regenerated with the permission to manage its environment", async () => {
    const { engine, office } = await createPrivateHarness();
    const { connectionId } = office;
    const { regenerateToken } = engine.privateConnections;
    const by = { person: "p", environment: "sandbox" } as const;
    const live = regenerateToken({ environment: "live", connectionId, by });
    await expect(live).rejects.toMatchObject({ code: "environment_mismatch" });
    const mere = regenerateToken({ ...sandbox, connectionId, by: { person: "p", permissions: ["run"] } });
    await expect(mere).rejects.toMatchObject({ code: "permission_denied" });
    const bank = await engine.connections.create({ name: "b", integration: "bank", ...sandbox, by: alice });
    const none = regenerateToken({ ...sandbox, connectionId: bank.connectionId, by: alice });
    await expect(none).rejects.toMatchObject({ code: "connection_not_found" });
  });
});

describe("the functions of clients", () => {
  test("are the connection's actions, each with its schema and effect", async () => {
    const harness = await createPrivateHarness();
    await harness.connect([declared("pay"), declared("look", { idempotent: true })]);
    const { connectionId } = harness.office;
    const { items } = await harness.engine.connections.actions({ ...sandbox, connectionId, limit: 10 });
    expect(items).toMatchObject([
      { name: "look", effect: "idempotent", description: "The function look.", output: undefined },
      { name: "pay", effect: "once", input: declared("pay").input },
    ]);
    const live = { environment: "live", connectionId } as const;
    expect((await harness.engine.connections.actions({ ...live, limit: 10 })).items).toEqual([]);
  });

  test("are refused together with every invalid schema", async () => {
    const harness = await createPrivateHarness();
    const broken = declared("broken", { input: { type: "nothing" } });
    await expect(harness.connect([declared("fine"), broken])).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringMatching(/functions\/1\/input\/type must be one of/),
    });
  });

  test("have the same digest in any order, and are requested again if they are unknown", async () => {
    const harness = await createPrivateHarness();
    const one = await harness.connect([declared("a"), declared("b")]);
    const other = await harness.connect([declared("b"), declared("a")]);
    expect(other.digest).toBe(one.digest);
    const { poll } = harness.engine.privateConnections;
    for (const manifest of [undefined, "unknown"]) {
      await expect(poll(one.client, { max: 1, manifest })).rejects.toMatchObject({ code: "manifest_required" });
    }
    const live = await harness.engine.privateConnections.authenticate(harness.office.tokens?.live ?? "");
    if (live === undefined) throw new Error("The token is unknown.");
    await expect(poll(live, { max: 1, manifest: one.digest })).rejects.toMatchObject({ code: "manifest_required" });
  });

  test("are kept for the newest 20 manifests; a poll with an older one is asked to register again", async () => {
    const harness = await createPrivateHarness();
    const old = await harness.connect([declared("old")]);
    const poll = old.poll();
    poll.catch(() => {});
    for (let n = 0; n < 20; n++) await harness.connect([declared(`f${n}`)]);
    await harness.clock.settle();
    await expect(poll).rejects.toMatchObject({ code: "manifest_required" });
    const kept = await harness.storage.records.list({ workspace: "default", kind: "private_manifest", limit: 99 });
    expect(kept.items).toHaveLength(20);
    await harness.connect([declared("old")]);
    const again = old.poll();
    await harness.clock.advance(25_000);
    expect(await again).toEqual([]);
  });

  test("count if their client polled recently; a missing or changed function is a problem of its callers", async () => {
    const harness = await createPrivateHarness();
    await harness.connect([declared("screen"), declared("old")]);
    await harness.clock.advance(6 * minute);
    const { connectionId } = harness.office;
    const registered = async () =>
      (await harness.engine.privateConnections.status({ ...sandbox, connectionId })).registeredFunctions;
    expect(await registered()).toEqual(["old", "screen"]);
    await harness.connect([declared("screen", { input: { type: "object", required: ["id"] } })]);
    expect(await registered()).toEqual(["screen"]);
    const problemsOf = async (action: string) => {
      const publishing = harness.publish(calling(action));
      return await publishing.then(
        () => [],
        (error: { readonly details: readonly object[] }) => error.details,
      );
    };
    expect(await problemsOf("old")).toMatchObject([{ message: expect.stringMatching(/old/) }]);
    expect(await problemsOf("screen")).toMatchObject([{ message: expect.stringMatching(/id/) }]);
  });

  test("appear in the status, with each client and its last poll; after a minute without a poll it is disconnected", async () => {
    const harness = await createPrivateHarness();
    const { connectionId } = harness.office;
    const status = () => harness.engine.privateConnections.status({ ...sandbox, connectionId });
    expect(await status()).toEqual({ connected: false, lastPollAtMs: undefined, registeredFunctions: [], clients: [] });
    const client = await harness.connect(undefined, { clientId: "host-1" });
    const polledAtMs = harness.clock.now();
    const poll = client.poll();
    await harness.clock.advance(60_000);
    await poll;
    const known = { lastPollAtMs: polledAtMs, registeredFunctions: ["screen"] };
    expect(await status()).toMatchObject({ ...known, connected: true, clients: [{ clientId: "host-1" }] });
    await harness.clock.advance(1);
    expect(await status()).toMatchObject({ ...known, connected: false });
    const bank = await harness.engine.connections.create({ name: "b", integration: "bank", ...sandbox, by: alice });
    const none = harness.engine.privateConnections.status({ ...sandbox, connectionId: bank.connectionId });
    await expect(none).rejects.toMatchObject({ code: "connection_not_found" });
  });
});
