import { expect, test } from "vitest";
import { seededRandom } from "@procedo-testing/faults";
import { createMachine, epochMs } from "./machine.ts";
import { createWorld } from "./world.ts";

function setUp(wallOffset = { ms: 0 }) {
  const world = createWorld(seededRandom(1));
  return { world, machine: createMachine(world, "m1", () => wallOffset.ms), wallOffset };
}

test("nothing reaches a killed machine, even if it was sent before the kill", async () => {
  const { world, machine } = setUp();
  const reached: string[] = [];
  machine.clock.after(10, () => reached.push("timer"));
  world.after(20, () => machine.deliver(() => reached.push("answer")));
  world.after(5, machine.kill);
  await world.run(100, () => false);
  expect(reached).toEqual([]);
});

test("a paused machine receives everything when it resumes", async () => {
  const { world, machine } = setUp();
  const reached: number[] = [];
  machine.clock.after(10, () => reached.push(world.nowMs()));
  world.after(5, machine.pause);
  world.after(50, machine.resume);
  await world.run(100, () => false);
  expect(reached).toEqual([50]);
});

test("a jump of the wall clock leaves the monotonic clock alone", async () => {
  const { world, machine, wallOffset } = setUp();
  world.after(10, () => (wallOffset.ms = -3_600_000));
  await world.run(20, () => false);
  expect(machine.clock.monotonic()).toBe(20);
  expect(machine.clock.now()).toBe(epochMs + 20 - 3_600_000);
});
