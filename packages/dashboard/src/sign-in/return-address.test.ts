import { expect, test } from "vitest";
import { returnAddress } from "./return-address.ts";

test.each(["/live/reviews/rev_1", "/sandbox/runs?status=failed&q=a%20b", "/"])(
  "%s is a path of the dashboard",
  (to) => {
    expect(returnAddress(to)).toBe(to);
  },
);

test.each([
  undefined,
  "",
  "//evil.example",
  "/\\evil.example",
  "https://evil.example",
  "javascript:alert(1)",
  "live",
  "/a\nb",
  "/a\\b",
])("%j leads to the beginning", (to) => {
  expect(returnAddress(to)).toBe("/");
});
