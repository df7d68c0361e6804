/* What guesses of passwords cost the service, and tell the guesser. A hash is counted, because durations are noise. */
import { expect, test } from "vitest";
import { countHashes } from "./count-hashes.ts";
import { createHarness, type HarnessEngine } from "./harness.ts";
import { enter, join, joinUnable, password } from "./people-harness.ts";

const email = "ana@example.com";
const guess = "not the password";

const codeOf = async ({ sessions }: HarnessEngine, address = email): Promise<string> => {
  try {
    await sessions.signIn({ email: address, password: guess });
    return "signed in";
  } catch (error) {
    return (error as { readonly code: string }).code;
  }
};

test("a sign-in hashes a password once, for known and for unknown addresses", async () => {
  const { engine } = await createHarness();
  await join(engine, email);
  const unable = await joinUnable(engine);
  const hashes = countHashes();
  for (const address of [email, "unknown@example.com", ...unable, "", "\0"]) {
    const before = hashes();
    expect(await codeOf(engine, address), address).toBe("unauthorized");
    expect(hashes() - before, address).toBe(1);
  }
});

test("of 60 guesses at the same moment on three nodes 5 are compared, and then one after each delay", async () => {
  const harness = await createHarness();
  const { engine, clock } = harness;
  const nodes = [engine, await harness.addEngine(), await harness.addEngine()];
  await join(engine, email);
  const hashes = countHashes();
  const guesses = async (): Promise<number> => {
    const before = hashes();
    const codes = await Promise.all(Array.from({ length: 20 }).flatMap(() => nodes.map((node) => codeOf(node))));
    const compared = codes.filter((code) => code === "unauthorized").length;
    expect(codes.filter((code) => code === "rate_limited")).toHaveLength(codes.length - compared);
    expect(hashes() - before).toBe(compared);
    return compared;
  };
  /** The delay that the right password has to wait as well. */
  const delayMs = async (): Promise<number> => {
    const refusal: unknown = await engine.sessions.signIn({ email, password }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "rate_limited" });
    return (refusal as { readonly retryAfterMs: number }).retryAfterMs;
  };
  expect(await guesses()).toBe(5);
  expect(await guesses()).toBe(0);
  let beforeMs = 0;
  for (let round = 0; round < 3; round++) {
    const waitMs = await delayMs();
    expect(waitMs).toBeGreaterThanOrEqual(beforeMs);
    beforeMs = waitMs;
    await clock.advance(waitMs - 1);
    expect(await guesses()).toBe(0);
    await clock.advance(1);
    expect(await guesses()).toBe(1);
  }
});

test("a sign-in succeeds from the person's own address while another address guesses the password", async () => {
  const harness = await createHarness();
  await join(harness.engine, email);
  const guessing = () => harness.engine.sessions.signIn({ email, password: guess, address: "192.0.2.1" });
  for (let n = 0; n < 5; n++) await expect(guessing()).rejects.toMatchObject({ code: "unauthorized" });
  for (const waitMs of [1_000, 2_000, 4_000]) {
    await harness.clock.advance(waitMs);
    await expect(guessing()).rejects.toMatchObject({ code: "unauthorized" });
  }
  await expect(guessing()).rejects.toMatchObject({ code: "rate_limited", retryAfterMs: 8_000 });
  await harness.engine.sessions.signIn({ email, password, address: "192.0.2.2" });
  await expect(guessing()).rejects.toMatchObject({ code: "rate_limited", retryAfterMs: 8_000 });
});

test("a change of the password is not delayed by guests who guess the present one", async () => {
  const { engine } = await createHarness();
  const { session } = await enter(engine, await join(engine, email));
  const { personId, sessionId } = session;
  const wrong = () => engine.sessions.signIn({ email, password: guess });
  for (let n = 0; n < 5; n++) await expect(wrong()).rejects.toMatchObject({ code: "unauthorized" });
  await expect(wrong()).rejects.toMatchObject({ code: "rate_limited" });
  await engine.sessions.changePassword({ personId, sessionId, current: password, next: "another long password" });
});

test("a sign-in is logged with the person, the session and the address", async () => {
  const { engine } = await createHarness();
  const { personId } = await join(engine, email);
  const { session } = await engine.sessions.signIn({ email, password, address: "192.0.2.1" });
  const { sessionId } = session;
  expect(engine.logged.at(-1)).toBe("info: A person signed in.");
  expect(engine.loggedFields.at(-1)).toEqual({ personId, sessionId, address: "192.0.2.1" });
});
