import { expect, test } from "vitest";
import { rolesText } from "./roles.ts";

test("roles are named in a fixed order", () => {
  expect(rolesText(["owner", "reviewer"])).toBe("Reviewer, Owner");
  expect(rolesText([])).toBe("No access");
});
