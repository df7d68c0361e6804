/*
 * A person who forgot the password gets a link by the command, also as the only owner.
 */
import { describe, expect, test } from "vitest";
import { createHarness } from "./harness.ts";
import { enter, held, join, operator, ownerAccess, password } from "./people-harness.ts";

const email = "olga@example.com";
const next = "another one 34";
const notFound = { code: "invitation_not_found" };
const wrong = { code: "unauthorized" };

async function withOwner() {
  const harness = await createHarness();
  const owner = await join(harness.engine, email, ownerAccess, ["treasury"]);
  const reset = () => harness.engine.people.resetPassword({ personId: owner.personId, by: operator });
  return { ...harness, owner, reset };
}

describe("the link for a new password", () => {
  test("replaces the password of the only owner, ends their sessions, and keeps access and keys", async () => {
    const { engine, owner, reset, clock } = await withOwner();
    const { key } = await engine.keys.create({ name: "k", environment: "live", person: email, by: operator });
    const { token: session } = await enter(engine, owner);
    const { token, ...shown } = await reset();
    expect(shown).toMatchObject({ email, access: ownerAccess, expiresAtMs: clock.now() + 86_400_000 });
    expect(await engine.sessions.hold(session)).toBeDefined();

    const renewed = await engine.people.accept({ token, name: "Olga", password: next });
    expect(renewed).toEqual({ ...owner, name: "Olga", lastSeenAtMs: clock.now() });
    expect(await engine.sessions.hold(session)).toBeUndefined();
    await expect(engine.sessions.signIn({ email, password })).rejects.toMatchObject(wrong);
    await engine.sessions.signIn({ email, password: next });
    expect(await engine.keys.authenticate(key)).toMatchObject({ person: email });
    await expect(engine.people.accept({ token, name: "Eve", password })).rejects.toMatchObject(notFound);
    const changes = (await engine.audit.changes({ limit: 10 })).slice(-2);
    expect(changes.map(({ action, by, via }) => [action, by, via])).toEqual([
      ["person.password_reset", "operator", "command"],
      ["person.password_changed", email, "invitation"],
    ]);
  });

  test("gives the access that the person has at the acceptance", async () => {
    const { engine } = await withOwner();
    const { personId } = await join(engine, "ana@example.com", { live: ["builder"] });
    const { token } = await engine.people.resetPassword({ personId, by: operator });
    await engine.people.update({ personId, access: { live: ["viewer"] }, groups: ["audit"], by: operator });
    const now = { access: { sandbox: [], live: ["viewer"] }, groups: ["audit"] };
    expect(await engine.people.lookUp({ token })).toMatchObject(now);
    expect(await engine.people.accept({ token, name: "Ana", password: next })).toMatchObject(now);
  });

  test("keeps the account at an identity provider, and is not accepted by one", async () => {
    const { engine } = await withOwner();
    const identity = { issuer: "https://login.example.com", subject: "1" };
    const ana = "ana@example.com";
    await engine.people.invite({ email: ana, access: { live: ["viewer"] }, by: operator });
    const { personId } = await engine.people.joinVerified({ identity, email: ana, name: "Ana" });
    const { token } = await engine.people.resetPassword({ personId, by: operator });
    const other = { ...identity, subject: "2" };
    await expect(engine.people.joinVerified({ identity: other, email: ana, name: "Eve" })).rejects.toMatchObject(
      notFound,
    );
    await expect(engine.people.accept({ token, name: "Ana", identity: other })).rejects.toMatchObject({
      details: [{ path: "/password" }],
    });
    await engine.people.accept({ token, name: "Ana", password: next });
    await engine.sessions.signIn({ email: ana, password: next });
    expect((await engine.sessions.signInAs({ identity })).person.personId).toBe(personId);
  });

  test.each(["deactivated", "deactivated and activated again", "changed by themselves", "given another link"])(
    "is void once the person is %s",
    async (how) => {
      const { engine } = await withOwner();
      const { personId } = await join(engine, "ana@example.com", { live: ["viewer"] });
      const { token } = await engine.people.resetPassword({ personId, by: operator });
      if (how.startsWith("deactivated")) await engine.people.deactivate({ personId, by: operator });
      if (how.endsWith("again")) await engine.people.update({ personId, isActive: true, by: operator });
      if (how.startsWith("changed")) {
        const { session } = await engine.sessions.signInAs({ personId });
        await engine.sessions.changePassword({ personId, sessionId: session.sessionId, current: password, next });
      }
      if (how.startsWith("given")) await engine.people.resetPassword({ personId, by: operator });
      await expect(engine.people.accept({ token, name: "Eve", password: "a third one 56" })).rejects.toMatchObject(
        notFound,
      );
      expect(await engine.people.get({ personId })).toMatchObject({ isActive: how !== "deactivated", name: "ana" });
    },
  );

  test("is made by code that embeds the engine, and by no owner, and for active people only", async () => {
    const { engine, owner } = await withOwner();
    const ana = await join(engine, "ana@example.com", { live: ["viewer"] });
    const hold = await held(engine, (await enter(engine, owner)).token);
    for (const by of [hold.principalIn(), hold.principalIn("live")]) {
      const refused = engine.people.resetPassword({ personId: ana.personId, by });
      await expect(refused).rejects.toMatchObject({ code: "permission_denied" });
    }
    hold.release();
    await engine.people.deactivate({ personId: ana.personId, by: operator });
    for (const personId of [ana.personId, "per_never"]) {
      const refused = engine.people.resetPassword({ personId, by: operator });
      await expect(refused).rejects.toMatchObject({ code: "person_not_found" });
    }
  });

  test("leaves no session that begins with the former password at the same moment", async () => {
    const { engine, owner, reset } = await withOwner();
    const { token } = await reset();
    let session = "";
    engine.way.on("records.put", async (write) => {
      engine.way.on("records.put", (work) => work());
      ({ token: session } = await enter(engine, owner));
      return await write();
    });
    await engine.people.accept({ token, name: "Olga", password: next });
    expect(session).not.toBe("");
    expect(await engine.sessions.hold(session)).toBeUndefined();
  });
});
