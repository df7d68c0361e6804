import { describe, expect, test } from "vitest";
import type { Principal } from "@procedo/engine";
import { alice, createHarness, type Harness } from "./harness.ts";
import { procedure, review } from "./documents.ts";

const place = { name: "k", environment: "sandbox" } as const;
const reviewing = { ...place, permissions: ["review"] } as const;

async function holder(harness: Harness, key: string): Promise<Principal> {
  return (await harness.engine.keys.authenticate(key)) ?? expect.unreachable();
}

describe("a key's roles", () => {
  test("allow its reviews, beside the role reviewer", async () => {
    const harness = await createHarness();
    const document = procedure([review("r", { reviewers: { roles: ["Treasury"] } })]);
    const tina = await harness.engine.keys.create({ ...reviewing, person: "tina", roles: [" treasury"], by: alice });
    // Keys of one millisecond have no order.
    await harness.clock.advance(1);
    const rita = await harness.engine.keys.create({ ...reviewing, person: "rita", by: alice });
    expect([tina.roles, rita.roles]).toEqual([["reviewer", "treasury"], ["reviewer"]]);
    const { items } = await harness.engine.keys.list({ limit: 10 });
    expect(items.map(({ roles }) => roles)).toEqual([tina.roles, rita.roles]);
    const runId = await harness.runOf(document);
    const denied = { code: "permission_denied" };
    await expect(harness.decide(runId, { by: await holder(harness, rita.key) })).rejects.toMatchObject(denied);
    await harness.decide(runId, { by: await holder(harness, tina.key) });
    expect((await harness.read(runId)).status).toBe("completed");
  });

  test("can be granted only by a key that has them", async () => {
    const harness = await createHarness();
    const { keys } = harness.engine;
    const all = { ...place, permissions: ["manage", "review"] } as const;
    const tina = await keys.create({ ...all, person: "tina", roles: ["treasury"], by: alice });
    const rita = await keys.create({ ...all, person: "rita", by: alice });
    const more = { ...reviewing, roles: ["Treasury"] };
    expect(await keys.create({ ...more, by: await holder(harness, tina.key) })).toMatchObject({
      person: "tina",
      roles: ["reviewer", "treasury"],
    });
    const given = keys.create({ ...more, by: await holder(harness, rita.key) });
    await expect(given).rejects.toMatchObject({
      code: "permission_denied",
      message: expect.stringContaining('"treasury"') as string,
    });
  });

  test("require the permission to review, without which they would have no effect", async () => {
    const { engine } = await createHarness();
    await expect(engine.keys.create({ ...place, roles: ["treasury"], by: alice })).rejects.toMatchObject({
      code: "invalid_input",
      details: [{ path: "/roles" }],
    });
  });

  test("are names of visible characters", async () => {
    const { engine } = await createHarness();
    const key = engine.keys.create({ ...reviewing, roles: ["trea\u200bsury"], by: alice });
    await expect(key).rejects.toMatchObject({ code: "invalid_input", details: [{ path: "/roles/0" }] });
  });
});

describe("a deleted key", () => {
  const two = procedure([review("r", { approvals: 2 })]);

  test("keeps its decision as it was: it counts towards the quorum, once for its person", async () => {
    const harness = await createHarness();
    const { keys } = harness.engine;
    const { key, keyId } = await keys.create({ ...reviewing, person: "rita", by: alice });
    const runId = await harness.runOf(two);
    await harness.decide(runId, { by: await holder(harness, key) });
    await keys.remove({ keyId, by: alice });

    const again = await keys.create({ ...reviewing, person: "Rita", by: alice });
    const twice = harness.decide(runId, { by: await holder(harness, again.key) });
    await expect(twice).rejects.toMatchObject({ code: "already_decided" });

    const ben = await keys.create({ ...reviewing, person: "ben", by: alice });
    await harness.decide(runId, { by: await holder(harness, ben.key) });
    expect((await harness.read(runId)).status).toBe("completed");
    const [decided] = await harness.reviews(runId);
    expect(decided?.decisions.map(({ person, via }) => [person, via])).toEqual([
      ["rita", keyId],
      ["ben", ben.keyId],
    ]);
  });
});
