import { expect, test } from "vitest";
import { seededRandom } from "@procedo-testing/faults";
import { createWorld } from "./world.ts";

async function orderOf(seed: number): Promise<string> {
  const world = createWorld(seededRandom(seed));
  const order: string[] = [];
  for (const name of ["a", "b", "c", "d"]) world.after(5, () => order.push(name));
  await world.run(10, () => false);
  return order.join("");
}

test("events of one instant come in an order that the seed decides", async () => {
  const orders = await Promise.all(Array.from({ length: 20 }, (_item, seed) => orderOf(seed)));
  expect(new Set(orders).size).toBeGreaterThan(5);
  expect(await orderOf(3)).toBe(orders[3]);
});

test("time moves from event to event, never back, and stops at the given end", async () => {
  const world = createWorld(seededRandom(1));
  const times: number[] = [];
  for (const delayMs of [30, 10, 20, 50]) world.after(delayMs, () => times.push(world.nowMs()));
  await world.run(40, () => false);
  expect(times).toEqual([10, 20, 30]);
  expect(world.nowMs()).toBe(40);
});

test("promises settle before the next event", async () => {
  const world = createWorld(seededRandom(1));
  const order: string[] = [];
  world.after(1, () => {
    void Promise.resolve()
      .then(() => Promise.resolve())
      .then(() => order.push("promise"));
  });
  world.after(2, () => order.push("event"));
  await world.run(10, () => false);
  expect(order).toEqual(["promise", "event"]);
});

test("a cancelled event does not happen", async () => {
  const world = createWorld(seededRandom(1));
  let happened = false;
  const cancel = world.after(1, () => (happened = true));
  cancel();
  await world.run(10, () => false);
  expect(happened).toBe(false);
});

test("the traces of two histories differ", () => {
  const [one, other] = [createWorld(seededRandom(1)), createWorld(seededRandom(1))];
  one.note("paid");
  other.note("refused");
  expect(one.traceHash()).not.toBe(other.traceHash());
});

test("an event that sends requests in a loop is detected", () => {
  const world = createWorld(seededRandom(1));
  let asked = 0;
  while (world.mayAsk()) asked += 1;
  expect(asked).toBeGreaterThan(100);
});
