import type { Engine, HeldKey, Principal } from "@procedo/engine";
import { describe, expect, onTestFinished, test } from "vitest";
import { alice, bob, createHarness, uuid, type Harness } from "./harness.ts";
import { call, procedure, review } from "./documents.ts";
import { rewriteRecord } from "./rewrite-record.ts";

const named = { name: "CI", environment: "sandbox", by: alice } as const;
const unauthorized = { code: "unauthorized", status: 401 };

async function hold(engine: Engine, key: string): Promise<HeldKey & { readonly reported: () => number }> {
  const held = (await engine.keys.hold(key)) ?? expect.unreachable();
  onTestFinished(() => held.release());
  let reported = 0;
  held.whenDeleted(() => (reported += 1));
  return Object.assign(held, { reported: () => reported });
}

describe("the deletion of a key that is in use is noticed", () => {
  test("at once in the engine that deletes it, before the deletion is answered, even without a notice", async () => {
    const { engine } = await createHarness();
    engine.way.deafen();
    const { key, keyId } = await engine.keys.create(named);
    const [one, two] = [await hold(engine, key), await hold(engine, key)];
    expect(one.principalIn().isRevoked?.()).toBe(false);
    await engine.keys.remove({ keyId, by: alice });
    expect([one.reported(), two.reported(), one.isDeleted, one.principalIn().isRevoked?.()]).toEqual([
      1,
      1,
      true,
      true,
    ]);
    let late = 0;
    one.whenDeleted(() => (late += 1));
    expect(late).toBe(1);
  });

  test("in another engine as soon as the notice arrives", async () => {
    const harness = await createHarness();
    const other = await harness.addEngine();
    const { key, keyId } = await harness.engine.keys.create(named);
    const held = await hold(other, key);
    await harness.engine.keys.remove({ keyId, by: alice });
    await harness.clock.settle();
    expect(held.reported()).toBe(1);
  });

  test("within 5 seconds without a notice, and no later request is accepted with it", async () => {
    const harness = await createHarness();
    const other = await harness.addEngine();
    other.way.deafen();
    const { key, keyId } = await harness.engine.keys.create(named);
    const held = await hold(other, key);
    await harness.clock.advance(4_000);
    expect(await other.keys.authenticate(key)).toBeDefined();
    await harness.engine.keys.remove({ keyId, by: alice });
    await harness.clock.advance(1_000);
    expect(held.reported()).toBe(1);
    expect(await other.keys.authenticate(key)).toBeUndefined();
  });

  test("and a key that no request uses is cached for 5 seconds without a notice", async () => {
    const harness = await createHarness();
    const other = await harness.addEngine();
    other.way.deafen();
    const { key, keyId } = await harness.engine.keys.create(named);
    expect(await other.keys.authenticate(key)).toBeDefined();
    await harness.engine.keys.remove({ keyId, by: alice });
    await harness.clock.advance(5_000);
    expect(await other.keys.authenticate(key)).toBeUndefined();
  });

  test("when it happens during the lookup of the key's holder", async () => {
    const { engine } = await createHarness();
    const { key, keyId } = await engine.keys.create(named);
    engine.way.on("records.find", async (work) => {
      engine.way.on("records.find", (next) => next());
      const found = await work();
      await engine.keys.remove({ keyId, by: alice });
      return found;
    });
    expect(await engine.keys.hold(key)).toBeUndefined();
  });

  test("also when it happens during the check for the key's existence", async () => {
    const harness = await createHarness();
    const other = await harness.addEngine();
    const { key, keyId } = await harness.engine.keys.create(named);
    const held = await hold(other, key);
    other.way.on("records.find", async (work) => {
      const found = await work();
      other.way.on("records.find", (again) => again());
      await harness.engine.keys.remove({ keyId, by: alice });
      return found;
    });
    await rewriteRecord(harness.storage, { kind: "api_key", id: keyId });
    await harness.clock.settle();
    expect(held.reported()).toBe(1);
  });

  test("when storage answers again: an outage says nothing about a key", async () => {
    const harness = await createHarness();
    const other = await harness.addEngine();
    const { key, keyId } = await harness.engine.keys.create(named);
    const held = await hold(other, key);
    other.way.on("records.find", async () => {
      throw new Error("The storage cannot be reached.");
    });
    await harness.engine.keys.remove({ keyId, by: alice });
    await harness.clock.advance(5_000);
    expect(held.reported()).toBe(0);
    other.way.on("records.find", (work) => work());
    await harness.clock.advance(1_000);
    expect(held.reported()).toBe(1);
  });

  test("until the key is released: then there is neither a callback nor a check", async () => {
    const harness = await createHarness();
    const { engine } = harness;
    const { key, keyId } = await engine.keys.create(named);
    const held = await hold(engine, key);
    held.release();
    const asked = engine.way.count("records.find");
    await rewriteRecord(harness.storage, { kind: "api_key", id: keyId });
    await harness.clock.advance(60_000);
    expect(engine.way.count("records.find")).toBe(asked);
    await engine.keys.remove({ keyId, by: alice });
    expect(held.reported()).toBe(0);
  });

  test("with one lookup per key, however many requests use it", async () => {
    const { engine, clock, storage } = await createHarness();
    const { key, keyId } = await engine.keys.create(named);
    for (let requests = 0; requests < 50; requests++) await hold(engine, key);
    // The key, and the person of its name.
    expect(engine.way.count("records.find")).toBe(2);
    await rewriteRecord(storage, { kind: "api_key", id: keyId });
    await clock.settle();
    expect(engine.way.count("records.find")).toBe(4);
  });

  test("without a storage request after a change of another key", async () => {
    const { engine, clock, storage } = await createHarness();
    const [{ key }, { keyId: otherId }] = [await engine.keys.create(named), await engine.keys.create(named)];
    await hold(engine, key);
    const asked = engine.way.count("records.find");
    await rewriteRecord(storage, { kind: "api_key", id: otherId });
    await engine.keys.remove({ keyId: otherId, by: alice });
    await clock.settle();
    await hold(engine, key);
    expect(engine.way.count("records.find")).toBe(asked);
  });
});

