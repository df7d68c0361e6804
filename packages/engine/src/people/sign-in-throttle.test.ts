import { describe, expect, test } from "vitest";
import { manualClock } from "@procedo-testing/faults";
import { createMemoryStorage } from "@procedo/storage";
import { createSignInThrottle, type PasswordAttempt } from "./sign-in-throttle.ts";

function world() {
  const clock = manualClock();
  const storage = createMemoryStorage({ now: () => clock.now() });
  const warned: string[] = [];
  const log = { warn: (message: string, fields?: object) => void warned.push(`${message} ${JSON.stringify(fields)}`) };
  const node = (its: { now(): number; monotonic(): number } = clock) =>
    createSignInThrottle({ sessions: storage.sessions, clock: its, workspace: "default", log });
  return { clock, storage, node, throttle: node(), warned };
}

const email = "ana@example.com";
const attempt: PasswordAttempt = { by: "guest", email };
const from = (address: string): PasswordAttempt => ({ by: "guest", email, address });
const answer = (attempting: Promise<void>): Promise<unknown> =>
  attempting.then(
    () => "begun",
    (error: unknown) => (error as { readonly retryAfterMs: number }).retryAfterMs,
  );

describe("failed sign-ins with one address", () => {
  test("wait after 5: 1 second, then twice as long each time, up to a minute", async () => {
    const { clock, throttle } = world();
    for (let n = 0; n < 5; n++) expect(await answer(throttle.begin(attempt))).toBe("begun");
    for (const waitMs of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
      expect(await answer(throttle.check(attempt))).toBe(waitMs);
      expect(await answer(throttle.begin(attempt))).toBe(waitMs);
      await clock.advance(waitMs - 1);
      expect(await answer(throttle.begin(attempt))).toBe(1);
      await clock.advance(1);
      expect(await answer(throttle.begin(attempt))).toBe("begun");
    }
  });

  test("of 1,000 at the same moment over three nodes, 5 begin, and one more after each delay", async () => {
    const { clock, node } = world();
    const nodes = [node(), node(), node()];
    const storm = async () => {
      const answers = await Promise.all(
        Array.from({ length: 1_000 }, (_each, n) => answer((nodes[n % 3] ?? expect.unreachable()).begin(attempt))),
      );
      return answers.filter((one) => one === "begun").length;
    };
    expect(await storm()).toBe(5);
    await clock.advance(60_000);
    expect(await storm()).toBe(1);
    await clock.advance(60_000);
    expect(await storm()).toBe(1);
  });

  test("do not delay another address, and are forgotten after a success", async () => {
    const { throttle } = world();
    for (let n = 0; n < 5; n++) await throttle.begin(attempt);
    expect(await answer(throttle.begin({ by: "guest", email: "ben@example.com" }))).toBe("begun");
    await throttle.succeeded(attempt);
    expect(await answer(throttle.begin(attempt))).toBe("begun");
  });

  test("do not lock an address for the step by which the clock was set back", async () => {
    const { clock, node } = world();
    const ahead = node({ now: () => clock.now() + 3_600_000, monotonic: () => clock.monotonic() });
    for (let n = 0; n < 5; n++) await ahead.begin(attempt);
    const now = node();
    expect(await answer(now.begin(attempt))).toBe("begun");
    for (let n = 0; n < 4; n++) await now.begin(attempt);
    expect(await answer(now.begin(attempt))).toBe(1_000);
  });
});

describe("failed sign-ins from several sources", () => {
  test("keep the person at another source waiting for a second at most, while they go on", async () => {
    const { clock, node } = world();
    const [guesser, ana] = [node(), node()];
    const guess = () => answer(guesser.begin(from("192.0.2.1")));
    for (let round = 0; round < 5; round++) {
      for (let tenth = 0; tenth < 300; tenth++) {
        await guess();
        await clock.advance(100);
      }
      const waitMs = await answer(ana.check(from("192.0.2.2")));
      if (typeof waitMs === "number") {
        expect(waitMs).toBeLessThanOrEqual(1_000);
        await clock.advance(waitMs);
        await guess();
      }
      expect(await answer(ana.begin(from("192.0.2.2")))).toBe("begun");
      await ana.succeeded(from("192.0.2.2"));
      expect(await guess()).toBeGreaterThan(1_000);
    }
  });

  test("of 1,000 addresses over three nodes, 5 begin at first, and then two in a delay", async () => {
    const { clock, node } = world();
    const nodes = [node(), node(), node()];
    /** Begun attempts of a storm, in which each address tries as often as it is let. */
    const storm = async () => {
      const answers = await Promise.all(
        Array.from({ length: 1_000 }, (_each, n) =>
          answer((nodes[n % 3] ?? expect.unreachable()).begin(from(`10.0.${n >> 8}.${n & 255}`))),
        ),
      );
      return answers.filter((one) => one === "begun").length;
    };
    expect(await storm()).toBe(5);
    for (let minute = 0; minute < 10; minute++) {
      await clock.advance(60_000);
      expect(await storm()).toBeLessThanOrEqual(2);
    }
  });

  test("are counted for an IPv6 network as for one address", async () => {
    const { throttle } = world();
    for (let n = 0; n < 5; n++) await throttle.begin(from(`2001:db8::${n}`));
    expect(await answer(throttle.begin(from("2001:db8::9")))).toBe(1_000);
  });

  test("do not delay a person with a session, whose own attempts are delayed", async () => {
    const { throttle } = world();
    const session: PasswordAttempt = { by: "session", email };
    for (let n = 0; n < 5; n++) await throttle.begin(from("192.0.2.1"));
    for (let n = 0; n < 5; n++) expect(await answer(throttle.begin(session))).toBe("begun");
    expect(await answer(throttle.begin(session))).toBe(1_000);
  });
});

test("a delayed e-mail address is logged once in 10 minutes, without the text that was typed", async () => {
  const { clock, throttle, warned } = world();
  for (let n = 0; n < 20; n++) await answer(throttle.begin(attempt));
  expect(warned).toEqual([
    expect.stringMatching(/^Sign-ins with an e-mail address are delayed .*"emailDigest":"[\w-]{12}"/),
  ]);
  expect(warned.join()).not.toContain("ana");
  await clock.advance(600_000);
  for (let n = 0; n < 3; n++) await answer(throttle.begin(attempt));
  expect(warned).toHaveLength(2);
});
