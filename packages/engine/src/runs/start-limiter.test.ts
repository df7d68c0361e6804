import type { Environment } from "@procedo/contract";
import { expect, test } from "vitest";
import { createStartLimiter } from "./start-limiter.ts";

/** Begins starts that stay in progress until they are released. */
function flood(limiter: ReturnType<typeof createStartLimiter>, environment: Environment, count: number) {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const starts = Array.from({ length: count }, () => limiter.run(environment, () => held));
  return { settled: Promise.allSettled(starts), release: () => release() };
}

test("a flooded environment refuses starts with a retry delay and leaves room to the other", async () => {
  const limiter = createStartLimiter();
  const { settled, release } = flood(limiter, "sandbox", 10_000);
  let begun = 0;
  const live = await Promise.all(Array.from({ length: 500 }, () => limiter.run("live", async () => (begun += 1))));
  expect([live.length, begun]).toEqual([500, 500]);
  release();
  const refused = (await settled).filter(({ status }) => status === "rejected");
  expect(refused).toHaveLength(10_000 - 1_024);
  expect(refused[0]).toMatchObject({ reason: { code: "rate_limited", retryAfterMs: 1_000 } });
});

test("a full process refuses both environments until there is room", async () => {
  const limiter = createStartLimiter();
  const sandbox = flood(limiter, "sandbox", 1_024);
  const live = flood(limiter, "live", 512);
  const begun: string[] = [];
  const begin = (environment: Environment) => limiter.run(environment, async () => void begun.push(environment));
  await expect(begin("live")).rejects.toMatchObject({ code: "overloaded", retryAfterMs: 1_000 });
  await expect(begin("sandbox")).rejects.toMatchObject({ code: "rate_limited" });
  expect(begun).toEqual([]);
  for (const side of [sandbox, live]) {
    side.release();
    await side.settled;
  }
  await begin("live");
  await begin("sandbox");
  expect(begun).toEqual(["live", "sandbox"]);
});

test("128 starts run at once, and further starts run in the order of their arrival", async () => {
  const limiter = createStartLimiter();
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const starts = Array.from({ length: 260 }, (_, at) =>
    limiter.run("live", () => {
      begun.push(at);
      return new Promise<void>((resolve) => ends.push(resolve));
    }),
  );
  expect(begun).toHaveLength(128);
  while (ends.length > 0) {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(starts);
  expect(begun).toEqual(Array.from({ length: 260 }, (_, at) => at));
});

test("a failed start no longer counts", async () => {
  const limiter = createStartLimiter();
  const failing = Array.from({ length: 1_024 }, () => limiter.run("live", () => Promise.reject(new Error("No."))));
  await Promise.allSettled(failing);
  await expect(limiter.run("live", async () => "begun")).resolves.toBe("begun");
});
