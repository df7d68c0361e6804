import { expect, test } from "vitest";
import { createGuestLimiter, guestsOfAddress, guestsOfAll } from "./guest-limiter.ts";

const refused = expect.objectContaining({ code: "rate_limited" }) as Error;
const times = (count: number, work: (number: number) => void): void => {
  for (let number = 0; number < count; number++) work(number);
};

test("limits one address, by the network of an IPv6 address, and not another", () => {
  const limiter = createGuestLimiter();
  const leave = limiter.take("2001:db8::1");
  times(guestsOfAddress - 1, (number) => limiter.take(`2001:db8::${number.toString(16)}`));
  expect(() => limiter.take("2001:db8::ffff")).toThrow(refused);
  limiter.take("192.0.2.1");
  leave();
  leave();
  limiter.take("2001:db8::1");
  expect(() => limiter.take("2001:db8::1")).toThrow(refused);
});

test("limits all addresses together, and callers of unknown address only so", () => {
  const limiter = createGuestLimiter();
  times(guestsOfAll, () => limiter.take(undefined));
  expect(() => limiter.take(undefined)).toThrow(refused);
  expect(() => limiter.take("192.0.2.1")).toThrow(refused);
});
