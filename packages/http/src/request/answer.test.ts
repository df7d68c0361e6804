import { ProcedoError } from "@procedo/contract";
import { expect, test } from "vitest";
import { errorAnswer } from "./answer.ts";

test("an error shows details up to 64 Ki characters, in their order, and 4 Ki characters of its message", () => {
  const details = Array.from({ length: 100_000 }, (_detail, number) => ({
    path: `/${number}`,
    message: "is not a known field",
  }));
  const error = new ProcedoError("unknown_field", "x".repeat(100_000), { details });
  const { body } = errorAnswer(error, "req_1");
  expect(body.length).toBeLessThan(256 * 1024);
  const reported = JSON.parse(body) as { readonly error: string; readonly details: readonly unknown[] };
  expect(reported.error).toHaveLength(4 * 1024);
  expect(reported.details.length).toBeGreaterThan(1_000);
  expect(reported.details).toEqual(details.slice(0, reported.details.length));
});

test("an error omits a single detail that is too large, and shows the others", () => {
  const small = { path: "/a", message: "is required" };
  const details = [{ path: `/${"b".repeat(100_000)}`, message: "is not a known field" }, small];
  const { body } = errorAnswer(new ProcedoError("unknown_field", "No.", { details }), "req_1");
  expect((JSON.parse(body) as { readonly details: readonly unknown[] }).details).toEqual([small]);
});
