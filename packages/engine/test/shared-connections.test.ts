/* A private connection is one record of both environments: a person of one of them can change only that part. */
import type { Environment } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { alice } from "./harness.ts";
import { calling, createPrivateHarness, declared, type PrivateHarness } from "./private-harness.ts";

const sandbox = { environment: "sandbox" } as const;
const live = { environment: "live" } as const;
const sam = { person: "sam", ...sandbox };
const lea = { person: "lea", ...live };
const integration = "private_connection";

/** A connection with a token in sandbox only. */
const createOne = async (harness: PrivateHarness, name = "desk") =>
  await harness.engine.connections.create({ name, integration, by: sam });

const paying = (connection: string) => calling("pay", { connection, arguments: { to: "ven_1", amount: 1 } });

describe("a private connection that a principal of one environment creates", () => {
  test("has that environment's token only, until the other one creates its own", async () => {
    const harness = await createPrivateHarness();
    const { connectionId, tokens } = await createOne(harness);
    expect(tokens).toEqual({ sandbox: expect.stringMatching(/^run_sandbox_/) });
    const { privateConnections, connections } = harness.engine;
    const state = { connected: false, lastPollAtMs: undefined, registeredFunctions: [], clients: [] };
    expect(await privateConnections.status({ ...live, connectionId })).toEqual(state);
    expect(await connections.test({ ...live, connectionId, by: lea })).toEqual({
      ok: false,
      error: "The connection has no token in live yet. Make one there, and start a client with it.",
    });
    expect((await connections.actions({ ...live, connectionId, limit: 9 })).items).toEqual([]);
    const { token } = await privateConnections.regenerateToken({ ...live, connectionId, by: lea });
    expect(await privateConnections.authenticate(token)).toMatchObject({ connectionId, ...live });
    expect(await privateConnections.authenticate(tokens?.sandbox ?? "")).toMatchObject({ connectionId, ...sandbox });
  });

  test("is suggested for a misspelt name only where it has a token", async () => {
    const harness = await createPrivateHarness();
    await createOne(harness);
    const problemsIn = (...environments: readonly Environment[]) =>
      harness.engine.procedures.validate({ document: calling("screen", { connection: "dask" }), environments });
    expect((await problemsIn("sandbox"))[0]?.message).toBe('There is no connection "dask"; did you mean "desk"?');
    for (const problems of [await problemsIn("live"), await problemsIn("sandbox", "live")]) {
      expect(problems[0]).toMatchObject({ code: "unknown_connection", message: expect.not.stringContaining("desk") });
    }
  });

  test("is found by calls of the other environment from its first token there", async () => {
    const harness = await createPrivateHarness();
    const { connectionId, tokens = {} } = await createOne(harness);
    await harness.connect(undefined, { token: tokens.sandbox ?? "" });
    const problems = () =>
      harness.engine.procedures.validate({
        document: calling("screen", { connection: "desk" }),
        environments: ["live"],
      });
    expect(await problems()).toMatchObject([{ code: "unknown_connection" }]);
    const { token } = await harness.engine.privateConnections.regenerateToken({ ...live, connectionId, by: lea });
    expect(await problems()).toMatchObject([{ message: expect.stringContaining("it has no actions yet") as string }]);
    await harness.connect(undefined, { ...live, token });
    await harness.clock.advance(30_000);
    expect(await problems()).toEqual([]);
  });

  test("does not conflict with an integration that needs no connection in the other environment", async () => {
    const harness = await createPrivateHarness();
    await createOne(harness, "bank");
    const problems = await harness.engine.procedures.validate({ document: paying("bank"), environments: ["live"] });
    expect(problems).toEqual([]);
  });

  test("needs a free name in its own environment only, and reveals no names of the other", async () => {
    const harness = await createPrivateHarness();
    const { connections, privateConnections } = harness.engine;
    await connections.create({ name: "ledger", integration: "bank", ...live, by: lea });
    const { connectionId } = await createOne(harness, "ledger");
    await createOne(harness, "desk");
    await connections.create({ name: "desk", integration: "bank", ...live, by: lea });
    const renaming = { ...sandbox, connectionId, by: sam };
    await connections.update({ ...renaming, name: "another" });
    await connections.update({ ...renaming, name: "ledger" });
    await expect(createOne(harness, "ledger")).rejects.toMatchObject({
      code: "name_taken",
      message: 'A connection named "ledger" exists already in sandbox. Choose another name.',
    });
    const first = privateConnections.regenerateToken({ ...live, connectionId, by: lea });
    await expect(first).rejects.toMatchObject({
      code: "name_taken",
      message:
        'A connection named "ledger" exists already in live. Use that connection, or rename it before this one gets a token in live.',
    });
  });

  test("shows the other environment no uses while it has no token there", async () => {
    const harness = await createPrivateHarness();
    const bank = { name: "desk", integration: "bank", ...live, by: lea };
    await harness.engine.connections.create(bank);
    const { connectionId } = await createOne(harness);
    const document = paying("desk");
    await harness.engine.procedures.publish({ document, version: "v1", defaultIn: ["live"], by: lea });
    expect(await harness.engine.connections.usedBy({ ...live, connectionId })).toEqual([]);
    expect(await harness.engine.connections.usedBy({ ...sandbox, connectionId })).toEqual([]);
  });

  test("is renamed and removed by its own environment, but not by the other", async () => {
    const harness = await createPrivateHarness();
    const { connectionId } = await createOne(harness);
    const { connections } = harness.engine;
    const other = { ...live, connectionId, by: lea, force: true };
    await expect(connections.update({ ...other, name: "door" })).rejects.toMatchObject({
      code: "environment_mismatch",
    });
    await expect(connections.remove(other)).rejects.toMatchObject({ code: "environment_mismatch" });
    await connections.update({ ...sandbox, connectionId, by: sam, name: "door" });
    await connections.remove({ ...sandbox, connectionId, by: sam });
  });
});

