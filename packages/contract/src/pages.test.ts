import { expect, test } from "vitest";
import * as z from "zod";
import { pageOf, pageQuerySchema } from "./pages.ts";

test("a list has 50 items by default", () => {
  expect(pageQuerySchema.parse({})).toEqual({ limit: 50 });
  expect(pageQuerySchema.parse({ limit: "7", cursor: "abc" })).toEqual({ limit: 7, cursor: "abc" });
});

test.each(["1", "100"])("a limit may be %s", (limit) => {
  expect(pageQuerySchema.safeParse({ limit }).success).toBe(true);
});

test.each(["0", "101", "-1", "1.5", "many", "", "NaN"])("a limit may not be %j", (limit) => {
  expect(pageQuerySchema.safeParse({ limit }).success).toBe(false);
});

test("an unknown parameter is refused, never ignored", () => {
  expect(pageQuerySchema.safeParse({ page: "2" }).success).toBe(false);
});

test("a page is { data, nextCursor }; the last one has no cursor", () => {
  const page = pageOf(z.string());
  expect(page.parse({ data: ["a"], nextCursor: "c" })).toEqual({ data: ["a"], nextCursor: "c" });
  expect(page.parse({ data: [] })).toEqual({ data: [] });
  expect(page.safeParse({ data: [], total: 0 }).success).toBe(false);
});
