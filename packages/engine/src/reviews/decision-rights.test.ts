import type { ReviewRules } from "@procedo/procedure";
import { describe, expect, test } from "vitest";
import type { Principal } from "../access/principal.ts";
import { mayDecideNow, type DecidableReview } from "./decision-rights.ts";

const nowMs = 1_000;
const anyone: ReviewRules = { roles: [], people: [], approvals: 2, outputs: false };
const open: DecidableReview = { environment: "sandbox", status: "open", rules: anyone, decisions: [] };
const rita: Principal = { person: "rita", environment: "sandbox", permissions: ["review"] };

const rights = (changes: Partial<DecidableReview>, by: Principal = rita) =>
  mayDecideNow({ ...open, ...changes }, by, [{ nodeId: "first", person: "rita" }], nowMs);
const ruled = (rules: Partial<ReviewRules>) => rights({ rules: { ...anyone, ...rules } });

describe("the right to decide a review", () => {
  test("belongs to a reviewer of an open review", () => {
    expect(rights({})).toEqual({ allowed: true });
    expect(rights({ decisions: [{ person: "ronald" }] })).toEqual({ allowed: true });
    expect(ruled({ notBeforeMs: nowMs, expiresAtMs: nowMs + 1 })).toEqual({ allowed: true });
  });

  test.each<[why: string, answer: ReturnType<typeof rights>, reason: RegExp]>([
    ["the permission is missing", rights({}, { ...rita, permissions: ["run"] }), /permission "review" in sandbox/],
    ["the key is of the other environment", rights({}, { ...rita, environment: "live" }), /live only/],
    ["the review was approved", rights({ status: "approved" }), /was approved/],
    ["the review was rejected", rights({ status: "rejected" }), /was rejected/],
    ["the run was cancelled", rights({ status: "cancelled" }), /was cancelled/],
    ["the review was closed as expired", rights({ status: "expired" }), /has expired/],
    ["the outcome is known", rights({ status: "settled" }), /no longer needs a decision/],
    ["the review has expired, and is not closed yet", ruled({ expiresAtMs: nowMs }), /has expired/],
    ["the call may be under way", ruled({ notBeforeMs: nowMs + 1 }), /Decide after 1970-01-01T00:00:01.001Z/],
    ["the person has decided under another spelling", rights({ decisions: [{ person: "Rita " }] }), /already decided/],
    ["the person started the run", ruled({ excludes: "RITA" }), /started the run/],
    ["the person approved an excluded node", ruled({ excludesApproversOf: ["first"] }), /approved "first"/],
    ["the person has none of the roles", ruled({ roles: ["treasury"] }), /role "treasury"/],
  ])("does not exist where %s", (_why, answer, reason) => {
    expect(answer).toEqual({ allowed: false, reason: expect.stringMatching(reason) });
  });

  test("is not answered to a key that was deleted meanwhile", () => {
    expect(() => rights({}, { ...rita, isRevoked: () => true })).toThrow(/deleted/);
  });
});