describe("a private connection with a token in both environments", () => {
  test("is renamed and removed by principals who may manage both, also by force", async () => {
    const harness = await createPrivateHarness();
    const { connectionId } = harness.office;
    const { connections } = harness.engine;
    for (const force of [false, true]) {
      const change = { ...sandbox, connectionId, by: sam, force };
      await expect(connections.update({ ...change, name: "door" })).rejects.toMatchObject({
        code: "environment_mismatch",
        message:
          'Renaming connection "office" changes live as well: it has a token there. It needs the permission "manage" in both ' +
          "environments, and you reach sandbox only. Ask a person who may manage both, or the operator of the service.",
      });
      await expect(connections.remove(change)).rejects.toMatchObject({
        code: "environment_mismatch",
        message: expect.stringMatching(/^Removing connection "office" changes live .* the operator of the service\.$/),
      });
    }
    await connections.update({ ...sandbox, connectionId, by: alice, name: "door" });
    await connections.remove({ ...live, connectionId, by: alice });
  });

  test("stays if its other token is created between the check and the removal", async () => {
    const harness = await createPrivateHarness();
    const { connectionId } = await createOne(harness);
    const { way, connections } = harness.engine;
    const other = await harness.addEngine({ started: false });
    let token = "";
    way.on("records.remove", async (work) => {
      way.on("records.remove", (again) => again());
      const made = await other.privateConnections.regenerateToken({ ...live, connectionId, by: lea });
      token = made.token;
      return await work();
    });
    const removing = connections.remove({ ...sandbox, connectionId, by: sam });
    await expect(removing).rejects.toMatchObject({ code: "environment_mismatch" });
    expect(await harness.engine.privateConnections.authenticate(token)).toMatchObject({ connectionId, ...live });
  });
});

describe("clients of one environment do not impede those of the other", () => {
  test("by the polls that they hold", async () => {
    const harness = await createPrivateHarness();
    const many = await harness.connect();
    const away = new AbortController();
    const polls = Array.from({ length: 1_000 }, () => many.poll(1, away.signal));
    await harness.clock.settle();
    await expect(many.poll()).rejects.toMatchObject({
      code: "overloaded",
      message: expect.stringContaining("1000 polls of this connection are held in sandbox.") as string,
    });
    const one = await harness.connect(undefined, live);
    let answered: readonly unknown[] | undefined;
    void one.poll().then((calls) => (answered = calls));
    await harness.clock.advance(25_000);
    expect(answered).toEqual([]);
    away.abort();
    await Promise.all(polls);
  });

  test("by a registration while a token is replaced", async () => {
    const harness = await createPrivateHarness();
    const { connectionId } = harness.office;
    const { way, privateConnections } = harness.engine;
    const client = await harness.connect();
    let registered = 0;
    // Another manifest is stored immediately before each write of the token.
    way.on("records.put", async (work, request) => {
      const { record } = request as { readonly record: { readonly kind: string } };
      if (record.kind === "connection") {
        const { client: own } = client;
        const functions = [{ ...declared(`f${registered++}`), requiresReview: false, idempotent: false }];
        await privateConnections.register(own, { functions });
      }
      return await work();
    });
    const { token } = await privateConnections.regenerateToken({ ...live, connectionId, by: lea });
    expect(registered).toBe(1);
    expect(await privateConnections.authenticate(token)).toMatchObject(live);
  });

  test("by naming a manifest of the other environment", async () => {
    const harness = await createPrivateHarness();
    const there = await harness.connect([declared("screen")], live);
    const here = await harness.connect([declared("other")]);
    const polling = harness.engine.privateConnections.poll(here.client, { max: 1, manifest: there.digest });
    await expect(polling).rejects.toMatchObject({ code: "manifest_required" });
  });

  test("by the number of manifests that they register", async () => {
    const harness = await createPrivateHarness();
    const { connectionId } = harness.office;
    const one = await harness.connect([declared("screen")], live);
    for (let number = 0; number < 25; number++) await harness.connect([declared(`f${number}`)]);
    const { registeredFunctions } = await harness.engine.privateConnections.status({ ...live, connectionId });
    expect(registeredFunctions).toEqual(["screen"]);
    const again = one.poll();
    await harness.clock.advance(25_000);
    expect(await again).toEqual([]);
  });
});
