import { describe, expect, test } from "vitest";
import { createHarness } from "./harness.ts";
import { enter, held, join, joinUnable, operator, ownerAccess, password } from "./people-harness.ts";

const unauthorized = { code: "unauthorized", message: "E-mail or password is wrong." };
const email = "ana@example.com";
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

describe("signing in", () => {
  test("begins a session whose token is shown once, and stored as its digest alone", async () => {
    const { engine, storage, clock } = await createHarness();
    const person = await join(engine, email, { live: ["viewer"] });
    const signedIn = await engine.sessions.signIn({
      email: " ANA@example.com",
      password,
      userAgent: "curl",
      address: "::1",
    });
    expect(signedIn.token).toMatch(/^ses_[A-Za-z0-9_-]{43}$/);
    expect(signedIn.person).toEqual({ ...person, lastSeenAtMs: clock.now() });
    expect(signedIn.session).toMatchObject({
      userAgent: "curl",
      address: "::1",
      expiresAtMs: clock.now() + 168 * hourMs,
    });
    const stored = await storage.sessions.list({ workspace: "default", personId: person.personId });
    const people = await storage.records.list({ workspace: "default", kind: "person", limit: 10 });
    expect(JSON.stringify([stored, people])).not.toContain(signedIn.token.slice(4));
    expect(JSON.stringify(people)).not.toContain(password);
    expect(await engine.sessions.list(person)).toEqual([signedIn.session]);
  });

  test("is refused in the same way for unknown, wrong, invited, deactivated and passwordless", async () => {
    const { engine } = await createHarness();
    const { sessions } = engine;
    await join(engine, email);
    const unable = await joinUnable(engine);
    for (const [address, word] of [
      [email, "another password"],
      ["unknown@example.com", password],
      ...unable.map((address) => [address, password] as const),
      ["", password],
      ["\0", password],
      ["x".repeat(300), password],
      [email, ""],
    ] as const) {
      await expect(sessions.signIn({ email: address, password: word })).rejects.toMatchObject(unauthorized);
    }
  });

  test("does the same reads and writes for an unknown address as for a wrong password", async () => {
    const harness = await createHarness();
    await join(harness.engine, email);
    const verbs = [
      "records.find",
      "records.get",
      "sessions.failures",
      "sessions.noteFailure",
      "sessions.create",
    ] as const;
    const countsOf = async (address: string) => {
      const before = verbs.map((verb) => harness.engine.way.count(verb));
      const word = "not the password";
      await expect(harness.engine.sessions.signIn({ email: address, password: word })).rejects.toMatchObject(
        unauthorized,
      );
      return verbs.map((verb, index) => harness.engine.way.count(verb) - (before[index] ?? 0));
    };
    expect(await countsOf("unknown@example.com")).toEqual(await countsOf(email));
  });

  test("waits after 5 failures, on every node, and a success makes it free again", async () => {
    const harness = await createHarness();
    const other = await harness.addEngine();
    await join(harness.engine, email);
    const nodes = [harness.engine, other];
    for (let n = 0; n < 5; n++) {
      const wrong = nodes[n % 2]?.sessions.signIn({ email, password: "not the password" });
      await expect(wrong).rejects.toMatchObject(unauthorized);
    }
    const limited = { code: "rate_limited", retryAfterMs: 1_000 };
    await expect(other.sessions.signIn({ email, password })).rejects.toMatchObject(limited);
    await harness.clock.advance(1_000);
    await other.sessions.signIn({ email, password });
    await expect(harness.engine.sessions.signIn({ email, password: "wrong" })).rejects.toMatchObject(unauthorized);
  });

  test("while the person is deactivated begins no session", async () => {
    const harness = await createHarness();
    const { engine } = harness;
    const { personId } = await join(engine, email);
    const other = await harness.addEngine();
    other.way.on("sessions.create", async (work) => {
      await engine.people.deactivate({ personId, by: operator });
      return await work();
    });
    await expect(other.sessions.signIn({ email, password })).rejects.toMatchObject(unauthorized);
    await engine.people.update({ personId, isActive: true, by: operator });
    expect(await engine.sessions.list({ personId })).toEqual([]);
  });

  test("with the old password begins no session once it was changed", async () => {
    const harness = await createHarness();
    const { engine } = harness;
    const person = await join(engine, email);
    const { session } = await enter(engine, person);
    const other = await harness.addEngine();
    other.way.on("sessions.create", async (work) => {
      const { personId, sessionId } = session;
      await engine.sessions.changePassword({ personId, sessionId, current: password, next: "another long password" });
      return await work();
    });
    await expect(other.sessions.signIn({ email, password })).rejects.toMatchObject(unauthorized);
    expect(await engine.sessions.list(person)).toHaveLength(1);
  });

  test("by an identity needs a person who joined with it", async () => {
    const { engine } = await createHarness();
    const identity = { issuer: "https://idp.example.com", subject: "42" };
    await expect(engine.sessions.signInAs({ identity })).rejects.toMatchObject({ code: "unauthorized" });
    const { token } = await engine.people.invite({ email, access: { live: ["viewer"] }, by: operator });
    const { personId } = await engine.people.accept({ token, name: "Ana", identity });
    expect((await engine.sessions.signInAs({ identity })).person.personId).toBe(personId);
    for (const other of [
      { ...identity, subject: "43" },
      { ...identity, issuer: "https://idp" },
    ]) {
      await expect(engine.sessions.signInAs({ identity: other })).rejects.toMatchObject({ code: "unauthorized" });
    }
    await expect(engine.sessions.signInAs({ identity, personId })).rejects.toMatchObject({ code: "invalid_input" });
  });
});

