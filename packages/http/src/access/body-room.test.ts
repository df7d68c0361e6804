import { expect, test } from "vitest";
import { createBodyRoom } from "./body-room.ts";

const mebibyte = 1024 * 1024;
const declared = String(mebibyte);
const rateLimited = expect.objectContaining({ code: "rate_limited", retryAfterMs: 1_000 }) as Error;

test("an environment takes its share and no more, and gets back what it leaves", () => {
  const room = createBodyRoom();
  const places = Array.from({ length: 32 }, () => room.take("sandbox", declared, mebibyte));
  expect(() => room.take("sandbox", "1", mebibyte)).toThrow(rateLimited);
  room.take("live", declared, mebibyte);
  places[0]?.leave();
  room.take("sandbox", declared, mebibyte);
  expect(() => room.take("sandbox", "1", mebibyte)).toThrow(rateLimited);
});

test("the two together stay within what the process has", () => {
  const room = createBodyRoom();
  for (let n = 0; n < 24; n++)
    for (const environment of ["sandbox", "live"] as const) room.take(environment, declared, mebibyte);
  expect(() => room.take("live", "1", mebibyte)).toThrow(
    expect.objectContaining({ code: "overloaded", retryAfterMs: 1_000 }),
  );
});

test("more than is ever read is not set aside", () => {
  const room = createBodyRoom();
  for (let n = 0; n < 32; n++) room.take("live", "1000000000000", mebibyte);
  expect(() => room.take("live", "1", mebibyte)).toThrow(rateLimited);
});

test("a body that did not say how large it is counts as what has come of it so far", () => {
  const room = createBodyRoom();
  const bodies = Array.from({ length: 33 }, () => room.take("live", undefined, mebibyte));
  for (const place of bodies.slice(0, 31)) for (const part of [1, 2, 3, 4]) place.coming((part * mebibyte) / 4);
  bodies[31]?.coming(mebibyte / 2);
  expect(() => bodies[32]?.coming(mebibyte)).toThrow(rateLimited);
  bodies[0]?.leave();
  bodies[32]?.coming(mebibyte);
});

test("a body that did not say how large it is counts as what has come of it in the end", () => {
  const room = createBodyRoom();
  for (let n = 0; n < 10_000; n++) room.take("live", undefined, mebibyte).came(1_000);
  const large = Array.from({ length: 22 }, () => room.take("live", "abc", mebibyte));
  for (const place of large) place.came(mebibyte);
  const last = room.take("live", undefined, mebibyte);
  expect(() => last.came(mebibyte)).toThrow(rateLimited);
  last.leave();
  large[0]?.leave();
  room.take("live", declared, mebibyte);
});
