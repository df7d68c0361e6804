import { expect, test } from "vitest";
import { groupsOf, isSameSet } from "./person-facts.ts";

test("groups are separated by commas, and each counts once", () => {
  expect(groupsOf(" treasury,controlling,, treasury ")).toEqual(["treasury", "controlling"]);
  expect(groupsOf(" ")).toEqual([]);
});

test("the order of roles is no change", () => {
  expect(isSameSet(["owner", "viewer"], ["viewer", "owner"])).toBe(true);
  expect(isSameSet(["owner"], ["viewer"])).toBe(false);
});
