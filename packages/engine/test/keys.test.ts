import { hash } from "node:crypto";
import { createEngine, type Principal } from "@procedo/engine";
import { createMemoryStorage, type Change } from "@procedo/storage";
import { apiKeySchema } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { alice, createHarness, testKey } from "./harness.ts";
import { procedure, review } from "./documents.ts";
import { rewriteRecord } from "./rewrite-record.ts";

const named = { name: "CI", environment: "sandbox", by: alice } as const;

describe("an API key", () => {
  test("is shown once; storage, lists and the chain contain at most its hash", async () => {
    const { engine, storage, clock } = await createHarness();
    const { key, ...shown } = await engine.keys.create(named);
    expect(key).toMatch(/^rsk_sandbox_[A-Za-z0-9_-]{43}$/);
    // Keys of one millisecond have no order.
    await clock.advance(1);
    expect((await engine.keys.create({ ...named, environment: "live" })).key).toMatch(/^rsk_live_[A-Za-z0-9_-]{43}$/);

    const list = await engine.keys.list({ limit: 10 });
    expect(list.items[0]).toEqual(shown);
    const records = await storage.records.list({ workspace: "default", kind: "api_key", limit: 10 });
    const chain = await storage.audit.list({ workspace: "default", afterSeq: 0, limit: 100 });
    const secret = key.slice("rsk_sandbox_".length);
    expect(JSON.stringify([list, records, chain])).not.toContain(secret);
    expect(records.items[0]?.uniqueKeys).toEqual([hash("sha256", key, "base64url")]);
  });

  test("has all fields of the contract, and by default the permissions to run and manage", async () => {
    const { engine, clock } = await createHarness();
    const { key: _key, keyId, createdAtMs, ...shown } = await engine.keys.create(named);
    expect(shown.person).toBe("alice");
    expect(createdAtMs).toBe(clock.now());
    const asAnswered = apiKeySchema.parse({ ...shown, id: keyId, createdAt: new Date(createdAtMs).toISOString() });
    expect(asAnswered).toMatchObject({
      name: "CI",
      environment: "sandbox",
      prefix: "rsk_sandbox_",
      permissions: ["run", "manage"],
    });
  });

  test("acts as its creator, in its environment only, with its permissions", async () => {
    const { engine } = await createHarness();
    const plain = await engine.keys.create(named);
    expect(await engine.keys.authenticate(plain.key)).toEqual({
      person: "alice",
      via: plain.keyId,
      environment: "sandbox",
      permissions: ["run", "manage"],
      roles: [],
    });
    const reviewing = await engine.keys.create({ ...named, environment: "live", permissions: ["review"] });
    expect(await engine.keys.authenticate(reviewing.key)).toMatchObject({ environment: "live", roles: ["reviewer"] });
  });

  test("counts as its creator when a review excludes the starter, with any key", async () => {
    const harness = await createHarness();
    const { keys } = harness.engine;
    const starting = await keys.create({ ...named, permissions: ["run"] });
    const reviewing = await keys.create({ ...named, permissions: ["review"] });
    const other = await keys.create({ ...named, permissions: ["review"], by: { person: "bob" } });
    await harness.publish(procedure([review("r", { excludeStarter: true })]));
    const as = async (key: string): Promise<Principal> => (await keys.authenticate(key)) ?? expect.unreachable();
    const runId = await harness.run({}, { by: await as(starting.key) });
    await expect(harness.decide(runId, { by: await as(reviewing.key) })).rejects.toMatchObject({
      code: "permission_denied",
    });
    await harness.decide(runId, { by: await as(other.key) });
    expect((await harness.read(runId)).status).toBe("completed");
  });

  test.each([
    ["nothing", ""],
    ["no key", "hello"],
    ["a made-up key", `rsk_sandbox_${"A".repeat(43)}`],
    ["a poll client's token", `run_sandbox_${"A".repeat(43)}`],
    ["a megabyte", "rsk_live_".padEnd(1024 * 1024, "A")],
  ])("%s is unknown", async (_what, key) => {
    const { engine } = await createHarness();
    await engine.keys.create(named);
    expect(await engine.keys.authenticate(key)).toBeUndefined();
  });

  test("with one changed character or another prefix is unknown", async () => {
    const { engine } = await createHarness();
    const { key } = await engine.keys.create(named);
    await engine.keys.authenticate(key);
    const last = key.endsWith("A") ? "B" : "A";
    for (const wrong of [key.slice(0, -1) + last, key.replace("sandbox", "live"), key.toUpperCase(), `${key} `]) {
      expect(await engine.keys.authenticate(wrong)).toBeUndefined();
    }
  });

  test("of one workspace is unknown in another, which neither lists nor removes it", async () => {
    const harness = await createHarness();
    const other = await harness.addEngine({ workspace: "other" });
    const { key, keyId } = await harness.engine.keys.create(named);
    expect(await other.keys.authenticate(key)).toBeUndefined();
    expect((await other.keys.list({ limit: 10 })).items).toEqual([]);
    await expect(other.keys.remove({ keyId, by: alice })).rejects.toMatchObject({ code: "api_key_not_found" });
    expect(await harness.engine.keys.authenticate(key)).toBeDefined();
  });
});

