import { expect, test } from "vitest";
import { returnAddress } from "./return-address.ts";

test.each([
  ["/dashboard/live/reviews/rev_1", "/live/reviews/rev_1"],
  ["/dashboard/sandbox/runs?status=failed&q=a%20b", "/sandbox/runs?status=failed&q=a%20b"],
  ["/dashboard", "/"],
  ["/dashboard/", "/"],
  ["/dashboard?a=1", "/?a=1"],
])("%s is an address of the dashboard", (to, path) => {
  expect(returnAddress(to)).toBe(path);
});

test.each([
  undefined,
  "",
  "/live/runs",
  "/dashboards",
  "//evil.example",
  "//evil.example/dashboard",
  "/dashboard//evil.example",
  "/dashboard/../api/v1/session",
  "/dashboard/%2e%2e/api/v1/session",
  "/dashboard\\..\\evil",
  "/\\evil.example",
  "https://evil.example/dashboard",
  "javascript:alert(1)",
  "live",
  "/dashboard/a\nb",
])("%j leads to the beginning", (to) => {
  expect(returnAddress(to)).toBe("/");
});
