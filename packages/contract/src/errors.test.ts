import { expect, test } from "vitest";
import { errorCatalogue, ProcedoError, statusOf } from "./errors.ts";

test("every code is a slug with an HTTP error status", () => {
  for (const [code, { status }] of Object.entries(errorCatalogue)) {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(600);
  }
});

test.each([
  ["run_timeout", 504],
  ["unauthorized", 401],
  ["api_key_not_found", 404],
  ["run_not_found", 404],
  ["already_decided", 409],
  ["invalid_decision", 422],
] as const)("the contract answers %s with %i", (code, status) => {
  expect(statusOf(code)).toBe(status);
});

test("an error of another installed copy is recognized", () => {
  const foreign = Object.defineProperty(new Error("x"), Symbol.for("procedo.error"), { value: true });
  expect(ProcedoError.isError(foreign)).toBe(true);
  expect(ProcedoError.isError(new ProcedoError("internal", "x"))).toBe(true);
  for (const other of [new Error("x"), null, undefined, "internal"]) expect(ProcedoError.isError(other)).toBe(false);
});
