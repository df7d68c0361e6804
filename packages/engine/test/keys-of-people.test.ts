import { describe, expect, test } from "vitest";
import type { Principal } from "@procedo/engine";
import { createHarness, type Harness } from "./harness.ts";
import { call, procedure, review } from "./documents.ts";
import { enter, held, join, operator, ownerAccess } from "./people-harness.ts";

const email = "ana@example.com";
const all = {
  name: "k",
  environment: "live",
  permissions: ["run", "manage", "review"],
  person: email,
  by: operator,
} as const;

describe("a key of a person", () => {
  test("does no more than the person may now in its environment, and again more when they may", async () => {
    const harness = await createHarness();
    const { engine } = harness;
    const { personId } = await join(engine, email, { live: ["builder", "reviewer"], sandbox: ["viewer"] }, [
      "treasury",
    ]);
    const live = await engine.keys.create({ ...all, roles: ["treasury", "audit"] });
    const sandbox = await engine.keys.create({ ...all, environment: "sandbox" });
    const may = async (key: string) => {
      const principal = await engine.keys.authenticate(key);
      return principal && [principal.permissions, principal.roles];
    };
    expect(await may(live.key)).toEqual([
      ["run", "manage", "review"],
      ["reviewer", "treasury"],
    ]);
    expect(await may(sandbox.key)).toEqual([[], []]);
    await engine.people.update({ personId, access: { live: ["viewer"] }, by: operator });
    expect(await may(live.key)).toEqual([[], ["treasury"]]);
    await engine.people.update({ personId, access: { live: [] }, by: operator });
    expect(await may(live.key)).toBeUndefined();
    await engine.people.update({ personId, access: { live: ["reviewer"] }, groups: ["audit"], by: operator });
    expect(await may(live.key)).toEqual([["review"], ["reviewer", "audit"]]);
    expect((await engine.keys.list({ limit: 10 })).items[0]).toMatchObject({ permissions: all.permissions });
  });

  test("is refused while the person is not active, and names itself at the deactivation", async () => {
    const { engine } = await createHarness();
    const { personId } = await join(engine, email, { live: ["builder"] });
    const { key, ...shown } = await engine.keys.create(all);
    expect(await engine.people.deactivate({ personId, by: operator })).toEqual({ keys: [shown] });
    expect(await engine.keys.authenticate(key)).toBeUndefined();
    expect(await engine.keys.hold(key)).toBeUndefined();
    await engine.people.update({ personId, isActive: true, by: operator });
    expect(await engine.keys.authenticate(key)).toBeDefined();
    await engine.people.deactivate({ personId, removeKeys: true, by: operator });
    expect((await engine.keys.list({ limit: 10 })).items).toEqual([]);
  });

  test("stops its requests in progress when the person is deactivated or loses access, on each node", async () => {
    for (const change of ["deactivate", "update"] as const) {
      const harness = await createHarness();
      const other = await harness.addEngine();
      const { personId } = await join(harness.engine, email, { live: ["builder"] });
      const { key } = await harness.engine.keys.create(all);
      const holds = [await harness.engine.keys.hold(key), await other.keys.hold(key)];
      if (change === "deactivate") await harness.engine.people.deactivate({ personId, by: operator });
      else await harness.engine.people.update({ personId, access: { live: ["viewer"] }, by: operator });
      await harness.clock.settle();
      expect(holds.map((hold) => hold?.isDeleted)).toEqual([true, true]);
    }
  });

  test("goes on when only the name of the person changes", async () => {
    const harness = await createHarness();
    const { personId } = await join(harness.engine, email, { live: ["builder"] });
    const hold = await harness.engine.keys.hold((await harness.engine.keys.create(all)).key);
    await harness.engine.people.update({ personId, name: "Ana B", by: operator });
    await harness.clock.settle();
    expect(hold?.isDeleted).toBe(false);
    hold?.release();
  });

  test("of a name that is no person keeps its own permissions", async () => {
    const { engine } = await createHarness();
    const { key } = await engine.keys.create({ ...all, person: "ben" });
    await join(engine, email);
    await engine.people.invite({ email: "ben@example.com", access: { live: ["viewer"] }, by: operator });
    expect(await engine.keys.authenticate(key)).toMatchObject({ person: "ben", permissions: all.permissions });
  });

  test("that was created before its person joined is limited from then on", async () => {
    const { engine } = await createHarness();
    const { key } = await engine.keys.create(all);
    expect(await engine.keys.authenticate(key)).toMatchObject({ permissions: all.permissions });
    await join(engine, email, { live: ["viewer"] });
    expect(await engine.keys.authenticate(key)).toMatchObject({ permissions: [] });
  });
});

