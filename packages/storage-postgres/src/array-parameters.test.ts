import { expect, test } from "vitest";
import { arrayParameter } from "./array-parameters.ts";

test("elements stand behind their lengths, and null has none", () => {
  const header = (oid: number, count: number) => [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, oid, 0, 0, 0, count, 0, 0, 0, 1];
  expect([...arrayParameter("text", ["é", null, ""])]).toEqual([
    ...header(25, 3),
    ...[0, 0, 0, 2, 0xc3, 0xa9],
    ...[0xff, 0xff, 0xff, 0xff],
    ...[0, 0, 0, 0],
  ]);
  expect([...arrayParameter("integer", [258])]).toEqual([...header(23, 1), 0, 0, 0, 4, 0, 0, 1, 2]);
  expect([...arrayParameter("bigint", [2 ** 40])]).toEqual([...header(20, 1), 0, 0, 0, 8, 0, 0, 1, 0, 0, 0, 0, 0]);
  expect([...arrayParameter("boolean", [true, null, false])]).toEqual([
    ...header(16, 3),
    ...[0, 0, 0, 1, 1],
    ...[0xff, 0xff, 0xff, 0xff],
    ...[0, 0, 0, 1, 0],
  ]);
});

test("an empty array has no dimension", () => {
  expect([...arrayParameter("text", [])]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 25]);
});

test("an array stays as it is when the next one is made, however large it is", () => {
  const small = arrayParameter("text", ["first"]);
  const before = [...small];
  const large = arrayParameter("text", ["é".repeat(400_000)]);
  arrayParameter("text", ["other"]);
  expect([...small]).toEqual(before);
  expect(large.length).toBe(20 + 4 + 800_000);
  expect(large.subarray(24).toString()).toBe("é".repeat(400_000));
});