describe("a session", () => {
  test("ends 12 hours after its last use, and 7 days after the sign-in", async () => {
    const { engine, clock } = await createHarness();
    const person = await join(engine, email);
    const [used, idle] = [await enter(engine, person), await enter(engine, person)];
    for (let hours = 0; hours < 160; hours += 8) {
      await clock.advance(8 * hourMs);
      (await held(engine, used.token)).release();
    }
    expect(await engine.sessions.hold(idle.token)).toBeUndefined();
    await clock.advance(8 * hourMs);
    expect(await engine.sessions.hold(used.token)).toBeUndefined();
    expect(await engine.sessions.list(person)).toEqual([]);
  });

  test("records its use at most once a minute, and is answered when that write is refused", async () => {
    const { engine, clock } = await createHarness();
    const { token } = await enter(engine, await join(engine, email));
    for (let n = 0; n < 10; n++) (await held(engine, token)).release();
    expect(engine.way.count("sessions.touch")).toBe(0);
    await clock.advance(minuteMs);
    for (let n = 0; n < 10; n++) (await held(engine, token)).release();
    expect(engine.way.count("sessions.touch")).toBe(1);
    await clock.advance(minuteMs);
    engine.way.on("sessions.touch", async () => {
      throw new Error("The disk is full.");
    });
    (await held(engine, token)).release();
  });

  test.each([
    ["nothing", ""],
    ["a made-up token", `ses_${"A".repeat(43)}`],
    ["an invitation's token", `inv_${"A".repeat(43)}`],
    ["a megabyte", "ses_".padEnd(1024 * 1024, "A")],
  ])("is not found by %s", async (_what, token) => {
    const { engine } = await createHarness();
    await enter(engine, await join(engine, email));
    expect(await engine.sessions.hold(token)).toBeUndefined();
  });

  test("of one workspace is unknown in another", async () => {
    const harness = await createHarness();
    const other = await harness.addEngine({ workspace: "other" });
    const { token } = await enter(harness.engine, await join(harness.engine, email));
    expect(await other.sessions.hold(token)).toBeUndefined();
  });

  const ends = {
    "is ended by its person": (engine, { personId, sessionId }) =>
      engine.sessions.end({ personId, sessionId, by: { person: email, permissions: [] } }),
    "is ended by an owner": (engine, { personId, sessionId }) =>
      engine.sessions.end({ personId, sessionId, by: operator }),
    "is ended with all others": (engine, { personId }) =>
      engine.sessions.endOthers({ personId, sessionId: "ssn_other", by: operator }),
    "has a person who is deactivated": (engine, { personId }) => engine.people.deactivate({ personId, by: operator }),
    "has a person whose access changes": (engine, { personId }) =>
      engine.people.update({ personId, access: { live: [] }, by: operator }),
    "has a person whose groups change": (engine, { personId }) =>
      engine.people.update({ personId, groups: ["audit"], by: operator }),
    "has a person whose password changes": (engine, { personId, sessionId }) =>
      engine.sessions.changePassword({ personId, sessionId, current: password, next: "another long password" }),
  } satisfies Record<
    string,
    (
      engine: Awaited<ReturnType<typeof createHarness>>["engine"],
      session: { readonly personId: string; readonly sessionId: string },
    ) => Promise<unknown>
  >;

  test.each(Object.entries(ends))("that %s revokes its requests on each node", async (_what, end) => {
    const harness = await createHarness();
    const { engine } = harness;
    const other = await harness.addEngine();
    const { token, session } = await enter(engine, await join(engine, email, { live: ["builder"] }));
    const holds = [await held(engine, token), await held(other, token)];
    const principals = holds.map((hold) => hold.principalIn("live"));
    let told = 0;
    for (const hold of holds) hold.whenDeleted(() => told++);
    await end(engine, session);
    expect(holds[0]?.isDeleted).toBe(true);
    await harness.clock.settle();
    expect(told).toBe(2);
    for (const by of principals) {
      const key = engine.keys.create({ name: "k", environment: "live", by });
      await expect(key).rejects.toMatchObject({ code: "unauthorized" });
    }
    expect(await other.sessions.hold(token)).toBeUndefined();
  });

  test("that expires or ends without notice revokes its requests within 5 seconds", async () => {
    const harness = await createHarness();
    const { engine, clock } = harness;
    const other = await harness.addEngine();
    const person = await join(engine, email);
    const [expiring, ended] = [await enter(engine, person), await enter(engine, person)];
    other.way.deafen();
    const holds = [await held(other, expiring.token), await held(other, ended.token)];
    await engine.sessions.end({ ...ended.session, by: operator });
    await clock.advance(5_000);
    expect(holds.map(({ isDeleted }) => isDeleted)).toEqual([false, true]);
    await clock.advance(12 * hourMs);
    expect(holds[0]?.isDeleted).toBe(true);
  });

  test("of a person is not ended by another one, and an unknown one is not found", async () => {
    const { engine } = await createHarness();
    const ana = await join(engine, email, ownerAccess);
    const ben = await join(engine, "ben@example.com", { live: ["builder"] });
    const { session } = await enter(engine, ana);
    const by = (await held(engine, (await enter(engine, ben)).token)).principalIn();
    await expect(engine.sessions.end({ ...session, by })).rejects.toMatchObject({ code: "permission_denied" });
    await expect(engine.sessions.endOthers({ ...session, by })).rejects.toMatchObject({ code: "permission_denied" });
    const unknown = engine.sessions.end({ personId: ana.personId, sessionId: "ssn_x", by: operator });
    await expect(unknown).rejects.toMatchObject({ code: "session_not_found" });
    const foreign = engine.sessions.end({ personId: ben.personId, sessionId: session.sessionId, by });
    await expect(foreign).rejects.toMatchObject({ code: "session_not_found" });
    expect(await engine.sessions.list(ana)).toHaveLength(1);
  });
});