/** A principal whose key can be deleted, as the engine sees it. */
function deletable(): { readonly by: Principal; delete(): void } {
  let isRevoked = false;
  return {
    by: { ...bob, via: "key_1", isRevoked: () => isRevoked },
    delete: () => {
      isRevoked = true;
    },
  };
}

const echo = procedure([call("a", "once")]);
const runsOf = async (harness: Harness) =>
  (await harness.engine.runs.list({ environment: "sandbox", limit: 200 })).items;

describe("a key that is deleted during a start starts no run", () => {
  const start = { procedureId: "p", environment: "sandbox", data: {} } as const;

  test("while the start waits in the limiter", async () => {
    const harness = await createHarness();
    await harness.publish(echo);
    const { by, delete: deleteKey } = deletable();
    let pass = (): void => {};
    const passing = new Promise<void>((resolve) => (pass = resolve));
    harness.engine.way.on("runs.commit", async (work) => {
      await passing;
      return await work();
    });
    const before = Array.from({ length: 128 }, () => harness.engine.runs.start({ ...start, by: alice }));
    const waiting = harness.engine.runs.start({ ...start, by });
    const refused = expect(waiting).rejects.toMatchObject(unauthorized);
    deleteKey();
    pass();
    await Promise.all(before);
    await refused;
    expect((await runsOf(harness)).filter(({ startedBy }) => startedBy === "bob")).toEqual([]);
  });

  test.each([true, false])("while its version is read (worker: %s)", async (started) => {
    const harness = await createHarness({ started });
    await harness.publish(echo);
    const { by, delete: deleteKey } = deletable();
    harness.engine.way.on("procedures.version", async (work) => {
      const version = await work();
      deleteKey();
      return version;
    });
    harness.engine.way.on("procedures.defaultVersion", async (work) => {
      const version = await work();
      deleteKey();
      return version;
    });
    await expect(harness.engine.runs.start({ ...start, by })).rejects.toMatchObject(unauthorized);
    expect(harness.engine.way.count("runs.commit")).toBe(0);
    await harness.clock.settle();
    expect([await runsOf(harness), harness.bank.calls.length, harness.engine.logged]).toEqual([[], 0, []]);
  });

  test("before the first row of its run is written", async () => {
    const harness = await createHarness();
    await harness.publish(echo);
    const { by, delete: deleteKey } = deletable();
    // The first step's connection is read before the row, and again if its name may have been taken.
    await harness.engine.connections.create({ name: "office", integration: "private_connection", by: alice });
    harness.engine.way.on("records.list", async (work) => {
      const found = await work();
      deleteKey();
      return found;
    });
    harness.engine.way.on("records.get", async (work) => {
      const found = await work();
      deleteKey();
      return found;
    });
    harness.engine.way.on("records.find", async (work) => {
      const found = await work();
      deleteKey();
      return found;
    });
    await expect(harness.engine.runs.start({ ...start, by })).rejects.toMatchObject(unauthorized);
    expect([await runsOf(harness), harness.bank.calls.length, harness.engine.runs.quarantinedRuns()]).toEqual([
      [],
      0,
      [],
    ]);
  });

  test("and gets no access to a run that was started before", async () => {
    const harness = await createHarness();
    await harness.publish(echo);
    const { by, delete: deleteKey } = deletable();
    const request = { ...start, idempotencyKey: "k", by };
    await harness.engine.runs.start(request);
    harness.engine.way.on("runs.findByKey", async (work) => {
      const found = await work();
      deleteKey();
      return found;
    });
    await expect(harness.engine.runs.start(request)).rejects.toMatchObject(unauthorized);
    expect(await runsOf(harness)).toHaveLength(1);
  });
});

