/* Connections of integrations that know the account, the environment and the limits of their service. */
import { ActionAnswer, ActionError, defineIntegration, z } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { alice, createHarness } from "./harness.ts";
import { procedure } from "./documents.ts";

const secret = "sk_test_0123456789";

/** A service whose calls end when the test lets them. */
function slowService(limits: { concurrent?: number; perMinute?: number } = {}) {
  const calls: (() => void)[] = [];
  const integration = defineIntegration({
    name: "desk",
    category: "payments",
    secrets: z.object({ key: z.string() }),
    environmentOf: ({ secrets }) =>
      secrets.key.startsWith("sk_live_") ? "live" : secrets.key.startsWith("sk_test_") ? "sandbox" : undefined,
    account: async ({ secrets, environment }) => {
      if (secrets.key.endsWith("odd")) z.object({ id: z.string() }).parse({ answer: "odd" });
      if (secrets.key.endsWith("bad")) throw new ActionError(`The key ${secrets.key} was refused.`);
      return { id: `acct_${environment}`, name: "Acme" };
    },
    limits,
    actions: ({ defineAction }) => ({
      pay: defineAction({
        description: "Pays.",
        effect: "once",
        input: z.object({}),
        output: z.object({ id: z.string() }),
        run: async (_input, { action, secrets }) => {
          await new Promise<void>((resolve) => calls.push(resolve));
          const request = { method: "POST", url: "https://desk.test/pay", headers: { authorization: secrets.key } };
          return new ActionAnswer({ paid: action }, { exchange: { request, response: { status: 201, headers: {} } } });
        },
      }),
    }),
  });
  return { integration, calls };
}

const connection = { name: "desk", integration: "desk", environment: "sandbox", by: alice } as const;
const paying = procedure([{ id: "a", kind: "tool_call", connection: "desk", action: "pay" }], {
  output: { a: "{{ nodes.a.output }}" },
});

describe("the environment of credentials", () => {
  test.each([
    ["sandbox", "sk_live_1"],
    ["live", "sk_test_1"],
  ] as const)("17: is checked when a connection of %s is created, and nothing is stored", async (environment, key) => {
    const harness = await createHarness({ integrations: [slowService().integration] });
    const created = harness.engine.connections.create({ ...connection, environment, secrets: { key } });
    await expect(created).rejects.toMatchObject({ code: "credentials_of_other_environment", status: 422 });
    await expect(created).rejects.not.toThrow(key);
    expect((await harness.engine.connections.list({ environment, limit: 10 })).items).toEqual([]);
  });

  test("17: is checked when a secret is replaced, and the connection keeps its own", async () => {
    const harness = await createHarness({ integrations: [slowService().integration] });
    const { connections } = harness.engine;
    const { connectionId } = await connections.create({ ...connection, secrets: { key: secret } });
    const place = { environment: "sandbox", connectionId, by: alice } as const;
    const changed = connections.update({ ...place, secrets: { key: "sk_live_1" } });
    await expect(changed).rejects.toMatchObject({ code: "credentials_of_other_environment" });
    expect(await connections.test(place)).toEqual({ ok: true, account: { id: "acct_sandbox", name: "Acme" } });
  });

  test("is not checked where the credentials do not tell it", async () => {
    const harness = await createHarness({ integrations: [slowService().integration] });
    const created = harness.engine.connections.create({ ...connection, environment: "live", secrets: { key: "old" } });
    await expect(created).resolves.toMatchObject({ name: "desk" });
  });
});

test("a test of refused credentials tells the reason without the secret, and the connection shows it", async () => {
  const harness = await createHarness({ integrations: [slowService().integration] });
  const { connections } = harness.engine;
  const { connectionId } = await connections.create({ ...connection, secrets: { key: `${secret}_bad` } });
  const place = { environment: "sandbox", connectionId, by: alice } as const;
  const answer = await connections.test(place);
  expect(answer).toEqual({ ok: false, error: "The key [redacted] was refused." });
  expect(await connections.get(place)).toMatchObject({ health: { status: "failing" } });
});

test("a test of a service that answers in another form says so, without the answer", async () => {
  const harness = await createHarness({ integrations: [slowService().integration] });
  const { connections } = harness.engine;
  const { connectionId } = await connections.create({ ...connection, secrets: { key: `${secret}_odd` } });
  const answer = await connections.test({ environment: "sandbox", connectionId, by: alice });
  expect(answer).toEqual({ ok: false, error: "desk answered in a form that names no account." });
});

test("an answer with its exchange is recorded as it came, without the secret and without a check of its form", async () => {
  const { integration, calls } = slowService();
  const harness = await createHarness({ integrations: [integration] });
  await harness.engine.connections.create({ ...connection, secrets: { key: secret } });
  const runId = await harness.runOf(paying);
  calls[0]?.();
  await harness.clock.settle();
  const run = await harness.read(runId);
  expect(run).toMatchObject({ status: "completed", output: { a: { paid: "pay" } } });
  const outcome = (await harness.entries(runId)).find(({ type }) => type === "outcome");
  expect(outcome).toMatchObject({ exchange: { request: { headers: { authorization: "[redacted]" } } } });
});

