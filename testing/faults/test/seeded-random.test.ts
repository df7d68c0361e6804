import { expect, test } from "vitest";
import { seededRandom, type SeededRandom } from "../src/index.ts";

const draws = (random: SeededRandom) => Array.from({ length: 20 }, () => random.below(1_000));

test("a seed reproduces its sequence, and another seed draws another one", () => {
  expect(draws(seededRandom(7))).toEqual(draws(seededRandom(7)));
  expect(draws(seededRandom(7))).not.toEqual(draws(seededRandom(8)));
});

test("a fork does not depend on draws from its origin, and forks of two names differ", () => {
  const busy = seededRandom(3);
  draws(busy);
  expect(draws(busy.fork("a"))).toEqual(draws(seededRandom(3).fork("a")));
  expect(draws(busy.fork("a"))).not.toEqual(draws(busy.fork("b")));
});

test("every value is drawn within its bounds", () => {
  const random = seededRandom(1);
  const dice = new Set(Array.from({ length: 500 }, () => random.between(1, 6)));
  expect([...dice].sort()).toEqual([1, 2, 3, 4, 5, 6]);
  expect(new Set(draws(random).map((value) => value >= 0 && value < 1_000))).toEqual(new Set([true]));
  expect(random.hex(7)).toMatch(/^[0-9a-f]{7}$/);
  for (let made = 0; made < 50; made++) {
    expect(random.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
  expect(() => random.pick([])).toThrow(RangeError);
});