describe("once people have joined, a new key", () => {
  test.each([
    ["a name that is no address", "operator"],
    ["an unknown address", "eve@example.com"],
    ["an address that was only invited", "open@example.com"],
    ["a deactivated person", "gone@example.com"],
  ])("is refused for %s", async (_what, person) => {
    const { engine } = await createHarness();
    await join(engine, email);
    const { personId } = await join(engine, "gone@example.com");
    await engine.people.deactivate({ personId, by: operator });
    await engine.people.invite({ email: "open@example.com", access: { live: ["viewer"] }, by: operator });
    await expect(engine.keys.create({ ...all, person })).rejects.toMatchObject({ code: "person_not_found" });
    expect((await engine.keys.create({ ...all, person: "ANA@example.com" })).person).toBe(email);
  });

  test("is not made by a key of a name without an account", async () => {
    const { engine } = await createHarness();
    const before = await engine.keys.create({ ...all, person: "operator" });
    await join(engine, email);
    const by = await engine.keys.authenticate(before.key);
    if (by === undefined) throw new Error("The key of before is refused.");
    const asked = engine.keys.create({ name: "k", environment: "live", permissions: ["run"], by });
    await expect(asked).rejects.toMatchObject({
      code: "permission_denied",
      message: expect.stringContaining("--person EMAIL"),
    });
  });

  test("is refused if the person is deactivated while it is created", async () => {
    const harness = await createHarness();
    const other = await harness.addEngine();
    const { personId } = await join(harness.engine, email, { live: ["builder"] });
    harness.engine.way.on("records.put", async (work) => {
      harness.engine.way.on("records.put", (next) => next());
      await other.people.deactivate({ personId, by: operator });
      return await work();
    });
    await expect(harness.engine.keys.create(all)).rejects.toMatchObject({ code: "person_not_found" });
    expect((await other.keys.list({ limit: 10 })).items).toEqual([]);
  });

  test("of a session has at most the permissions and roles of its person, who cannot name another", async () => {
    const { engine } = await createHarness();
    const person = await join(engine, email, { live: ["builder"] });
    await join(engine, "ben@example.com");
    const by = (await held(engine, (await enter(engine, person)).token)).principalIn("live");
    const own = { name: "k", environment: "live", by } as const;
    expect(await engine.keys.create(own)).toMatchObject({ person: email, permissions: ["run", "manage"] });
    const code = "permission_denied";
    await expect(engine.keys.create({ ...own, permissions: ["review"] })).rejects.toMatchObject({ code });
    await expect(engine.keys.create({ ...own, person: "ben@example.com" })).rejects.toMatchObject({ code });
    const elsewhere = engine.keys.create({ ...own, environment: "sandbox" });
    await expect(elsewhere).rejects.toMatchObject({ code: "environment_mismatch" });
  });
});

describe("four eyes", () => {
  const principals = async ({ engine }: Harness): Promise<readonly Principal[]> => {
    const access = { sandbox: ["builder" as const, "reviewer" as const] };
    const { token } = await enter(engine, await join(engine, email, access));
    const hold = await held(engine, token);
    const keys = await Promise.all(
      [email, " Ana@Example.com "].map((person) => engine.keys.create({ ...all, environment: "sandbox", person })),
    );
    const acting = await Promise.all(keys.map(({ key }) => engine.keys.authenticate(key)));
    return [hold.principalIn("sandbox"), ...acting.map((one) => one ?? expect.unreachable())];
  };

  test("a person with a session and two keys is one person, who does not approve twice", async () => {
    const harness = await createHarness();
    const [session, ...keys] = await principals(harness);
    const runId = await harness.runOf(procedure([review("r", { approvals: 2 }), call("a", "once")]));
    expect(await harness.decide(runId, { by: session ?? expect.unreachable() })).toMatchObject({ status: "recorded" });
    for (const by of keys) {
      await expect(harness.decide(runId, { by })).rejects.toMatchObject({ code: "already_decided" });
    }
    expect(harness.bank.calls).toEqual([]);
  });

  test("and does not approve what they started, by whichever of them", async () => {
    for (const starter of [0, 1, 2]) {
      const harness = await createHarness();
      const all = await principals(harness);
      await harness.publish(procedure([review("r", { excludeStarter: true }), call("a", "once")]));
      const runId = await harness.run({}, { by: all[starter] ?? expect.unreachable() });
      for (const by of all) {
        await expect(harness.decide(runId, { by })).rejects.toMatchObject({ code: "permission_denied" });
      }
      expect(harness.bank.calls).toEqual([]);
    }
  });
});

test("an owner of both environments is no reviewer by that", async () => {
  const harness = await createHarness();
  const owner = await join(harness.engine, "olga@example.com", ownerAccess);
  const by = (await held(harness.engine, (await enter(harness.engine, owner)).token)).principalIn("sandbox");
  const runId = await harness.runOf(procedure([review("r"), call("a", "once")]));
  await expect(harness.decide(runId, { by })).rejects.toMatchObject({ code: "permission_denied" });
});
