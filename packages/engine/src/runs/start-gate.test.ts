import type { Environment } from "@procedo/contract";
import { expect, test } from "vitest";
import { createStartGate } from "./start-gate.ts";

/** Starts so many that stay under way until they are let go. */
function flood(gate: ReturnType<typeof createStartGate>, environment: Environment, count: number) {
  let letGo = (): void => {};
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const starts = Array.from({ length: count }, () => gate.pass(environment, () => held));
  return { settled: Promise.allSettled(starts), letGo: () => letGo() };
}

test("an environment that floods is told to come later, and leaves room to the other", async () => {
  const gate = createStartGate();
  const { settled, letGo } = flood(gate, "sandbox", 10_000);
  let begun = 0;
  const live = await Promise.all(Array.from({ length: 500 }, () => gate.pass("live", async () => (begun += 1))));
  expect([live.length, begun]).toEqual([500, 500]);
  letGo();
  const refused = (await settled).filter(({ status }) => status === "rejected");
  expect(refused).toHaveLength(10_000 - 1_024);
  expect(refused[0]).toMatchObject({ reason: { code: "rate_limited", retryAfterMs: 1_000 } });
});

test("a process that is full refuses either environment, and goes on once there is room", async () => {
  const gate = createStartGate();
  const sandbox = flood(gate, "sandbox", 1_024);
  const live = flood(gate, "live", 512);
  const begun: string[] = [];
  const begin = (environment: Environment) => gate.pass(environment, async () => void begun.push(environment));
  await expect(begin("live")).rejects.toMatchObject({ code: "overloaded", retryAfterMs: 1_000 });
  await expect(begin("sandbox")).rejects.toMatchObject({ code: "rate_limited" });
  expect(begun).toEqual([]);
  for (const side of [sandbox, live]) {
    side.letGo();
    await side.settled;
  }
  await begin("live");
  await begin("sandbox");
  expect(begun).toEqual(["live", "sandbox"]);
});

test("so many pass at once, the others in the order in which they came", async () => {
  const gate = createStartGate();
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const starts = Array.from({ length: 260 }, (_, at) =>
    gate.pass("live", () => {
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

test("a start that fails counts no longer", async () => {
  const gate = createStartGate();
  const failing = Array.from({ length: 1_024 }, () => gate.pass("live", () => Promise.reject(new Error("No."))));
  await Promise.allSettled(failing);
  await expect(gate.pass("live", async () => "begun")).resolves.toBe("begun");
});