describe("creating a key", () => {
  const keyHolder = { person: "alice", environment: "sandbox", permissions: ["manage", "run"] } as const;

  test("grants no permission that its creator lacks", async () => {
    const { engine } = await createHarness();
    const { create } = engine.keys;
    await create({ ...named, by: keyHolder, permissions: ["run"] });
    const more = create({ ...named, by: keyHolder, permissions: ["run", "review"] });
    await expect(more).rejects.toMatchObject({
      code: "permission_denied",
      message: expect.stringContaining("review") as string,
    });
    const byReviewer = create({ ...named, by: { ...keyHolder, permissions: ["review"] }, permissions: ["review"] });
    await expect(byReviewer).rejects.toMatchObject({ code: "permission_denied" });
    expect((await engine.keys.list({ limit: 10 })).items).toHaveLength(1);
  });

  test("is refused in an environment that its creator does not reach", async () => {
    const { engine } = await createHarness();
    const other = engine.keys.create({ ...named, environment: "live", by: keyHolder });
    await expect(other).rejects.toMatchObject({ code: "environment_mismatch", status: 403 });
  });

  test("assigns it to another person only for the embedding application", async () => {
    const { engine } = await createHarness();
    const forged = engine.keys.create({ ...named, by: keyHolder, permissions: ["run"], person: "bob" });
    await expect(forged).rejects.toMatchObject({ code: "permission_denied" });
    const { key } = await engine.keys.create({ ...named, person: "bob" });
    expect(await engine.keys.authenticate(key)).toMatchObject({ person: "bob" });
  });

  test.each([
    ["without a name", { name: "" }, "/name"],
    ["with a name of 201 characters", { name: "x".repeat(201) }, "/name"],
    ["with an unknown permission", { permissions: ["admin"] as never }, "/permissions/0"],
    ["with a permission twice", { permissions: ["run", "run"] }, "/permissions"],
    ["in an unknown environment", { environment: "test" as never }, "/environment"],
  ] as const)("%s is refused with its pointer", async (_what, wrong, path) => {
    const { engine } = await createHarness();
    const created = engine.keys.create({ ...named, ...wrong });
    await expect(created).rejects.toMatchObject({ code: "invalid_input", details: [{ path }] });
  });

  test("is recorded in the chain with its creator and its permissions", async () => {
    const { engine } = await createHarness();
    const by = { person: "alice", via: "key_1" };
    const { keyId } = await engine.keys.create({ ...named, by, permissions: ["run"] });
    await engine.keys.remove({ keyId, by });
    expect(await engine.audit.changes()).toMatchObject([
      {
        action: "api_key.created",
        by: "alice",
        via: "key_1",
        subject: `sandbox/${keyId}`,
        details: { name: "CI", permissions: ["run"], person: "alice" },
      },
      { action: "api_key.removed", by: "alice", via: "key_1", subject: `sandbox/${keyId}` },
    ]);
  });
});

describe("the list of keys", () => {
  test("covers the workspace, oldest first, by pages", async () => {
    const { engine, clock } = await createHarness();
    for (const environment of ["sandbox", "live", "sandbox"] as const) {
      await engine.keys.create({ ...named, environment });
      await clock.advance(5);
    }
    const first = await engine.keys.list({ limit: 2 });
    const rest = await engine.keys.list({ limit: 2, cursor: first.nextCursor ?? "" });
    expect([...first.items, ...rest.items].map(({ environment }) => environment)).toEqual([
      "sandbox",
      "live",
      "sandbox",
    ]);
    expect(rest.nextCursor).toBeUndefined();
    const ofOther = engine.procedures.list({ limit: 2, cursor: first.nextCursor ?? "" });
    await expect(ofOther).rejects.toMatchObject({ code: "invalid_cursor" });
  });
});

