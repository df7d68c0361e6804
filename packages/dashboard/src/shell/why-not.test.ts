import { expect, test } from "vitest";
import { whyNot } from "./why-not.ts";

const nowMs = Date.parse("2026-11-20T12:00:00Z");
const refused = (reason: string) => ({ allowed: false, reason }) as const;

test.each([
  [{ status: "open", mayDecide: { allowed: true } }, undefined],
  [
    {
      status: "open",
      mayDecide: refused("The call may still be under way. Decide after 2026-11-20T12:01:00.000Z."),
      notBefore: "2026-11-20T12:01:00.000Z",
    },
    "The call may still be under way. Decide after 20 Nov 2026, 12:01:00 UTC.",
  ],
  [
    { status: "open", mayDecide: refused('The request needs the permission "review" in live.') },
    "You may look at reviews in Live, and not decide them. An owner can give you the role reviewer.",
  ],
  [
    { status: "open", mayDecide: refused("You have already decided on this review.") },
    "You have already decided on this review.",
  ],
] as const)("the reason is a sentence for the reader", (review, reason) => {
  expect(whyNot(review, nowMs, "UTC")).toBe(reason);
});
