import { expect, test } from "vitest";
import { bodyBytesOfKey, createBodyRoom, leastComingBytes, type BodyPlace, type BodyRoom } from "./body-room.ts";

const mebibyte = 1024 * 1024;
const rateLimited = expect.objectContaining({ code: "rate_limited", retryAfterMs: 1_000 }) as Error;
const overloaded = expect.objectContaining({ code: "overloaded", retryAfterMs: 1_000 }) as Error;

/** Bodies of one mebibyte each, each with its own key. */
function fill(room: BodyRoom, environment: "sandbox" | "live", bodies: number): BodyPlace[] {
  return Array.from({ length: bodies }, (_body, number) => {
    const place = room.take(`key ${number}`, environment, true);
    place.came(mebibyte);
    return place;
  });
}

test("limits an environment to its share, and reuses released room", () => {
  const room = createBodyRoom();
  const places = fill(room, "sandbox", 32);
  expect(() => room.take("another", "sandbox", true)).toThrow(rateLimited);
  fill(room, "live", 1);
  places[0]?.leave();
  room.take("another", "sandbox", true).came(mebibyte);
  expect(() => room.take("another", "sandbox", true)).toThrow(rateLimited);
});

test("limits both environments together to the room of the process", () => {
  const room = createBodyRoom();
  fill(room, "sandbox", 24);
  fill(room, "live", 24);
  expect(() => room.take("another", "live", true)).toThrow(overloaded);
});

test("limits the bodies of a key to half of its environment's share", () => {
  const room = createBodyRoom();
  for (let n = 0; n < 16; n++) room.take("greedy", "sandbox", true).came(mebibyte);
  expect(() => room.take("greedy", "sandbox", true)).toThrow(rateLimited);
  room.take("another", "sandbox", true).came(mebibyte);
});

test("allows one body above the share of its key while the key sends no other", () => {
  const room = createBodyRoom();
  const document = room.take("manager", "sandbox", true);
  document.coming(25 * mebibyte);
  expect(() => room.take("manager", "sandbox", true)).toThrow(rateLimited);
  document.leave();
  const small = room.take("manager", "sandbox", true);
  expect(() => room.take("manager", "sandbox", true).coming(bodyBytesOfKey)).toThrow(rateLimited);
  small.leave();
});

test("counts a minimum for a body that has not arrived, which limits such bodies per key", () => {
  const room = createBodyRoom();
  const most = bodyBytesOfKey / leastComingBytes;
  const silent = Array.from({ length: most }, () => room.take("silent", "sandbox", true));
  expect(() => room.take("silent", "sandbox", true)).toThrow(rateLimited);
  room.take("another", "sandbox", true).came(mebibyte);
  silent[0]?.leave();
  room.take("silent", "sandbox", true);
});

test("counts the bytes of a body that have arrived so far", () => {
  const room = createBodyRoom();
  const places = fill(room, "live", 31);
  const slow = room.take("slow", "live", true);
  for (const part of [1, 2, 3, 4]) slow.coming((part * mebibyte) / 4);
  const refused = () => room.take("another", "live", true);
  expect(refused).toThrow(rateLimited);
  places[0]?.leave();
  expect(() => refused().coming(2 * mebibyte)).toThrow(rateLimited);
});

test("counts the actual size of a complete body", () => {
  const room = createBodyRoom();
  const places = Array.from({ length: 10_000 }, () => {
    const place = room.take("busy", "live", true);
    place.came(1_000);
    return place;
  });
  for (const place of places) place.leave();
  fill(room, "live", 32);
});

test("releases a place once, however often it is left", () => {
  const room = createBodyRoom();
  const places = fill(room, "live", 32);
  places[0]?.leave();
  places[0]?.leave();
  places[0]?.came(mebibyte);
  room.take("another", "live", true).came(mebibyte);
  expect(() => room.take("another", "live", true)).toThrow(rateLimited);
});

test("reserves no room for a request that announces no body", () => {
  const room = createBodyRoom();
  fill(room, "sandbox", 32);
  const without = room.take("another", "sandbox", false);
  without.came(0);
  expect(() => without.coming(1)).toThrow(rateLimited);
});