describe("a removed key", () => {
  test("is refused at once, in every engine that knew it, and stays so", async () => {
    const harness = await createHarness();
    const other = await harness.addEngine();
    const { key, keyId } = await harness.engine.keys.create(named);
    for (const engine of [harness.engine, other]) expect(await engine.keys.authenticate(key)).toBeDefined();
    await other.keys.remove({ keyId, by: alice });
    for (const engine of [harness.engine, other]) expect(await engine.keys.authenticate(key)).toBeUndefined();
    await expect(other.keys.remove({ keyId, by: alice })).rejects.toMatchObject({ code: "api_key_not_found" });
  });

  test("is refused in the engine that removed it even without a notice", async () => {
    const { engine } = await createHarness();
    engine.way.deafen();
    const { key, keyId } = await engine.keys.create(named);
    await engine.keys.authenticate(key);
    await engine.keys.remove({ keyId, by: alice });
    expect(await engine.keys.authenticate(key)).toBeUndefined();
  });

  test("is not cached by a lookup that was in progress during the removal", async () => {
    const { engine } = await createHarness();
    const { key, keyId } = await engine.keys.create(named);
    engine.way.on("records.find", async (work) => {
      engine.way.on("records.find", (next) => next());
      const found = await work();
      await engine.keys.remove({ keyId, by: alice });
      return found;
    });
    await engine.keys.authenticate(key);
    expect(await engine.keys.authenticate(key)).toBeUndefined();
  });

  test("is refused when only a write by another process is known", async () => {
    const inner = createMemoryStorage({ now: Date.now });
    const listeners: ((change: Change) => void)[] = [];
    const watch = (listener: (change: Change) => void) => {
      listeners.push(listener);
      return () => {};
    };
    const settings = { integrations: [], masterKey: testKey };
    const here = createEngine({ ...settings, storage: { ...inner, watch } });
    const elsewhere = createEngine({ ...settings, storage: inner });
    const { key, keyId } = await here.keys.create(named);
    expect(await here.keys.authenticate(key)).toBeDefined();
    await elsewhere.keys.remove({ keyId, by: alice });
    for (const listener of listeners) listener({ type: "resync" });
    expect(await here.keys.authenticate(key)).toBeUndefined();
  });

  test("can be removed only with the permission to manage its environment", async () => {
    const { engine } = await createHarness();
    const { keyId, key } = await engine.keys.create(named);
    const remove = (by: Principal) => engine.keys.remove({ keyId, by });
    await expect(remove({ person: "eve", permissions: ["run", "review"] })).rejects.toMatchObject({
      code: "permission_denied",
    });
    await expect(remove({ person: "eve", environment: "live" })).rejects.toMatchObject({
      code: "environment_mismatch",
    });
    expect(await engine.keys.authenticate(key)).toBeDefined();
  });
});

describe("the lookup of a key's holder", () => {
  test("reads storage once, and again after that key changed", async () => {
    const { engine, storage } = await createHarness();
    const { key, keyId } = await engine.keys.create(named);
    for (let times = 0; times < 5; times++) await engine.keys.authenticate(key);
    // The key, and the person of its name.
    expect(engine.way.count("records.find")).toBe(2);
    await rewriteRecord(storage, { kind: "api_key", id: keyId });
    expect(await engine.keys.authenticate(key)).toMatchObject({ person: "alice" });
    expect(engine.way.count("records.find")).toBe(4);
  });

  test("does not cache unknown keys: a flood of invented keys evicts no valid one", async () => {
    const { engine } = await createHarness();
    const { key } = await engine.keys.create(named);
    await engine.keys.authenticate(key);
    for (let made = 0; made < 12_000; made++) {
      await engine.keys.authenticate(`rsk_sandbox_${made.toString().padStart(43, "0")}`);
    }
    const asked = engine.way.count("records.find");
    await engine.keys.authenticate(key);
    expect(engine.way.count("records.find")).toBe(asked);
  });

  test("reports that storage is unreachable instead of refusing the key", async () => {
    const { engine } = await createHarness();
    const { key } = await engine.keys.create(named);
    engine.way.cut();
    await expect(engine.keys.authenticate(key)).rejects.toMatchObject({ code: "storage_unavailable" });
    engine.way.mend();
    expect(await engine.keys.authenticate(key)).toBeDefined();
  });
});
