import { createMemoryStorage } from "@procedo/storage";
import { describe, expect, test } from "vitest";
import { alice, createHarness, uuid } from "./harness.ts";
import { call, procedure, review } from "./documents.ts";

const ana = { person: "ana@example.com" };
const otherwise = ["Ana@Example.com", " ana@example.com\n", "ANA@EXAMPLE.COM"];
const denied = { code: "permission_denied", status: 403 };

describe("a person is the same person in every spelling of the name", () => {
  test.each(otherwise)("as the starter of a run: %j does not approve runs of ana@example.com", async (person) => {
    const harness = await createHarness();
    await harness.publish(procedure([review("r", { excludeStarter: true })]));
    for (const [starter, decider] of [
      [ana, { person }],
      [{ person }, ana],
    ] as const) {
      const runId = await harness.run({}, { by: starter });
      await expect(harness.decide(runId, { by: decider })).rejects.toMatchObject(denied);
      expect((await harness.read(runId)).startedBy).toBe("ana@example.com");
    }
  });

  test.each(otherwise)("as one of several approvers: %j counts once", async (person) => {
    const harness = await createHarness();
    const runId = await harness.runOf(procedure([review("r", { approvals: 2 })]));
    await harness.decide(runId, { by: ana });
    await expect(harness.decide(runId, { by: { person } })).rejects.toMatchObject({ code: "already_decided" });
    await harness.decide(runId, { by: { person: "ben@example.com" } });
    expect((await harness.read(runId)).status).toBe("completed");
  });

  test("as a starter, canceller, publisher and creator of keys, in records and in the chain", async () => {
    const harness = await createHarness();
    const by = { person: " Ana@Example.com" };
    await harness.publish(procedure([review("r")]), { by });
    const { person } = await harness.engine.keys.create({ name: "k", environment: "sandbox", by });
    const runId = await harness.run({}, { by });
    await harness.engine.runs.cancel({ environment: "sandbox", runId, by });
    await harness.clock.settle();
    const { items } = await harness.engine.procedures.versions({ procedureId: "p", limit: 1 });
    expect([person, items[0]?.publishedBy]).toEqual([ana.person, ana.person]);
    expect((await harness.read(runId)).error).toBe("Cancelled by ana@example.com");
    const chain = await harness.engine.audit.changes({ limit: 100 });
    const actors = new Set(chain.map((change) => change.by));
    expect([...actors].filter((one) => one !== "procedo")).toEqual([ana.person]);
  });

  test("as the person of a key, and as its creator", async () => {
    const { engine } = await createHarness();
    const by = { person: "ana@example.com", permissions: ["manage", "run"] } as const;
    const key = await engine.keys.create({ name: "k", environment: "sandbox", person: "Ana@Example.com", by });
    expect(key.person).toBe("ana@example.com");
    const foreign = engine.keys.create({ name: "k", environment: "sandbox", person: "ben@example.com", by });
    await expect(foreign).rejects.toMatchObject(denied);
  });
});

describe("a name that was stored in another spelling", () => {
  test("counts as the same person: in a key, in a decision on an open review, and as the excluded starter", async () => {
    let clock = (): number => 0;
    const storage = createMemoryStorage({ now: () => clock() });
    const harness = await createHarness({
      openStorage: (now) => {
        clock = now;
        return storage;
      },
    });
    await harness.publish(procedure([review("r", { approvals: 2, excludeStarter: true }), call("a", "once")]));
    const runId = await harness.run({}, { by: alice });
    const [open] = await harness.reviews(runId);
    // As stored by a version that compared names as texts.
    const scope = { workspace: "default", environment: "sandbox" } as const;
    const old = { decisionId: "dec_old", person: "Ana@Example.com", via: "key_1", approved: true, atMs: clock() };
    await storage.reviews.decide({
      ...old,
      scope,
      runId,
      reviewId: open?.reviewId ?? "",
      idempotencyKey: uuid(),
      body: JSON.stringify({ ...old, digest: "", idempotencyKey: uuid() }),
      approvalsNeeded: 2,
    });
    await expect(harness.decide(runId, { by: ana })).rejects.toMatchObject({ code: "already_decided" });

    const { keyId, key } = await harness.engine.keys.create({ name: "k", environment: "sandbox", by: alice });
    const address = { workspace: "default", kind: "api_key", id: keyId };
    const row = await storage.records.get(address);
    if (row === undefined) expect.unreachable();
    const body = JSON.stringify({ ...(JSON.parse(row.body) as object), person: "Ana@Example.com" });
    await storage.records.put({ record: { ...row, body }, ifRevision: row.revision });
    expect(await harness.engine.keys.authenticate(key)).toMatchObject(ana);
    const { items } = await harness.engine.keys.list({ limit: 10 });
    expect(items[0]?.person).toBe("ana@example.com");
  });
});

describe("a name that is confusable with another", () => {
  test.each([
    ["nothing", ""],
    ["blanks", "  "],
    ["a zero-width space", "ana\u200b@example.com"],
    ["a line end", "ana@example.com\nben"],
    ["more than 256 characters", "a".repeat(257)],
  ])("is refused everywhere: %s", async (_what, person) => {
    const harness = await createHarness();
    const runId = await harness.runOf(procedure([review("r")]));
    const refused = { code: "invalid_input", status: 422 };
    const by = { person };
    await expect(harness.decide(runId, { by })).rejects.toMatchObject(refused);
    await expect(harness.run({}, { by })).rejects.toMatchObject(refused);
    await expect(harness.engine.runs.cancel({ environment: "sandbox", runId, by })).rejects.toMatchObject(refused);
    const key = harness.engine.keys.create({ name: "k", environment: "sandbox", person, by: alice });
    await expect(key).rejects.toMatchObject(refused);
    expect((await harness.read(runId)).status).toBe("awaiting_review");
  });
});
