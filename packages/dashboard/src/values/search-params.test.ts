import { expect, test } from "vitest";
import { readSearch, writeSearch } from "./search-params.ts";

test.each([
  [
    "digits stay as they were written",
    { q: "12345678901234567890", version: "1" },
    "?q=12345678901234567890&version=1",
  ],
  ["words of JSON stay texts", { q: "true", from: "null" }, "?q=true&from=null"],
  ["a list is a parameter several times", { status: ["failed", "running"] }, "?status=failed&status=running"],
  ["quotes and spaces", { q: `"INV 1" & more` }, "?q=%22INV+1%22+%26+more"],
  ["no parameters", {}, ""],
])("%s", (_promise, search, text) => {
  expect(writeSearch(search)).toBe(text);
  expect(readSearch(text)).toEqual(search);
});

test("a parameter that is undefined is left out", () => {
  expect(writeSearch({ q: undefined, to: "2026-11-20" })).toBe("?to=2026-11-20");
});
