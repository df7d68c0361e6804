import { expect, test } from "vitest";
import { refusalMessage } from "./refusal-message.ts";

test.each([
  [401, "Revoked.", "Bank did not accept the credentials: Revoked."],
  [403, "Read-only token", "Bank does not permit the call: Read-only token."],
  [404, "Not found", "Bank does not have the object: Not found."],
  [422, " two\n lines ", "Bank refused the call: two lines."],
  [429, "", "Bank has had too many requests."],
  [503, "Overloaded", "Bank failed: Overloaded."],
])("a refusal with %i says who is at fault, and the reason of the service", (status, reason, message) => {
  expect(refusalMessage("Bank", status, reason)).toBe(message);
});
