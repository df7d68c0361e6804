import { describe, expect, test } from "vitest";
import { authorize, authorizeBoth, type Principal } from "./principal.ts";

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

describe("authorizing a change of both environments", () => {
  const change = { what: "Removing it", because: "it is used there", instead: "Ask an owner." };
  const refusalOf = (principal: Principal): unknown => {
    try {
      authorizeBoth(principal, "manage", change);
      return undefined;
    } catch (error) {
      return error;
    }
  };
  const both = { person: "p", environment: "sandbox", permissions: ["manage"] } as const;

  test("allows code without limits, and a session with the permission in both", () => {
    expect(refusalOf({ person: "p" })).toBeUndefined();
    expect(refusalOf({ person: "p", permissions: ["manage"] })).toBeUndefined();
    expect(refusalOf({ ...both, permissionsElsewhere: ["run", "manage"] })).toBeUndefined();
  });

  test.each([
    ["a key, and a session without a role in the other", both, "environment_mismatch", "you reach sandbox only"],
    [
      "a session with a lower role in the other",
      { ...both, permissionsElsewhere: [] },
      "permission_denied",
      "you do not have it in live",
    ],
    [
      "a session with the permission in the other only",
      { ...both, permissions: [], permissionsElsewhere: ["manage"] },
      "permission_denied",
      '"manage"',
    ],
  ] satisfies [string, Principal, string, string][])("refuses %s", (_who, principal, code, text) => {
    expect(refusalOf(principal)).toMatchObject({ code, message: expect.stringContaining(text) });
  });

  test("permissions in the other environment do not authorize a change of that one alone", () => {
    const principal = { ...both, permissionsElsewhere: ["manage"] } as const;
    expect(() => authorize(principal, "manage", "live")).toThrow(/was sent for sandbox\. Send it for live/);
  });
});