describe("a session that survived the end of all sessions by a crash", () => {
  const failing = async () => {
    throw new Error("The process was killed.");
  };

  test.each(["activated again", "invited anew"])(
    "is refused after the deactivation, and when the person is %s",
    async (how) => {
      const { engine } = await createHarness();
      const { people, sessions } = engine;
      const person = await join(engine, email, { live: ["builder"] });
      const { token } = await enter(engine, person);
      engine.way.on("sessions.endOf", failing);
      await expect(people.deactivate({ personId: person.personId, by: operator })).rejects.toThrow("killed");
      engine.way.on("sessions.endOf", (work) => work());
      expect(await sessions.hold(token)).toBeUndefined();
      if (how === "activated again") await people.update({ personId: person.personId, isActive: true, by: operator });
      else await join(engine, email);
      expect(await people.get(person)).toMatchObject({ isActive: true });
      expect(await sessions.hold(token)).toBeUndefined();
    },
  );

  test("has the access that the person has since", async () => {
    const { engine } = await createHarness();
    const { personId, ...person } = await join(engine, email, { live: ["builder"] });
    const { token } = await enter(engine, { personId, ...person });
    engine.way.on("sessions.endOf", failing);
    const change = { personId, access: { live: ["viewer" as const] }, by: operator };
    await expect(engine.people.update(change)).rejects.toThrow("killed");
    const hold = await held(engine, token);
    expect(hold.principalIn("live").permissions).toEqual([]);
    hold.release();
  });

  test.each([
    ["before the new password was stored", "records.put", [password, "another long password"]],
    ["after the new password was stored", "sessions.create", ["another long password", password]],
  ] as const)("during a change of the password is the person's own (%s)", async (_when, verb, [right, wrong]) => {
    const { engine } = await createHarness();
    const person = await join(engine, email);
    const [own, other] = [await enter(engine, person), await enter(engine, person)];
    engine.way.on(verb, failing);
    const { personId, sessionId } = own.session;
    const next = "another long password";
    const change = engine.sessions.changePassword({ personId, sessionId, current: password, next });
    await expect(change).rejects.toThrow("killed");
    engine.way.on(verb, (work) => work());
    expect(await engine.sessions.list(person)).toEqual([own.session]);
    expect(await engine.sessions.hold(other.token)).toBeUndefined();
    await expect(engine.sessions.signIn({ email, password: wrong })).rejects.toMatchObject(unauthorized);
    await engine.sessions.signIn({ email, password: right });
  });
});

