/*
 * An engine caches its reads until they change. Otherwise, a loop of writes in sandbox would make live read its keys,
 * connections, webhooks and defaults again for each write.
 */
import { manifestSchema, type Environment } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { alice, type HarnessEngine } from "./harness.ts";
import { call, procedure } from "./documents.ts";
import { createPrivateHarness, declared } from "./private-harness.ts";
import { receive } from "./webhook-harness.ts";

const sandbox = { environment: "sandbox", by: { person: "sam", environment: "sandbox" } } as const;
const both: readonly Environment[] = ["sandbox", "live"];
const paid = procedure([call("pay", "read", { connection: "ledger" })], { procedureId: "paid" });

/** An engine in which live has used each record once, and a key of sandbox on another engine. */
async function liveHarness() {
  const harness = await createPrivateHarness({ egress: { allowNetworks: ["127.0.0.1/32"] } });
  const { engine, clock, office } = harness;
  const live = await harness.addEngine();
  for (const environment of both) {
    await engine.connections.create({ name: "ledger", integration: "bank", environment, by: alice });
  }
  await harness.publish(paid, { defaultIn: both });
  const { url } = await receive();
  const hook = { url, events: ["run_completed"], environment: "live", by: alice } as const;
  await engine.webhooks.create(hook);
  const { key } = await engine.keys.create({ name: "live", environment: "live", by: alice });
  const held = (await live.keys.hold(key)) ?? expect.unreachable();
  const client = await harness.connect(undefined, { engine: live, environment: "live" });
  const closing = new AbortController();
  const poll = client.poll(1, closing.signal);

  /** The usual requests of live. */
  const use = async (): Promise<void> => {
    expect(await live.keys.authenticate(key)).toMatchObject({ environment: "live" });
    expect(await live.privateConnections.authenticate(office.tokens?.live ?? "")).toMatchObject({
      environment: "live",
    });
    const start = { procedureId: "paid", environment: "live", data: {}, by: alice } as const;
    const { runId } = await live.runs.start(start);
    await clock.settle();
    expect(await harness.read(runId, "live")).toMatchObject({ status: "completed" });
  };
  // Either engine may have sent the first delivery.
  for (let times = 0; times < 5; times++) await use();
  return {
    ...harness,
    live,
    use,
    end: async () => {
      closing.abort();
      await poll;
      held.release();
    },
  };
}

const verbs = [
  "records.get",
  "records.find",
  "records.list",
  "procedures.version",
  "procedures.defaultVersion",
] as const;
const readsOf = ({ way }: HarnessEngine): number => verbs.reduce((sum, verb) => sum + way.count(verb), 0);

type Write = (engine: HarnessEngine, times: number) => Promise<unknown>;

const writes: Readonly<Record<string, Write>> = {
  "saves a draft": ({ procedures }, revision) =>
    procedures.saveDraft({ procedureId: "mine", document: { times: revision }, revision, by: sandbox.by }),
  "makes and deletes a key": async ({ keys }) => {
    const { keyId } = await keys.create({ ...sandbox, name: "key" });
    await keys.remove({ keyId, by: sandbox.by });
  },
  "makes and deletes a webhook": async ({ webhooks }) => {
    const { webhookId } = await webhooks.create({ ...sandbox, url: "http://127.0.0.1:8099/", events: ["run_failed"] });
    await webhooks.remove({ ...sandbox, webhookId });
  },
  "makes, renames and removes a connection": async ({ connections }, times) => {
    const { connectionId } = await connections.create({ ...sandbox, name: `c${times}`, integration: "bank" });
    await connections.update({ ...sandbox, connectionId, name: `d${times}` });
    await connections.remove({ ...sandbox, connectionId });
  },
  "makes a private connection, a new token of it and functions, and removes it": async (engine, times) => {
    const { connections, privateConnections } = engine;
    const office = { name: `p${times}`, integration: "private_connection", by: sandbox.by };
    const { connectionId } = await connections.create(office);
    const { token } = await privateConnections.regenerateToken({ ...sandbox, connectionId });
    const client = (await privateConnections.authenticate(token)) ?? expect.unreachable();
    await privateConnections.register(client, manifestSchema.parse({ functions: [declared(`f${times}`)] }));
    await connections.remove({ ...sandbox, connectionId });
  },
  "publishes a version and makes it sandbox's default": async ({ procedures }, times) => {
    await procedures.publish({ document: paid, version: `s${times}`, by: sandbox.by });
    await procedures.setDefault({ ...sandbox, procedureId: "paid", version: `s${times}` });
  },
};

describe("live reads nothing again when a key of sandbox", () => {
  test.each(Object.keys(writes))("%s", async (name) => {
    const { engine, live, clock, use, end } = await liveHarness();
    const before = readsOf(live);
    for (let times = 0; times < 20; times++) {
      await writes[name]?.(engine, times);
      await clock.settle();
      await use();
    }
    expect(readsOf(live) - before).toBe(0);
    await end();
  });

  test("registers functions of a shared connection", async () => {
    const { connect, engine, live, clock, use, end } = await liveHarness();
    const before = readsOf(live);
    for (let times = 0; times < 20; times++) {
      await connect([declared(`f${times}`)], { engine });
      await clock.settle();
      await use();
    }
    expect(readsOf(live) - before).toBe(0);
    await end();
  });
});
