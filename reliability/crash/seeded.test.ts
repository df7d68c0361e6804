import { expect, test } from "vitest";
import { seeded, seededUuid } from "./seeded.ts";

test("a seed gives the same sequence again, and another one another", () => {
  const draw = (seed: number) => {
    const random = seeded(seed);
    return Array.from({ length: 20 }, () => random.below(1_000));
  };
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
});

test("a fork does not change when more is drawn from its origin", () => {
  const quiet = seeded(3);
  const busy = seeded(3);
  const [a, b] = [quiet.fork(), busy.fork()];
  for (let draw = 0; draw < 5; draw++) busy.below(10);
  expect(a.hex(16)).toBe(b.hex(16));
});

test("a UUID is one of version 4", () => {
  const random = seeded(1);
  for (let made = 0; made < 50; made++) {
    expect(seededUuid(random)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
});
