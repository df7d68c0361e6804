import { describe, expect, test } from "vitest";
import { authorize, type Principal } from "./principal.ts";

const codeOf = (
  principal: Principal,
  ...rest: [permission: "run" | "manage" | "review", environment?: "sandbox" | "live"]
) => {
  try {
    authorize(principal, ...rest);
    return "allowed";
  } catch (error) {
    return (error as { readonly code: string }).code;
  }
};

describe("authorizing", () => {
  test.each([
    ["code without limits", { person: "p" }, "allowed", "allowed"],
    [
      "a key with the permission",
      { person: "p", environment: "sandbox", permissions: ["run"] },
      "allowed",
      "environment_mismatch",
    ],
    [
      "a key of the other environment",
      { person: "p", environment: "live", permissions: ["run"] },
      "environment_mismatch",
      "allowed",
    ],
    [
      "a key with other permissions",
      { person: "p", environment: "sandbox", permissions: ["manage", "review"] },
      "permission_denied",
      "environment_mismatch",
    ],
    ["a key without permissions", { person: "p", permissions: [] }, "permission_denied", "permission_denied"],
    ["an operator of one environment", { person: "p", environment: "live" }, "environment_mismatch", "allowed"],
  ] satisfies [string, Principal, string, string][])(
    "%s is checked for the environment first, then for the permission",
    (_who, principal, inSandbox, inLive) => {
      expect(codeOf(principal, "run", "sandbox")).toBe(inSandbox);
      expect(codeOf(principal, "run", "live")).toBe(inLive);
    },
  );

  test("a change of the workspace needs only the permission", () => {
    expect(codeOf({ person: "p", environment: "live", permissions: ["manage"] }, "manage")).toBe("allowed");
    expect(codeOf({ person: "p", environment: "live", permissions: ["run"] }, "manage")).toBe("permission_denied");
  });

  test("a refusal names the missing permission and the environment", () => {
    expect(() => authorize({ person: "p", permissions: [] }, "review", "live")).toThrow(/"review" in live/);
    expect(() => authorize({ person: "p", environment: "sandbox" }, "review", "live")).toThrow(/sandbox only/);
  });
});