describe("changing the password", () => {
  test("begins a new session, and ends all others of the person", async () => {
    const { engine } = await createHarness();
    const person = await join(engine, email);
    const [here, there] = [await enter(engine, person), await enter(engine, person)];
    const { personId, sessionId } = here.session;
    const next = "another long password";
    const changed = await engine.sessions.changePassword({ personId, sessionId, current: password, next });
    expect(await engine.sessions.list(person)).toEqual([changed.session]);
    for (const { token } of [here, there]) expect(await engine.sessions.hold(token)).toBeUndefined();
    (await held(engine, changed.token)).release();
    await expect(engine.sessions.signIn({ email, password })).rejects.toMatchObject(unauthorized);
    await engine.sessions.signIn({ email, password: next });
    const changes = await engine.audit.changes({ limit: 100 });
    expect(changes.at(-1)).toMatchObject({ action: "person.password_changed", by: email, via: sessionId });
  });

  test("needs the present one, whose guesses are throttled apart from sign-ins", async () => {
    const { engine } = await createHarness();
    const { session } = await enter(engine, await join(engine, email));
    const { personId, sessionId } = session;
    const guess = () =>
      engine.sessions.changePassword({ personId, sessionId, current: "a guess", next: "another long password" });
    for (let n = 0; n < 5; n++) {
      await expect(guess()).rejects.toMatchObject({ code: "invalid_input", details: [{ path: "/current" }] });
    }
    await expect(guess()).rejects.toMatchObject({ code: "rate_limited" });
    await engine.sessions.signIn({ email, password });
    expect(await engine.sessions.list({ personId })).toHaveLength(2);
  });

  test("refuses a common one, before the present one is compared", async () => {
    const { engine } = await createHarness();
    const { session } = await enter(engine, await join(engine, email));
    const request = { personId: session.personId, sessionId: session.sessionId, current: "a guess" };
    const common = engine.sessions.changePassword({ ...request, next: "qwertyuiop123" });
    await expect(common).rejects.toMatchObject({ code: "invalid_input", details: [{ path: "/next" }] });
    expect(engine.way.count("sessions.noteFailure")).toBe(0);
  });
});

test("a person has at most 50 sessions: a sign-in ends the one that was unused for longest", async () => {
  const { engine, clock } = await createHarness();
  const person = await join(engine, email);
  const other = await enter(engine, await join(engine, "ben@example.com"));
  const first = await enter(engine, person);
  const second = await enter(engine, person);
  const hold = await held(engine, second.token);
  for (let n = 2; n < 50; n++) {
    await clock.advance(minuteMs);
    await enter(engine, person);
  }
  (await held(engine, first.token)).release();
  expect(hold.isDeleted).toBe(false);
  await enter(engine, person);
  expect(hold.isDeleted).toBe(true);
  hold.release();
  const listed = await engine.sessions.list(person);
  expect(listed).toHaveLength(50);
  const ids = new Set(listed.map(({ sessionId }) => sessionId));
  expect([first, second].map(({ session }) => ids.has(session.sessionId))).toEqual([true, false]);
  expect(await engine.sessions.list(other.session)).toHaveLength(1);
});

test("expired sessions and old failures are removed by later sign-ins", async () => {
  const harness = await createHarness();
  const { engine, clock } = harness;
  const person = await join(engine, email);
  await enter(engine, person);
  await expect(engine.sessions.signIn({ email: "x@example.com", password })).rejects.toMatchObject(unauthorized);
  const swept = engine.way.count("sessions.sweep");
  await clock.advance(25 * hourMs);
  await enter(engine, person);
  expect(engine.way.count("sessions.sweep")).toBe(swept + 1);
  expect(await harness.storage.sessions.sweep({ beforeMs: clock.now(), limit: 100 })).toBe(0);
});
