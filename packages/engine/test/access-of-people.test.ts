import { accessRoles, environments } from "@procedo/contract";
import { authorize, type AccessChanges, type Principal } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { createHarness } from "./harness.ts";
import { enter, held, join, operator, ownerAccess } from "./people-harness.ts";

const codeOf = (work: () => unknown): string => {
  try {
    work();
    return "allowed";
  } catch (error) {
    return (error as { readonly code: string }).code;
  }
};
const codeLater = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "allowed",
    (error: unknown) => (error as { readonly code: string }).code,
  );

const permissions = ["run", "manage", "review", "administer"] as const;
const expected: Readonly<Record<string, readonly string[]>> = {
  none: [],
  viewer: [],
  reviewer: ["review"],
  builder: ["run", "manage"],
  owner: ["run", "manage", "administer"],
};

describe.each(["none", ...accessRoles] as const)("a person with the role %s in live", (role) => {
  test("may do what the role permits in live, and nothing in sandbox", async () => {
    const { engine } = await createHarness();
    const access: AccessChanges = role === "none" ? {} : { live: [role] };
    const { token } = await enter(engine, await join(engine, "ana@example.com", access, ["treasury"]));
    const hold = await held(engine, token);
    expect(codeOf(() => hold.principalIn("sandbox"))).toBe("permission_denied");
    const wanted = (permission: string) => (expected[role]?.includes(permission) ? "allowed" : "permission_denied");
    for (const permission of permissions) {
      const may = codeOf(() => authorize(hold.principalIn("live"), permission, "live"));
      expect([permission, may]).toEqual([permission, role === "none" ? "permission_denied" : wanted(permission)]);
      expect(codeOf(() => authorize(hold.principalIn(), permission))).toBe("permission_denied");
    }
    if (role !== "none") {
      expect(hold.principalIn("live")).toMatchObject({
        person: "ana@example.com",
        via: hold.session.sessionId,
        environment: "live",
        roles: [role, "treasury"],
      });
    }
    hold.release();
  });
});

describe("only an owner changes people", () => {
  const everybody = [
    ["a viewer", { sandbox: ["viewer"], live: ["viewer"] }],
    ["a reviewer", { sandbox: ["reviewer"], live: ["reviewer"] }],
    ["a builder", { sandbox: ["builder"], live: ["builder"] }],
    ["an owner of sandbox", { sandbox: ["owner"], live: ["builder"] }],
  ] as const;

  test.each(everybody)("and not %s", async (_who, access) => {
    const { engine } = await createHarness();
    const { people } = engine;
    const other = await join(engine, "ben@example.com", { live: ["viewer"] });
    const own = await join(engine, "ana@example.com", { sandbox: [...access.sandbox], live: [...access.live] });
    const hold = await held(engine, (await enter(engine, own)).token);
    const open = await people.invite({ email: "eve@example.com", access: { live: ["viewer"] }, by: operator });
    for (const by of [hold.principalIn(), hold.principalIn("live")]) {
      for (const { personId } of [own, other]) {
        expect(await codeLater(people.update({ personId, access: { live: ["owner"] }, by }))).toBe("permission_denied");
        expect(await codeLater(people.update({ personId, groups: ["treasury"], by }))).toBe("permission_denied");
        expect(await codeLater(people.update({ personId, name: "X", by }))).toBe("permission_denied");
        expect(await codeLater(people.deactivate({ personId, by }))).toBe("permission_denied");
      }
      const invited = people.invite({ email: "x@example.com", access: { live: ["owner"] }, by });
      expect(await codeLater(invited)).toBe("permission_denied");
      expect(await codeLater(people.withdraw({ invitationId: open.invitationId, by }))).toBe("permission_denied");
    }
    hold.release();
  });

  test("an owner of sandbox changes the access to sandbox alone", async () => {
    const { engine } = await createHarness();
    const { people } = engine;
    const { personId } = await join(engine, "ben@example.com", { live: ["viewer"] });
    const own = await join(engine, "ana@example.com", { sandbox: ["owner"] });
    const hold = await held(engine, (await enter(engine, own)).token);
    const by = hold.principalIn("sandbox");
    expect(await people.update({ personId, access: { sandbox: ["builder"] }, by })).toMatchObject({
      access: { sandbox: ["builder"], live: ["viewer"] },
    });
    for (const change of [
      { access: { live: ["owner" as const] } },
      { access: { sandbox: [], live: [] } },
      { groups: ["treasury"] },
      { name: "Eve" },
    ]) {
      expect(await codeLater(people.update({ personId, ...change, by }))).toBe("environment_mismatch");
    }
    expect(await codeLater(people.deactivate({ personId, by }))).toBe("environment_mismatch");
    expect(await codeLater(people.update({ personId: own.personId, access: { live: ["owner"] }, by }))).toBe(
      "environment_mismatch",
    );
    hold.release();
  });

  test("and no key, even of a person who may", async () => {
    const { engine } = await createHarness();
    const { personId } = await join(engine, "ana@example.com", ownerAccess);
    for (const environment of environments) {
      const { key } = await engine.keys.create({ name: "k", environment, person: "ana@example.com", by: operator });
      const by = (await engine.keys.authenticate(key)) ?? expect.unreachable();
      expect(await codeLater(engine.people.update({ personId, name: "X", by }))).toBe("permission_denied");
    }
  });
});

