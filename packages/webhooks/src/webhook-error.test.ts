import { expect, test } from "vitest";
import { WebhookError } from "./webhook-error.ts";

test("is recognized across installed copies, and no other error is mistaken for it", () => {
  const foreign = Object.assign(new Error("of another copy"), { [Symbol.for("procedo.webhook-error")]: true });
  expect(WebhookError.isError(new WebhookError("not_json", "no JSON"))).toBe(true);
  expect(WebhookError.isError(foreign)).toBe(true);
  for (const other of [new Error("plain"), null, undefined, "text", {}])
    expect(WebhookError.isError(other)).toBe(false);
});

test("every fault of a signature has the same status; a receiver's own faults cause another attempt", () => {
  const statusOf = (code: WebhookError["code"]): number => new WebhookError(code, "").status;
  expect(new Set((["missing_signature", "malformed_signature", "wrong_signature"] as const).map(statusOf))).toEqual(
    new Set([401]),
  );
  expect(new Set((["not_json", "not_an_event"] as const).map(statusOf))).toEqual(new Set([400]));
  expect(new Set((["body_not_raw", "invalid_secret", "unsupported_runtime"] as const).map(statusOf))).toEqual(
    new Set([500]),
  );
});