test("a setting that is left out is stored with its default, which the functions of the integration get", async () => {
  const region = defineIntegration({
    name: "region",
    settings: z.object({ region: z.enum(["eu", "us"]).default("eu"), note: z.string().optional() }),
    actions: ({ defineAction }) => ({
      where: defineAction({
        description: "Tells its region.",
        effect: "read",
        input: z.object({}),
        run: (_input, { settings }) => ({ region: settings.region }),
      }),
    }),
  });
  const harness = await createHarness({ integrations: [region] });
  const created = await harness.engine.connections.create({ ...connection, name: "main", integration: "region" });
  expect(created.settings).toEqual({ region: "eu" });
  const asking = procedure([{ id: "a", kind: "tool_call", connection: "main", action: "where" }], {
    output: { a: "{{ nodes.a.output }}" },
  });
  expect(await harness.read(await harness.runOf(asking))).toMatchObject({ output: { a: { region: "eu" } } });
});

describe("the limits of a service", () => {
  test("let a call wait before its intent, and it is made when another one has ended", async () => {
    const { integration, calls } = slowService({ concurrent: 1 });
    const harness = await createHarness({ integrations: [integration] });
    await harness.engine.connections.create({ ...connection, secrets: { key: secret } });
    const first = await harness.runOf(paying);
    const second = await harness.run();
    expect(calls).toHaveLength(1);
    const typesOf = async (runId: string) => (await harness.entries(runId)).map(({ type }) => type);
    expect(await typesOf(first)).toContain("intent");
    expect(await typesOf(second)).not.toContain("intent");
    calls[0]?.();
    await harness.clock.settle();
    expect(calls).toHaveLength(2);
    calls[1]?.();
    await harness.clock.settle();
    for (const runId of [first, second]) expect((await harness.read(runId)).status).toBe("completed");
  });

  test("bound the calls of a minute", async () => {
    const { integration, calls } = slowService({ perMinute: 1 });
    const harness = await createHarness({ integrations: [integration] });
    await harness.engine.connections.create({ ...connection, secrets: { key: secret } });
    await harness.runOf(paying);
    const second = await harness.run();
    calls[0]?.();
    await harness.clock.advance(59_000);
    expect(calls).toHaveLength(1);
    await harness.clock.advance(1_000);
    expect(calls).toHaveLength(2);
    calls[1]?.();
    await harness.clock.settle();
    expect((await harness.read(second)).status).toBe("completed");
  });

  test("make no call of a run that is cancelled while it waits, and hold up no later one", async () => {
    const { integration, calls } = slowService({ concurrent: 1 });
    const harness = await createHarness({ integrations: [integration] });
    await harness.engine.connections.create({ ...connection, secrets: { key: secret } });
    await harness.runOf(paying);
    const second = await harness.run();
    await harness.engine.runs.cancel({ environment: "sandbox", runId: second, by: alice });
    await harness.clock.advance(2_000);
    expect(await harness.read(second)).toMatchObject({ status: "failed", error: "Cancelled by alice" });
    const third = await harness.run();
    calls[0]?.();
    await harness.clock.settle();
    expect(calls).toHaveLength(2);
    calls[1]?.();
    await harness.clock.settle();
    expect((await harness.read(third)).status).toBe("completed");
  });

  test("hold up no drain: a run that waits is left to other workers", async () => {
    const { integration, calls } = slowService({ concurrent: 1 });
    const harness = await createHarness({ integrations: [integration] });
    await harness.engine.connections.create({ ...connection, secrets: { key: secret } });
    await harness.runOf(paying);
    const second = await harness.run();
    const stopping = harness.engine.stop({ drainMs: 10_000 });
    await harness.clock.settle();
    calls[0]?.();
    await harness.clock.settle();
    await stopping;
    const next = await harness.addEngine();
    await harness.clock.advance(1_000);
    calls[1]?.();
    await harness.clock.settle();
    expect((await next.runs.get({ environment: "sandbox", runId: second })).status).toBe("completed");
  });

  test("leave the worker's places to other runs: those with a later turn are parked until then", async () => {
    const { integration, calls } = slowService({ concurrent: 1 });
    const harness = await createHarness({ integrations: [integration], worker: { capacity: 120 } });
    await harness.engine.connections.create({ ...connection, secrets: { key: secret } });
    const runIds = [await harness.runOf(paying)];
    while (runIds.length < 130) runIds.push(await harness.run());
    await harness.clock.advance(2_000);
    const free = await harness.runOf({ ...procedure([], { output: { done: true } }), procedureId: "free" });
    expect(await harness.read(free)).toMatchObject({ status: "completed", output: { done: true } });
    expect(calls).toHaveLength(1);
    for (let made = 0; made < runIds.length; made++) {
      calls[made]?.();
      await harness.clock.advance(2_000);
    }
    expect(calls).toHaveLength(runIds.length);
    for (const runId of runIds) expect((await harness.read(runId)).status).toBe("completed");
  });
});
