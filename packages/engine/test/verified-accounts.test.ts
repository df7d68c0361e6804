import { describe, expect, test } from "vitest";
import { createHarness } from "./harness.ts";
import { join, operator, ownerAccess, password } from "./people-harness.ts";

const email = "ana@example.com";
const identity = { issuer: "https://idp.example", subject: "1" };
const account = { identity, email, name: "Ana" };
const invited = { email, access: { live: ["reviewer" as const] }, groups: ["treasury"], by: operator };
const notFound = { code: "invitation_not_found" };

describe("an account with a verified address", () => {
  test("accepts the open invitation of the address, once, and is the person's from then on", async () => {
    const { engine } = await createHarness();
    const { people, sessions } = engine;
    const { token, invitationId: personId } = await people.invite(invited);
    const person = await people.joinVerified({ ...account, email: "ANA@Example.com" });
    const expected = {
      personId,
      email,
      name: "Ana",
      access: { sandbox: [], live: ["reviewer"] },
      groups: ["treasury"],
    };
    expect(person).toMatchObject(expected);
    await expect(people.accept({ token, name: "Eve", password })).rejects.toMatchObject(notFound);
    expect((await sessions.signInAs({ identity })).session.personId).toBe(personId);
    const joined = (await engine.audit.changes({ limit: 10 })).at(-1);
    expect(joined).toMatchObject({ action: "person.joined", by: email, via: "identity_provider" });
    expect(joined?.details).toMatchObject({ invitedBy: "operator", issuer: identity.issuer });
  });

  test("and its link accept an invitation once, on two nodes at the same moment", async () => {
    const harness = await createHarness();
    const other = await harness.addEngine();
    const { token } = await harness.engine.people.invite(invited);
    const attempts = await Promise.allSettled([
      harness.engine.people.joinVerified(account),
      other.people.joinVerified({ ...account, identity: { ...identity, subject: "2" } }),
      other.people.accept({ token, name: "Eve", password }),
    ]);
    expect(attempts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await other.people.list({ limit: 10 })).items).toHaveLength(1);
  });

  test.each([
    ["without an invitation", async () => {}],
    ["of an active person", async ({ engine }) => void (await join(engine, email))],
    [
      "whose invitation has expired",
      async ({ engine, clock }) => {
        await engine.people.invite({ ...invited, expiresInMs: 1_000 });
        await clock.advance(1_000);
      },
    ],
    [
      "of a deactivated person",
      async ({ engine }) => {
        const { personId } = await join(engine, email);
        await engine.people.deactivate({ personId, by: operator });
      },
    ],
  ] as readonly (readonly [string, (harness: Awaited<ReturnType<typeof createHarness>>) => Promise<void>])[])(
    "%s is refused",
    async (_which, prepare) => {
      const harness = await createHarness();
      await prepare(harness);
      await expect(harness.engine.people.joinVerified(account)).rejects.toMatchObject(notFound);
      await expect(harness.engine.sessions.signInAs({ identity })).rejects.toMatchObject({ code: "unauthorized" });
    },
  );

  test("that belongs to another person is refused, and the invitation stays open", async () => {
    const { engine } = await createHarness();
    await engine.people.invite(invited);
    await engine.people.joinVerified(account);
    await engine.people.invite({ ...invited, email: "ben@example.com" });
    const other = engine.people.joinVerified({ ...account, email: "ben@example.com" });
    await expect(other).rejects.toMatchObject({ code: "email_taken" });
    expect((await engine.people.invitations({ limit: 10 })).items).toHaveLength(1);
  });

  test("joins a deactivated person again by a new invitation, without their password and sessions", async () => {
    const { engine } = await createHarness();
    const { personId } = await join(engine, email);
    const { token } = await engine.sessions.signInAs({ personId });
    await engine.people.deactivate({ personId, by: operator });
    await engine.people.invite(invited);
    expect(await engine.people.joinVerified(account)).toMatchObject({ personId, isActive: true });
    await expect(engine.sessions.signIn({ email, password })).rejects.toMatchObject({ code: "unauthorized" });
    expect(await engine.sessions.hold(token)).toBeUndefined();
  });

  test.each([
    ["a name that is none", { name: "" }, "/name"],
    ["an address that is none", { email: "ana" }, "/email"],
  ])("with %s is refused", async (_what, given, path) => {
    const { engine } = await createHarness();
    const attempt = engine.people.joinVerified({ ...account, ...given });
    await expect(attempt).rejects.toMatchObject({ code: "invalid_input", details: [{ path }] });
  });
});

describe("a role for accounts that were not invited", () => {
  const otherwise = "viewer" as const;

  test("is given once the workspace has an owner, so that the address of the first owner stays free", async () => {
    const { engine } = await createHarness();
    await expect(engine.people.joinVerified({ ...account, otherwise })).rejects.toMatchObject(notFound);
    await join(engine, "olga@example.com", ownerAccess);
    const person = await engine.people.joinVerified({ ...account, otherwise });
    expect(person).toMatchObject({ email, access: { sandbox: ["viewer"], live: ["viewer"] }, groups: [] });
    const joined = (await engine.audit.changes({ limit: 10 })).at(-1);
    expect(joined?.details).not.toHaveProperty("invitedBy");
  });

  test("does not replace the access of an open invitation, and is given after one that expired", async () => {
    const { engine, clock } = await createHarness();
    await join(engine, "olga@example.com", ownerAccess);
    await engine.people.invite(invited);
    await engine.people.invite({ ...invited, email: "ben@example.com", expiresInMs: 1_000 });
    expect((await engine.people.joinVerified({ ...account, otherwise })).access.sandbox).toEqual([]);
    await clock.advance(1_000);
    const ben = { ...account, email: "ben@example.com", identity: { ...identity, subject: "2" }, otherwise };
    expect((await engine.people.joinVerified(ben)).access.sandbox).toEqual(["viewer"]);
  });

  test("is not given to a person who was deactivated", async () => {
    const { engine } = await createHarness();
    await join(engine, "olga@example.com", ownerAccess);
    const { personId } = await join(engine, email);
    await engine.people.deactivate({ personId, by: operator });
    await expect(engine.people.joinVerified({ ...account, otherwise })).rejects.toMatchObject(notFound);
  });
});
