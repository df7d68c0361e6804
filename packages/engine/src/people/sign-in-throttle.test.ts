import { describe, expect, test } from "vitest";
import { manualClock } from "@procedo-testing/faults";
import { createMemoryStorage } from "@procedo/storage";
import { createSignInThrottle } from "./sign-in-throttle.ts";

function world() {
  const clock = manualClock();
  const storage = createMemoryStorage({ now: () => clock.now() });
  const node = () => createSignInThrottle(storage.sessions, clock, "default");
  return { clock, storage, node, throttle: node() };
}

const email = "ana@example.com";
const answer = (attempt: Promise<void>): Promise<unknown> =>
  attempt.then(
    () => "begun",
    (error: unknown) => (error as { readonly retryAfterMs: number }).retryAfterMs,
  );

describe("failed sign-ins with one address", () => {
  test("wait after 5: 1 second, then twice as long each time, up to a minute", async () => {
    const { clock, throttle } = world();
    for (let n = 0; n < 5; n++) expect(await answer(throttle.begin(email))).toBe("begun");
    for (const waitMs of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
      expect(await answer(throttle.check(email))).toBe(waitMs);
      expect(await answer(throttle.begin(email))).toBe(waitMs);
      await clock.advance(waitMs - 1);
      expect(await answer(throttle.begin(email))).toBe(1);
      await clock.advance(1);
      expect(await answer(throttle.begin(email))).toBe("begun");
    }
  });

  test("of 1,000 at the same moment over three nodes, 5 begin, and one more after each delay", async () => {
    const { clock, node } = world();
    const nodes = [node(), node(), node()];
    const storm = async () => {
      const answers = await Promise.all(
        Array.from({ length: 1_000 }, (_each, n) => answer((nodes[n % 3] ?? expect.unreachable()).begin(email))),
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
    for (let n = 0; n < 5; n++) await throttle.begin(email);
    expect(await answer(throttle.begin("ben@example.com"))).toBe("begun");
    await throttle.succeeded(email);
    expect(await answer(throttle.begin(email))).toBe("begun");
  });

  test("do not lock an address for the step by which the clock was set back", async () => {
    const { clock, storage } = world();
    const ahead = createSignInThrottle(storage.sessions, { now: () => clock.now() + 3_600_000 }, "default");
    for (let n = 0; n < 5; n++) await ahead.begin(email);
    const now = createSignInThrottle(storage.sessions, clock, "default");
    expect(await answer(now.begin(email))).toBe("begun");
    for (let n = 0; n < 4; n++) await now.begin(email);
    expect(await answer(now.begin(email))).toBe(1_000);
  });
});
