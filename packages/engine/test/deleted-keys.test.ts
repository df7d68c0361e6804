import type { Engine, HeldKey, Principal } from "@procedo/engine";
import { describe, expect, onTestFinished, test } from "vitest";
import { alice, bob, createBench, uuid, type Bench } from "./bench.ts";
import { call, procedure, review } from "./documents.ts";
import { rewriteRecord } from "./rewrite-record.ts";

const named = { name: "CI", environment: "sandbox", by: alice } as const;
const unauthorized = { code: "unauthorized", status: 401 };

async function hold(engine: Engine, key: string): Promise<HeldKey & { readonly told: () => number }> {
  const held = (await engine.keys.hold(key)) ?? expect.unreachable();
  onTestFinished(() => held.release());
  let told = 0;
  held.whenDeleted(() => (told += 1));
  return Object.assign(held, { told: () => told });
}

describe("a key that is held hears of its deletion", () => {
  test("at once in the engine that deletes it, before the deletion is answered, also when no change is told of", async () => {
    const { engine } = await createBench();
    engine.way.deafen();
    const { key, keyId } = await engine.keys.create(named);
    const [one, two] = [await hold(engine, key), await hold(engine, key)];
    expect(one.principal.isRevoked?.()).toBe(false);
    await engine.keys.remove({ keyId, by: alice });
    expect([one.told(), two.told(), one.isDeleted, one.principal.isRevoked?.()]).toEqual([1, 1, true, true]);
    let late = 0;
    one.whenDeleted(() => (late += 1));
    expect(late).toBe(1);
  });

  test("in another engine as soon as the change is told of", async () => {
    const bench = await createBench();
    const other = await bench.addEngine();
    const { key, keyId } = await bench.engine.keys.create(named);
    const held = await hold(other, key);
    await bench.engine.keys.remove({ keyId, by: alice });
    await bench.clock.settle();
    expect(held.told()).toBe(1);
  });

  test("within 10 seconds where nothing is told of, and no request begins with it from then on", async () => {
    const bench = await createBench();
    const other = await bench.addEngine();
    other.way.deafen();
    const { key, keyId } = await bench.engine.keys.create(named);
    const held = await hold(other, key);
    await bench.clock.advance(9_000);
    expect(await other.keys.authenticate(key)).toBeDefined();
    await bench.engine.keys.remove({ keyId, by: alice });
    await bench.clock.advance(1_000);
    expect(held.told()).toBe(1);
    expect(await other.keys.authenticate(key)).toBeUndefined();
  });

  test("and while no request holds it, it is remembered for 10 seconds where nothing is told of", async () => {
    const bench = await createBench();
    const other = await bench.addEngine();
    other.way.deafen();
    const { key, keyId } = await bench.engine.keys.create(named);
    expect(await other.keys.authenticate(key)).toBeDefined();
    await bench.engine.keys.remove({ keyId, by: alice });
    await bench.clock.advance(10_000);
    expect(await other.keys.authenticate(key)).toBeUndefined();
  });

  test("when it is deleted while storage is asked who holds it: it is not held", async () => {
    const { engine } = await createBench();
    const { key, keyId } = await engine.keys.create(named);
    engine.way.on("records.find", async (work) => {
      const found = await work();
      await engine.keys.remove({ keyId, by: alice });
      return found;
    });
    expect(await engine.keys.hold(key)).toBeUndefined();
  });

  test("also when it is deleted while storage is asked whether it exists still", async () => {
    const bench = await createBench();
    const other = await bench.addEngine();
    const { key, keyId } = await bench.engine.keys.create(named);
    const held = await hold(other, key);
    other.way.on("records.find", async (work) => {
      const found = await work();
      other.way.on("records.find", (again) => again());
      await bench.engine.keys.remove({ keyId, by: alice });
      return found;
    });
    await rewriteRecord(bench.storage, { kind: "api_key", id: keyId });
    await bench.clock.settle();
    expect(held.told()).toBe(1);
  });

  test("when storage answers again: silence says nothing of a key", async () => {
    const bench = await createBench();
    const other = await bench.addEngine();
    const { key, keyId } = await bench.engine.keys.create(named);
    const held = await hold(other, key);
    other.way.on("records.find", async () => {
      throw new Error("The storage cannot be reached.");
    });
    await bench.engine.keys.remove({ keyId, by: alice });
    await bench.clock.advance(5_000);
    expect(held.told()).toBe(0);
    other.way.on("records.find", (work) => work());
    await bench.clock.advance(1_000);
    expect(held.told()).toBe(1);
  });

  test("until it is released: then it is neither called back nor asked for", async () => {
    const bench = await createBench();
    const { engine } = bench;
    const { key, keyId } = await engine.keys.create(named);
    const held = await hold(engine, key);
    held.release();
    const asked = engine.way.count("records.find");
    await rewriteRecord(bench.storage, { kind: "api_key", id: keyId });
    await bench.clock.advance(60_000);
    expect(engine.way.count("records.find")).toBe(asked);
    await engine.keys.remove({ keyId, by: alice });
    expect(held.told()).toBe(0);
  });

  test("and asking costs storage one question for a key, however many requests hold it", async () => {
    const { engine, clock, storage } = await createBench();
    const { key, keyId } = await engine.keys.create(named);
    for (let requests = 0; requests < 50; requests++) await hold(engine, key);
    expect(engine.way.count("records.find")).toBe(1);
    await rewriteRecord(storage, { kind: "api_key", id: keyId });
    await clock.settle();
    expect(engine.way.count("records.find")).toBe(2);
  });

  test("and a change of another key asks nothing of storage", async () => {
    const { engine, clock, storage } = await createBench();
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

/** A principal whose key can be deleted, as far as the engine sees. */
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
const runsOf = async (bench: Bench) => (await bench.engine.runs.list({ environment: "sandbox", limit: 200 })).items;

describe("a key that is deleted on the way starts no run", () => {
  const start = { procedureId: "p", environment: "sandbox", data: {} } as const;

  test("while the start waits at the gate", async () => {
    const bench = await createBench();
    await bench.publish(echo);
    const { by, delete: deleteKey } = deletable();
    let letGo = (): void => {};
    const passing = new Promise<void>((resolve) => (letGo = resolve));
    bench.engine.way.on("runs.commit", async (work) => {
      await passing;
      return await work();
    });
    const before = Array.from({ length: 128 }, () => bench.engine.runs.start({ ...start, by: alice }));
    const waiting = bench.engine.runs.start({ ...start, by });
    const refused = expect(waiting).rejects.toMatchObject(unauthorized);
    deleteKey();
    letGo();
    await Promise.all(before);
    await refused;
    expect((await runsOf(bench)).filter(({ startedBy }) => startedBy === "bob")).toEqual([]);
  });

  test.each([true, false])("while its version is read (worker: %s)", async (started) => {
    const bench = await createBench({ started });
    await bench.publish(echo);
    const { by, delete: deleteKey } = deletable();
    bench.engine.way.on("procedures.version", async (work) => {
      const version = await work();
      deleteKey();
      return version;
    });
    bench.engine.way.on("procedures.defaultVersion", async (work) => {
      const version = await work();
      deleteKey();
      return version;
    });
    await expect(bench.engine.runs.start({ ...start, by })).rejects.toMatchObject(unauthorized);
    expect(bench.engine.way.count("runs.commit")).toBe(0);
    await bench.clock.settle();
    expect([await runsOf(bench), bench.bank.calls.length, bench.engine.logged]).toEqual([[], 0, []]);
  });

  test("while its run comes to its first row", async () => {
    const bench = await createBench();
    await bench.publish(echo);
    const { by, delete: deleteKey } = deletable();
    // What a first step has to know of its connection is read before the row, and again where a name may have been taken.
    await bench.engine.connections.create({ name: "office", integration: "private_connection", by: alice });
    bench.engine.way.on("records.list", async (work) => {
      const found = await work();
      deleteKey();
      return found;
    });
    bench.engine.way.on("records.get", async (work) => {
      const found = await work();
      deleteKey();
      return found;
    });
    bench.engine.way.on("records.find", async (work) => {
      const found = await work();
      deleteKey();
      return found;
    });
    await expect(bench.engine.runs.start({ ...start, by })).rejects.toMatchObject(unauthorized);
    expect([await runsOf(bench), bench.bank.calls.length, bench.engine.runs.quarantinedRuns()]).toEqual([[], 0, []]);
  });

  test("and gets hold of no run that was started before", async () => {
    const bench = await createBench();
    await bench.publish(echo);
    const { by, delete: deleteKey } = deletable();
    const request = { ...start, idempotencyKey: "k", by };
    await bench.engine.runs.start(request);
    bench.engine.way.on("runs.findByKey", async (work) => {
      const found = await work();
      deleteKey();
      return found;
    });
    await expect(bench.engine.runs.start(request)).rejects.toMatchObject(unauthorized);
    expect(await runsOf(bench)).toHaveLength(1);
  });
});

describe("a key that is deleted on the way decides no review", () => {
  const open = async (bench: Bench): Promise<string> => await bench.runOf(procedure([review("r"), call("a", "once")]));

  test("while the run's reviews are read", async () => {
    const bench = await createBench();
    const runId = await open(bench);
    const other = await bench.addEngine({ started: false });
    const { by, delete: deleteKey } = deletable();
    other.way.on("reviews.ofRun", async (work) => {
      const reviews = await work();
      deleteKey();
      return reviews;
    });
    const decision = { environment: "sandbox", runId, approved: true, idempotencyKey: uuid(), by } as const;
    await expect(other.reviews.decide(decision)).rejects.toMatchObject(unauthorized);
    expect((await bench.reviews(runId))[0]).toMatchObject({ status: "open", decisions: [] });
  });

  test("after its decision was checked and before storage is asked to take it", async () => {
    const bench = await createBench();
    const runId = await open(bench);
    let checks = 0;
    const by = { ...bob, via: "key_1", isRevoked: () => checks++ > 0 };
    const decision = { environment: "sandbox", runId, approved: true, idempotencyKey: uuid(), by } as const;
    await expect(bench.engine.reviews.decide(decision)).rejects.toMatchObject(unauthorized);
    expect((await bench.reviews(runId))[0]).toMatchObject({ status: "open", decisions: [] });
    expect(bench.bank.calls).toHaveLength(0);
    // The run still waits, and another person's decision is taken.
    await bench.decide(runId, { by: { person: "carol", roles: ["reviewer"] } });
    await bench.clock.advance(1_000);
    expect((await bench.read(runId)).status).toBe("completed");
  });
});

test("a managed change whose turn comes after the key's deletion is not written, and stands in no record", async () => {
  const bench = await createBench();
  const { engine, storage } = bench;
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
