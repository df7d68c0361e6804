import { expect, test } from "vitest";
import { missingScopes } from "./scopes.ts";

test("scopes that were asked for and not granted are named", () => {
  expect(missingScopes(["accounting", "payments"], ["accounting"])).toEqual(["payments"]);
  expect(missingScopes(["accounting"], ["payments", "accounting"])).toEqual([]);
});

test("before an authorization, no scope counts as refused", () => {
  expect(missingScopes(["accounting"], undefined)).toEqual([]);
});