describe("a key that is deleted during a decision decides no review", () => {
  const open = async (harness: Harness): Promise<string> =>
    await harness.runOf(procedure([review("r"), call("a", "once")]));

  test("while the run's reviews are read", async () => {
    const harness = await createHarness();
    const runId = await open(harness);
    const other = await harness.addEngine({ started: false });
    const { by, delete: deleteKey } = deletable();
    other.way.on("reviews.ofRun", async (work) => {
      const reviews = await work();
      deleteKey();
      return reviews;
    });
    const decision = { environment: "sandbox", runId, approved: true, idempotencyKey: uuid(), by } as const;
    await expect(other.reviews.decide(decision)).rejects.toMatchObject(unauthorized);
    expect((await harness.reviews(runId))[0]).toMatchObject({ status: "open", decisions: [] });
  });

  test("after its decision was checked and before storage records it", async () => {
    const harness = await createHarness();
    const runId = await open(harness);
    let checks = 0;
    const by = { ...bob, via: "key_1", isRevoked: () => checks++ > 0 };
    const decision = { environment: "sandbox", runId, approved: true, idempotencyKey: uuid(), by } as const;
    await expect(harness.engine.reviews.decide(decision)).rejects.toMatchObject(unauthorized);
    expect((await harness.reviews(runId))[0]).toMatchObject({ status: "open", decisions: [] });
    expect(harness.bank.calls).toHaveLength(0);
    // The run still waits, and another person's decision is accepted.
    await harness.decide(runId, { by: { person: "carol", roles: ["reviewer"] } });
    await harness.clock.advance(1_000);
    expect((await harness.read(runId)).status).toBe("completed");
  });
});

test("a queued managed change of a deleted key is neither written nor recorded", async () => {
  const harness = await createHarness();
  const { engine, storage } = harness;
  const { by, delete: deleteKey } = deletable();
  const before = (await storage.audit.list({ workspace: "default", afterSeq: 0, limit: 100 })).length;
  engine.way.on("audit.head", async (work) => {
    const head = await work();
    deleteKey();
    return head;
  });
  await expect(engine.keys.create({ ...named, by })).rejects.toMatchObject(unauthorized);
  expect((await engine.keys.list({ limit: 10 })).items).toEqual([]);
  expect(await storage.audit.list({ workspace: "default", afterSeq: 0, limit: 100 })).toHaveLength(before);
});
