import { createEngine, defineIntegration, z } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { alice, createHarness, testKey } from "./harness.ts";
import { procedure } from "./documents.ts";

const ledger = defineIntegration({
  name: "ledger",
  settings: z.object({ baseUrl: z.url(), retries: z.int().max(3).optional() }),
  secrets: z.object({ token: z.string().min(8) }),
  actions: ({ defineAction }) => ({
    where: defineAction({
      description: "Tells its base URL.",
      input: z.object({}),
      effect: "read",
      run: async (_input, { settings }) => ({ baseUrl: settings.baseUrl }),
    }),
  }),
});
const asking = procedure([{ id: "a", kind: "tool_call", connection: "main", action: "where" }], {
  output: { a: "{{ nodes.a.output }}" },
});
const main = {
  name: "main",
  integration: "ledger",
  environment: "sandbox",
  settings: { baseUrl: "https://ledger.test" },
  secrets: { token: "long enough" },
  by: alice,
} as const;

describe("connections", () => {
  test("settings and secrets that do not fit the integration are refused with every violation", async () => {
    const harness = await createHarness({ integrations: [ledger] });
    const created = harness.engine.connections.create({
      ...main,
      settings: { baseUrl: "nowhere", retries: 4 },
      secrets: { token: "short" },
    });
    await expect(created).rejects.toMatchObject({ code: "invalid_input", status: 422 });
    const { details } = (await created.catch((error: unknown) => error)) as {
      details: readonly { path: string; message: string }[];
    };
    expect(details.map(({ path }) => path).sort()).toEqual([
      "/secrets/token",
      "/settings/baseUrl",
      "/settings/retries",
    ]);
    expect(JSON.stringify(details)).not.toContain('"short"');
  });

  test("an integration without settings and secrets refuses both", async () => {
    const harness = await createHarness();
    const created = harness.engine.connections.create({ ...main, integration: "bank" });
    await expect(created).rejects.toMatchObject({ code: "invalid_input" });
  });

  test("an unknown integration is refused with a list of the known ones", async () => {
    const harness = await createHarness({ integrations: [ledger] });
    await expect(harness.engine.connections.create({ ...main, integration: "nothing" })).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("bank, ledger") as string,
    });
  });

  test.each(["", "a".repeat(300)])("a name that is invalid in procedures is refused: %o", async (name) => {
    const harness = await createHarness({ integrations: [ledger] });
    await expect(harness.engine.connections.create({ ...main, name })).rejects.toMatchObject({ code: "invalid_input" });
  });

  test("no name of one environment or workspace matches another's, for any characters in them", async () => {
    const harness = await createHarness({ integrations: [ledger] });
    const other = await harness.addEngine({ workspace: "default/sandbox" });
    for (const environment of ["sandbox", "live"] as const) {
      for (const name of ["x", "live/x", "sandbox/x", '"live","x"', "x\u0000y"]) {
        await harness.engine.connections.create({ ...main, environment, name });
        await other.connections.create({ ...main, environment, name });
      }
    }
    for (const engine of [harness.engine, other]) {
      for (const environment of ["sandbox", "live"] as const) {
        expect((await engine.connections.list({ environment, limit: 10 })).items).toHaveLength(5);
      }
    }
  });

  test("a name is unique in its environment", async () => {
    const harness = await createHarness({ integrations: [ledger] });
    await harness.engine.connections.create(main);
    await expect(harness.engine.connections.create(main)).rejects.toMatchObject({ code: "name_taken", status: 409 });
    await harness.engine.connections.create({ ...main, environment: "live" });
  });

  test("one of ten concurrent creations with the same name succeeds", async () => {
    const harness = await createHarness({ integrations: [ledger] });
    const created = await Promise.allSettled(Array.from({ length: 10 }, () => harness.engine.connections.create(main)));
    expect(created.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await harness.engine.connections.list({ environment: "sandbox", limit: 10 })).items).toHaveLength(1);
  });

  test("a run uses the connection of its own environment and never the other one's", async () => {
    const harness = await createHarness({ integrations: [ledger] });
    await harness.engine.connections.create({
      ...main,
      environment: "live",
      settings: { baseUrl: "https://live.test" },
    });
    await harness.publish(asking, { environment: "live" });
    const run = await harness.read(await harness.run({}, { version: "v1" }));
    expect(run).toMatchObject({
      status: "failed",
      error: 'There is no connection "main" in sandbox. Create it and start again.',
    });
  });

  test("a connection of one workspace is not found by another", async () => {
    const harness = await createHarness({ integrations: [ledger] });
    await harness.engine.connections.create(main);
    const other = createEngine({
      storage: harness.storage,
      integrations: [ledger],
      masterKey: testKey,
      workspace: "other",
      clock: harness.clock,
    });
    expect((await other.connections.list({ environment: "sandbox", limit: 10 })).items).toEqual([]);
    await other.connections.create(main);
    await other.start();
    await other.procedures.publish({ document: asking, version: "v1", by: alice });
    const { runId } = await other.runs.start({ procedureId: "p", environment: "sandbox", data: {}, by: alice });
    await expect(harness.engine.runs.get({ environment: "sandbox", runId })).rejects.toMatchObject({
      code: "run_not_found",
    });
  });

  test("a removed connection is missing for the next step, in every engine", async () => {
    const harness = await createHarness({ integrations: [ledger] });
    const other = await harness.addEngine();
    const { connectionId } = await harness.engine.connections.create(main);
    expect((await harness.read(await harness.runOf(asking))).status).toBe("completed");
    await other.connections.remove({ environment: "sandbox", connectionId, by: alice, force: true });
    expect(await harness.read(await harness.run())).toMatchObject({ status: "failed" });
    await expect(other.connections.remove({ environment: "sandbox", connectionId, by: alice })).rejects.toMatchObject({
      code: "connection_not_found",
    });
  });

  test("a connection cannot be removed from the other environment or without the permission", async () => {
    const harness = await createHarness({ integrations: [ledger] });
    const { connectionId } = await harness.engine.connections.create(main);
    await expect(
      harness.engine.connections.remove({ environment: "live", connectionId, by: alice }),
    ).rejects.toMatchObject({ code: "connection_not_found" });
    const by = { person: "eve", permissions: ["run"] } as const;
    await expect(harness.engine.connections.remove({ environment: "sandbox", connectionId, by })).rejects.toMatchObject(
      {
        code: "permission_denied",
      },
    );
    await expect(harness.engine.connections.create({ ...main, name: "two", by })).rejects.toMatchObject({
      code: "permission_denied",
    });
  });

  test("two integrations with the same name are refused when the engine is created", async () => {
    await expect(createHarness({ integrations: [ledger, ledger] })).rejects.toMatchObject({
      code: "invalid_configuration",
    });
  });

  test("a connection of an integration that this engine lacks fails its steps with that reason", async () => {
    const harness = await createHarness({ integrations: [ledger] });
    await harness.engine.connections.create(main);
    await harness.publish(asking);
    await harness.engine.stop();
    const runId = await harness.run();
    await harness.addEngine({ integrations: [] });
    await harness.clock.settle();
    expect(await harness.read(runId)).toMatchObject({
      status: "failed",
      error: expect.stringContaining('integration "ledger"') as string,
    });
  });
});
