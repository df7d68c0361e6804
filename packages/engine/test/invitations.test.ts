import { describe, expect, test } from "vitest";
import { createHarness } from "./harness.ts";
import { join, operator, ownerAccess, password } from "./people-harness.ts";

const notFound = { code: "invitation_not_found" };
const invited = { email: "ana@example.com", access: { live: ["reviewer" as const] }, by: operator };

describe("an invitation", () => {
  test("is accepted once, and the person has what it gives", async () => {
    const { engine, clock } = await createHarness();
    const { token, invitationId } = await engine.people.invite({ ...invited, groups: ["Treasury"] });
    expect(token).toMatch(/^inv_[A-Za-z0-9_-]{43}$/);
    expect(await engine.people.lookUp({ token })).toMatchObject({ email: "ana@example.com", groups: ["treasury"] });
    const person = await engine.people.accept({ token, name: " Ana ", password });
    expect(person).toEqual({
      personId: invitationId,
      email: "ana@example.com",
      name: "Ana",
      access: { sandbox: [], live: ["reviewer"] },
      groups: ["treasury"],
      isActive: true,
      lastSeenAtMs: undefined,
      createdAtMs: clock.now(),
    });
    await expect(engine.people.accept({ token, name: "Eve", password })).rejects.toMatchObject(notFound);
    await expect(engine.people.lookUp({ token })).rejects.toMatchObject(notFound);
  });

  test("that two people accept at the same moment, on two nodes, makes one person", async () => {
    const harness = await createHarness();
    const other = await harness.addEngine();
    const { token } = await harness.engine.people.invite(invited);
    const accepted = await Promise.allSettled([
      harness.engine.people.accept({ token, name: "Ana", password }),
      other.people.accept({ token, name: "Eve", password }),
    ]);
    expect(accepted.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect((await other.people.list({ limit: 10 })).items).toHaveLength(1);
  });

  test("that is withdrawn while it is accepted is either accepted or withdrawn", async () => {
    const harness = await createHarness();
    const { people } = harness.engine;
    const other = await harness.addEngine();
    const { token, invitationId } = await people.invite(invited);
    harness.engine.way.on("records.put", async (work) => {
      harness.engine.way.on("records.put", (next) => next());
      await other.people.withdraw({ invitationId, by: operator });
      return await work();
    });
    await expect(people.accept({ token, name: "Ana", password })).rejects.toMatchObject(notFound);
    expect((await people.list({ limit: 10 })).items).toEqual([]);
  });

  test("that was withdrawn, has expired or never existed gets the same answer", async () => {
    const { engine, clock } = await createHarness();
    const { people } = engine;
    const withdrawn = await people.invite(invited);
    await people.withdraw({ invitationId: withdrawn.invitationId, by: operator });
    const expired = await people.invite({ ...invited, expiresInMs: 1_000 });
    await clock.advance(1_000);
    const messages = new Set<string>();
    for (const token of [withdrawn.token, expired.token, `inv_${"A".repeat(43)}`, "", "x", `ses_${"A".repeat(43)}`]) {
      for (const attempt of [people.lookUp({ token }), people.accept({ token, name: "Ana", password })]) {
        const error = await attempt.catch((error: unknown) => error as Error & { readonly code: string });
        messages.add(`${"code" in error ? error.code : ""} ${"message" in error ? error.message : ""}`);
      }
    }
    expect([...messages]).toEqual([expect.stringMatching(/^invitation_not_found /)]);
  });

  test("is listed while it is open, without its token, and storage has its digest alone", async () => {
    const { engine, storage, clock } = await createHarness();
    const { token, ...shown } = await engine.people.invite(invited);
    expect((await engine.people.invitations({ limit: 10 })).items).toEqual([shown]);
    const stored = await storage.records.list({ workspace: "default", kind: "person", limit: 10 });
    const chain = await storage.audit.list({ workspace: "default", afterSeq: 0, limit: 10 });
    expect(JSON.stringify([stored, chain])).not.toContain(token.slice(4));
    expect((await engine.people.list({ limit: 10 })).items).toEqual([]);
    await clock.advance(7 * 86_400_000);
    expect((await engine.people.invitations({ limit: 10 })).items).toEqual([]);
  });

  test("whose creator no longer waits for the answer leaves nothing behind", async () => {
    const { engine, storage } = await createHarness();
    let asked = 0;
    const answer = { isAwaited: () => asked++ === 0 };
    await expect(engine.people.invite(invited, answer)).rejects.toMatchObject({ code: "overloaded" });
    expect((await storage.records.list({ workspace: "default", kind: "person", limit: 10 })).items).toEqual([]);
    const { items } = await engine.people.invitations({ limit: 10 });
    expect(items).toEqual([]);
  });

  test("replaces an open one of the same address, whose link is void", async () => {
    const { engine } = await createHarness();
    const { people } = engine;
    const lost = await people.invite(invited);
    const { token, ...shown } = await people.invite({ ...invited, email: "ANA@example.com", access: ownerAccess });
    expect(shown).toMatchObject({ invitationId: lost.invitationId, access: ownerAccess });
    expect((await people.invitations({ limit: 10 })).items).toEqual([shown]);
    await expect(people.accept({ token: lost.token, name: "Eve", password })).rejects.toMatchObject(notFound);
    const [, entry] = await engine.audit.changes({ limit: 10 });
    expect(entry).toMatchObject({ action: "person.invited", details: { access: ownerAccess, replaces: true } });
    expect(await people.accept({ token, name: "Ana", password })).toMatchObject({ access: ownerAccess });
  });

  test("is replaced by an owner of both environments only", async () => {
    const { engine } = await createHarness();
    const { token } = await engine.people.invite(invited);
    const by = { person: "olga@example.com", environment: "live", permissions: ["administer"] } as const;
    await expect(engine.people.invite({ ...invited, by })).rejects.toMatchObject({ code: "environment_mismatch" });
    expect(await engine.people.lookUp({ token })).toMatchObject({ email: invited.email });
  });

  test("whose creator no longer waits for the answer leaves the replaced one valid", async () => {
    const { engine } = await createHarness();
    const { token, ...shown } = await engine.people.invite(invited);
    let asked = 0;
    const answer = { isAwaited: () => asked++ === 0 };
    const again = engine.people.invite({ ...invited, access: ownerAccess }, answer);
    await expect(again).rejects.toMatchObject({ code: "overloaded" });
    expect(await engine.people.lookUp({ token })).toEqual(shown);
  });

  test("of one workspace is unknown in another", async () => {
    const harness = await createHarness();
    const other = await harness.addEngine({ workspace: "other" });
    const { token } = await harness.engine.people.invite(invited);
    await expect(other.people.lookUp({ token })).rejects.toMatchObject(notFound);
    await other.people.invite(invited);
  });
});

describe("the address of an invitation", () => {
  test.each([
    ["in capitals", "ANA@Example.COM"],
    ["with outer spaces", "  ana@example.com "],
  ])("is the same %s", async (_what, email) => {
    const { engine } = await createHarness();
    await join(engine, invited.email);
    await expect(engine.people.invite({ ...invited, email })).rejects.toMatchObject({ code: "email_taken" });
  });

  test("is the same in every composition of its letters", async () => {
    const { engine } = await createHarness();
    await join(engine, "jos\u00e9@example.com");
    await expect(engine.people.invite({ ...invited, email: "JOSE\u0301@example.com" })).rejects.toMatchObject({
      code: "email_taken",
    });
  });

  test.each([
    ["without @", "ana.example.com"],
    ["with two @", "ana@b@example.com"],
    ["with a space inside", "ana maria@example.com"],
    ["with two addresses", "ana@example.com,eve@example.com"],
    ["with a name", "Ana <ana@example.com>"],
    ["with an invisible character", "ana\u200b@example.com"],
    ["with a line end", "ana@example.com\n.evil"],
    ["with 255 characters", `${"a".repeat(243)}@example.com`],
    ["that is empty", ""],
    ["with half of a surrogate pair", "ana\ud83e@example.com"],
  ])("%s is refused", async (_what, email) => {
    const { engine } = await createHarness();
    await expect(engine.people.invite({ ...invited, email })).rejects.toMatchObject({
      code: "invalid_input",
      details: [{ path: "/email" }],
    });
  });

  test("with 254 characters is accepted", async () => {
    const { engine } = await createHarness();
    await join(engine, `${"a".repeat(242)}@example.com`);
  });

  test("cannot be replaced by the person who accepts", async () => {
    const { engine } = await createHarness();
    const { token } = await engine.people.invite(invited);
    const as = (email: string) => engine.people.accept({ token, name: "Ana", password, email });
    await expect(as("eve@example.com")).rejects.toMatchObject({ details: [{ path: "/email" }] });
    expect(await as("ANA@example.com")).toMatchObject({ email: "ana@example.com" });
  });

  test.each(["qwertyuiop123", "short", "ana@example.com"])("%j is no password for it", async (password) => {
    const { engine } = await createHarness();
    const { token } = await engine.people.invite({ ...invited, email: "ana@example.com" });
    const refused = engine.people.accept({ token, name: "Ana", password });
    await expect(refused).rejects.toMatchObject({ code: "invalid_input", details: [{ path: "/password" }] });
    await engine.people.lookUp({ token });
  });

  test("of a deactivated person is invited anew: the same person joins with another password", async () => {
    const { engine } = await createHarness();
    const { people, sessions } = engine;
    const before = await join(engine, "ana@example.com", { live: ["builder"] });
    await people.deactivate({ personId: before.personId, by: operator });
    const { token } = await people.invite({ ...invited });
    expect(await people.get(before)).toMatchObject({ isActive: false });
    const person = await people.accept({ token, name: "Ana", password: "another long password" });
    expect(person).toMatchObject({ personId: before.personId, access: { live: ["reviewer"] }, isActive: true });
    const signIn = (word: string) => sessions.signIn({ email: "ana@example.com", password: word });
    await expect(signIn(password)).rejects.toMatchObject({ code: "unauthorized" });
    await signIn("another long password");
  });

  test("of a deactivated person stays theirs when the new invitation is withdrawn", async () => {
    const { engine } = await createHarness();
    const { people } = engine;
    const { personId } = await join(engine, "ana@example.com");
    await people.deactivate({ personId, by: operator });
    await people.invite(invited);
    await people.withdraw({ invitationId: personId, by: operator });
    expect(await people.get({ personId })).toMatchObject({ isActive: false });
  });

  test("of a person who was activated again cannot be taken over by an invitation from before", async () => {
    const { engine } = await createHarness();
    const { people } = engine;
    const { personId } = await join(engine, "ana@example.com");
    await people.deactivate({ personId, by: operator });
    const { token } = await people.invite(invited);
    await people.update({ personId, isActive: true, by: operator });
    await expect(people.accept({ token, name: "Eve", password })).rejects.toMatchObject(notFound);
  });
});

describe("the first owner", () => {
  test("joins by the token of the start, once, with an address of their own", async () => {
    const { engine } = await createHarness();
    const { people } = engine;
    expect(await people.isSetUp()).toBe(false);
    const token = (await people.setUpToken()) ?? expect.unreachable();
    expect((await people.invitations({ limit: 10 })).items).toEqual([]);
    expect(await people.lookUp({ token })).toMatchObject({ email: undefined, access: ownerAccess });
    await expect(people.accept({ token, name: "Olga", password })).rejects.toMatchObject({
      details: [{ path: "/email" }],
    });
    const owner = await people.accept({ token, name: "Olga", password, email: "Olga@Example.com" });
    expect(owner).toMatchObject({ email: "olga@example.com", access: ownerAccess });
    expect([await people.isSetUp(), await people.setUpToken()]).toEqual([true, undefined]);
    await expect(people.accept({ token, name: "Eve", password, email: "eve@example.com" })).rejects.toMatchObject(
      notFound,
    );
  });

  test("is refused with the token of an earlier start, after a day, and once there is another owner", async () => {
    const harness = await createHarness();
    const { people } = harness.engine;
    const accept = (token: string | undefined) =>
      people.accept({ token: token ?? expect.unreachable(), name: "Eve", password, email: "eve@example.com" });
    const earlier = await people.setUpToken();
    const late = await (await harness.addEngine()).people.setUpToken();
    await expect(accept(earlier)).rejects.toMatchObject(notFound);
    await harness.clock.advance(86_400_000);
    await expect(accept(late)).rejects.toMatchObject(notFound);
    const open = await people.setUpToken();
    await join(harness.engine, "olga@example.com", ownerAccess);
    await expect(accept(open)).rejects.toMatchObject(notFound);
  });

  test("is one, if another owner joins at the same moment", async () => {
    const harness = await createHarness();
    const { people } = harness.engine;
    const other = await harness.addEngine();
    const token = (await people.setUpToken()) ?? expect.unreachable();
    const { token: invitation } = await people.invite({ email: "o@example.com", access: ownerAccess, by: operator });
    const results = await Promise.allSettled([
      people.accept({ token, name: "Eve", password, email: "eve@example.com" }),
      other.people.accept({ token: invitation, name: "Olga", password }),
    ]);
    const owners = (await people.list({ limit: 10 })).items.map(({ email }) => email);
    expect(owners).toContain("o@example.com");
    expect(owners.length).toBe(results.filter(({ status }) => status === "fulfilled").length);
  });

  test("is refused, if another owner joins between the check and the write of the acceptance", async () => {
    const { engine, addEngine } = await createHarness();
    const { people } = engine;
    const other = await addEngine();
    const token = (await people.setUpToken()) ?? expect.unreachable();
    const { token: invitation } = await people.invite({ email: "o@example.com", access: ownerAccess, by: operator });
    let isFirst = true;
    engine.way.on("records.put", async (write) => {
      if (isFirst) {
        isFirst = false;
        await other.people.accept({ token: invitation, name: "Olga", password });
      }
      return await write();
    });
    const accepted = people.accept({ token, name: "Eve", password, email: "eve@example.com" });
    await expect(accepted).rejects.toMatchObject(notFound);
    expect((await people.list({ limit: 10 })).items.map(({ email }) => email)).toEqual(["o@example.com"]);
  });
});
