import { describe, expect, test } from "vitest";
import { statusOf } from "./errors.ts";
import { requestProblems } from "./request-problems.ts";
import { decisionErrorCode, reviewDecisionSchema } from "./review-decision.ts";

const idempotencyKey = "3f2b8c1e-9d4a-4f6b-8a1c-2e5d7f9b0c3d";
const answerTo = (body: unknown) => {
  const result = reviewDecisionSchema.safeParse(body);
  if (result.success) return { status: 200, paths: [] };
  const problems = requestProblems(result.error);
  return { status: statusOf(decisionErrorCode(problems)), paths: problems.map(({ path }) => path) };
};

describe("a decision", () => {
  test.each([
    { approved: true, idempotencyKey },
    { approved: true, idempotencyKey, outputs: { limit: 5 } },
    { approved: false, idempotencyKey, rejectionReason: "Too much." },
    { approved: true, idempotencyKey: idempotencyKey.toUpperCase() },
    { approved: true, idempotencyKey, reviewId: "rev_1", reviewDigest: "abc" },
  ])("may be %j", (decision) => {
    expect(reviewDecisionSchema.parse(decision)).toEqual(decision);
  });

  test.each([undefined, "", "  \n", 7, null, ["no"]])(
    "that rejects without a reason (%j) is a 422",
    (rejectionReason) => {
      expect(answerTo({ approved: false, idempotencyKey, rejectionReason })).toEqual({
        status: 422,
        paths: ["/rejectionReason"],
      });
    },
  );

  test.each([
    undefined,
    "",
    "decision-1",
    "3f2b8c1e-9d4a-1f6b-8a1c-2e5d7f9b0c3d",
    "3f2b8c1e-9d4a-4f6b-0a1c-2e5d7f9b0c3d",
    `${idempotencyKey}\n`,
    `{${idempotencyKey}}`,
    7,
  ])("whose idempotency key is not a UUID v4 (%j) is a 422", (key) => {
    expect(answerTo({ approved: true, idempotencyKey: key })).toEqual({ status: 422, paths: ["/idempotencyKey"] });
  });

  test("with both faults reports both", () => {
    expect(answerTo({ approved: false, idempotencyKey: "x" })).toEqual({
      status: 422,
      paths: ["/idempotencyKey", "/rejectionReason"],
    });
  });

  test("of another shape is a 400", () => {
    expect(answerTo({ idempotencyKey })).toEqual({ status: 400, paths: ["/approved"] });
    expect(answerTo({ approved: "true", idempotencyKey })).toEqual({ status: 400, paths: ["/approved"] });
    expect(answerTo({ approved: true, idempotencyKey, outputs: [] })).toEqual({ status: 400, paths: ["/outputs"] });
    expect(answerTo(null)).toEqual({ status: 400, paths: [""] });
  });

  test.each(["arguments", "action", "toolName", "connection", "approvedBy"])(
    "contains no %s: the call that an approval sends was stored when the review opened",
    (field) => {
      expect(answerTo({ approved: true, idempotencyKey, [field]: "x" })).toEqual({ status: 400, paths: [`/${field}`] });
    },
  );
});

test("an unknown field has a code of its own", () => {
  expect(decisionErrorCode([{ kind: "unknown_field", path: "/x", message: "" }])).toBe("unknown_field");
  expect(decisionErrorCode([{ kind: "invalid", path: "/approved", message: "" }])).toBe("malformed_request");
});
