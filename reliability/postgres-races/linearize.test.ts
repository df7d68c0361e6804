import { expect, test } from "vitest";
import { linearize, type Observed } from "./linearize.ts";

/** A register: every write is valid, and a read is valid if it returns the current value. */
const write = (calledAt: number, answeredAt: number, value: number): Observed<number> => ({
  label: `write ${value}`,
  calledAt,
  answeredAt,
  apply: () => value,
});
const read = (calledAt: number, answeredAt: number, value: number): Observed<number> => ({
  label: `read ${value}`,
  calledAt,
  answeredAt,
  apply: (state) => (state === value ? state : undefined),
});

test("calls that overlap may have happened in either order", () => {
  expect(linearize(0, [write(1, 4, 7), read(2, 3, 0)])).toMatchObject({ found: true });
  expect(linearize(0, [write(1, 4, 7), read(2, 3, 7)])).toMatchObject({ found: true });
});

test("a call that was answered before another began takes effect first", () => {
  expect(linearize(0, [write(1, 2, 7), read(3, 4, 0)])).toEqual({ found: false, longest: ["write 7"] });
});

test("two reads cannot see a write appear and disappear", () => {
  expect(linearize(0, [write(1, 10, 7), read(2, 3, 7), read(4, 5, 0)])).toMatchObject({ found: false });
});

test("many concurrent calls are searched without trying every order of independent ones", () => {
  const calls = Array.from({ length: 14 }, (_, index) => read(index, 100 + index, 0));
  expect(linearize(0, [...calls, read(14, 114, 1)])).toMatchObject({ found: false });
});
