import { expect, test } from "vitest";
import { ApiError } from "./api-error.ts";
import { fieldProblems } from "./field-problems.ts";

const refused = new ApiError("invalid_input", "The request is not valid.", {
  details: [{ path: "/groups/1", message: "must not be empty" }],
});

test("a problem below a field is told at the field", () => {
  const problems = fieldProblems(refused, ["/email", "/groups"]);
  expect(problems.of("/groups")).toBe("This field must not be empty.");
  expect(problems.of("/email")).toBeUndefined();
  expect(problems.rest).toBeNull();
});

test("a problem without a field is told by the form", () => {
  expect(fieldProblems(refused, ["/email"]).rest).toBe(refused);
  const taken = new ApiError("email_taken", "This address belongs to an active person.");
  expect(fieldProblems(taken, ["/email"]).rest).toBe(taken);
});
