import { describe, expect, test } from "vitest";
import { chainHash, chainStart, firstBrokenRow } from "../src/journal/chain.ts";
import { deriveKey } from "../src/secrets/derive-key.ts";
import { alice, createHarness, testKey, type Harness } from "./harness.ts";
import { call, procedure } from "./documents.ts";
import { defineIntegration, z } from "@procedo/engine";

const key = deriveKey(testKey, "journal");

const vault = defineIntegration({
  name: "vault",
  settings: z.object({}),
  actions: ({ defineAction }) => ({
    use: defineAction({ description: "Uses it.", input: z.object({}), effect: "read", run: async () => ({}) }),
  }),
});

async function managed(): Promise<Harness> {
  const harness = await createHarness({ integrations: [vault] });
  const by = { ...alice, via: "key_1" };
  await harness.publish(procedure([call("a", "once")]), { by });
  await harness.publish(procedure([call("a", "read")]), { version: "v2", by });
  await harness.engine.procedures.setDefault({ procedureId: "p", environment: "live", version: "v2", by });
  const { connectionId } = await harness.engine.connections.create({
    name: "main",
    integration: "vault",
    environment: "live",
    by,
  });
  await harness.engine.connections.remove({ environment: "live", connectionId, by });
  const { webhookId } = await harness.engine.webhooks.create({
    url: "https://93.184.216.34/x",
    events: ["run_failed"],
    environment: "sandbox",
    by,
  });
  await harness.engine.webhooks.remove({ environment: "sandbox", webhookId, by });
  return harness;
}

const rowsOf = (harness: Harness) => harness.storage.audit.list({ workspace: "default", afterSeq: 0, limit: 1000 });

describe("the workspace's chain", () => {
  test("records every managed change with its actor and key, and verifies", async () => {
    const harness = await managed();
    const rows = await rowsOf(harness);
    expect(rows.map(({ body }) => JSON.parse(body) as { action: string })).toMatchObject(
      [
        "procedure.published",
        "procedure.published",
        "procedure.default_set",
        "connection.created",
        "connection.removed",
        "webhook.created",
        "webhook.removed",
      ].map((action) => ({ action, by: "alice", via: "key_1", atMs: harness.clock.now() })),
    );
    expect(firstBrokenRow(key, "default", rows)).toBeUndefined();
  });

  test("reveals every kind of tampering", async () => {
    const rows = await rowsOf(await managed());
    const third = rows[2];
    if (third === undefined) throw new Error("The chain is too short.");
    const changed = rows.with(2, { ...third, body: third.body.replace("live", "sandbox") });
    expect(firstBrokenRow(key, "default", changed)).toBe(3);
    expect(firstBrokenRow(key, "default", rows.toSpliced(2, 1))).toBe(3);
    expect(firstBrokenRow(key, "default", rows.toSpliced(1, 2, ...rows.slice(1, 3).toReversed()))).toBe(2);
    expect(firstBrokenRow(key, "other", rows)).toBe(1);
    expect(firstBrokenRow(deriveKey(testKey, "secrets"), "default", rows)).toBe(1);
    const forged = { ...third, body: "{}", hash: chainHash(new Uint8Array(32), chainStart, "default", 3, "{}") };
    expect(firstBrokenRow(key, "default", rows.with(2, forged))).toBe(3);
  });

  test("has no gap when two engines make changes concurrently", async () => {
    const harness = await createHarness({ integrations: [vault] });
    const other = await harness.addEngine();
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        (index % 2 === 0 ? harness.engine : other).connections.create({
          name: `c${index}`,
          integration: "vault",
          environment: "sandbox",
          by: alice,
        }),
      ),
    );
    const rows = await rowsOf(harness);
    expect(rows).toHaveLength(40);
    expect(firstBrokenRow(key, "default", rows)).toBeUndefined();
  });

  test("a refused change leaves no row", async () => {
    const harness = await managed();
    const before = await rowsOf(harness);
    await expect(harness.publish(procedure([call("a", "idempotent")]))).rejects.toMatchObject({
      code: "version_exists",
    });
    await expect(
      harness.engine.connections.remove({ environment: "live", connectionId: "con_x", by: alice }),
    ).rejects.toMatchObject({ code: "connection_not_found" });
    expect(await rowsOf(harness)).toEqual(before);
  });
});

test("however many changes a key of sandbox sends at once, a change of live or of another key waits for only a few", async () => {
  const { engine, storage } = await createHarness();
  const by = (via: string, environment: "sandbox" | "live") => ({ person: via, via, environment });
  const make = (name: string, environment: "sandbox" | "live") =>
    engine.keys.create({ name, environment, by: by(name, environment) });
  const flood = Array.from({ length: 50 }, () => make("flood", "sandbox"));
  await Promise.all([...flood, make("live", "live"), make("other", "sandbox")]);
  const entries = await storage.audit.list({ workspace: "default", afterSeq: 0, limit: 100 });
  const written = entries.map(({ body }) => JSON.parse(body) as { readonly via: string });
  expect(written.map(({ via }) => via).slice(0, 5)).toEqual(["flood", "flood", "live", "other", "flood"]);
  expect(Object.keys(written[0] ?? {}).sort()).toEqual(["action", "atMs", "by", "details", "subject", "via"]);
});