describe("the last owner of both environments", () => {
  test.each([
    ["gives up one environment", { access: { live: ["builder" as const] } }],
    ["gives up both", { access: { sandbox: [], live: [] } }],
  ])("never %s", async (_what, change) => {
    const { engine } = await createHarness();
    const owner = await join(engine, "olga@example.com", ownerAccess);
    await join(engine, "half@example.com", { sandbox: ["owner"] });
    expect(await codeLater(engine.people.update({ personId: owner.personId, ...change, by: operator }))).toBe(
      "last_owner",
    );
    expect(await codeLater(engine.people.deactivate({ personId: owner.personId, by: operator }))).toBe("last_owner");
    expect(await engine.people.get(owner)).toEqual(owner);
  });

  test("stays when two owners remove each other at the same moment, on two nodes", async () => {
    for (const change of ["deactivate", "update"] as const) {
      const harness = await createHarness();
      const other = await harness.addEngine();
      const olga = await join(harness.engine, "olga@example.com", ownerAccess);
      const oskar = await join(harness.engine, "oskar@example.com", ownerAccess);
      const remove = (engine: typeof other, personId: string, person: string) => {
        const by: Principal = { person };
        return change === "deactivate"
          ? engine.people.deactivate({ personId, by })
          : engine.people.update({ personId, access: { sandbox: [], live: [] }, by });
      };
      const codes = await Promise.all([
        codeLater(remove(harness.engine, oskar.personId, olga.email)),
        codeLater(remove(other, olga.personId, oskar.email)),
      ]);
      expect(codes.sort()).toEqual(["allowed", "last_owner"]);
      const { items } = await other.people.list({ limit: 10 });
      expect(items.filter(({ isActive, access }) => isActive && access.live.includes("owner"))).toHaveLength(1);
    }
  });

  test("may go once there is another", async () => {
    const { engine } = await createHarness();
    const owner = await join(engine, "olga@example.com", ownerAccess);
    await join(engine, "oskar@example.com", ownerAccess);
    await engine.people.deactivate({ personId: owner.personId, by: operator });
    expect(await engine.people.isSetUp()).toBe(true);
  });
});

test("groups are no access roles, and normal names, each once", async () => {
  const { engine } = await createHarness();
  const { personId } = await join(engine, "ana@example.com");
  const regroup = (groups: readonly string[]) => engine.people.update({ personId, groups, by: operator });
  for (const groups of [["owner"], ["Reviewer "], [""], ["a\u200bb"], Array.from({ length: 51 }, String)]) {
    expect(await codeLater(regroup(groups))).toBe("invalid_input");
  }
  expect((await regroup(["Treasury", "treasury ", "Audit"])).groups).toEqual(["treasury", "audit"]);
});

test("people are listed in pages, without open invitations", async () => {
  const { engine } = await createHarness();
  const names = ["a@example.com", "b@example.com", "c@example.com"];
  for (const email of names) {
    await join(engine, email);
    await engine.people.invite({ email: `open-${email}`, access: { live: ["viewer"] }, by: operator });
  }
  for (const list of [engine.people.list, engine.people.invitations]) {
    const found: (string | undefined)[] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ limit: 1, ...(cursor !== undefined && { cursor }) });
      expect(page.items).toHaveLength(1);
      found.push(...page.items.map(({ email }) => email?.replace("open-", "")));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(found.sort()).toEqual(names);
  }
  const { nextCursor } = await engine.people.list({ limit: 1 });
  await expect(engine.people.invitations({ limit: 1, cursor: nextCursor ?? "" })).rejects.toMatchObject({
    code: "invalid_cursor",
  });
});

test("each change of a person is in the chain, with its actor and what changed", async () => {
  const { engine } = await createHarness();
  const { people } = engine;
  const owner = await join(engine, "olga@example.com", ownerAccess);
  const { personId } = await join(engine, "ana@example.com", { live: ["viewer"] });
  const signedIn = await enter(engine, await people.get({ personId }));
  const by = { person: owner.email, via: "ssn_1" };
  await people.update({ personId, access: { live: ["builder"] }, groups: ["audit"], by });
  await people.update({ personId, name: "Ana B", by });
  await people.deactivate({ personId, by });
  await people.update({ personId, isActive: true, by });
  const again = await enter(engine, await people.get({ personId }));
  await engine.sessions.end({ personId, sessionId: again.session.sessionId, by });
  const open = await people.invite({ email: "eve@example.com", access: { live: ["viewer"] }, by });
  await people.withdraw({ invitationId: open.invitationId, by });
  const changes = await engine.audit.changes({ limit: 100 });
  expect(changes.slice(4).map(({ action, by: actor, subject }) => [action, actor, subject])).toEqual([
    ["person.access_changed", owner.email, personId],
    ["person.renamed", owner.email, personId],
    ["person.deactivated", owner.email, personId],
    ["person.reactivated", owner.email, personId],
    ["session.ended_by_other", owner.email, personId],
    ["person.invited", owner.email, open.invitationId],
    ["person.invitation_withdrawn", owner.email, open.invitationId],
  ]);
  expect(changes[4]?.details).toMatchObject({ access: { to: { live: ["builder"] } }, groups: { to: ["audit"] } });
  expect(JSON.stringify(changes)).not.toContain(signedIn.token.slice(4));
});
