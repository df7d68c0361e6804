import { describe, expect, test } from "vitest";
import { errorBodyOf, errorBodySchema, errorFromBody } from "./error-body.ts";
import type { ErrorCode } from "./errors.ts";
import { errorCatalogue, ProcedoError, statusOf } from "./errors.ts";

const codes = Object.keys(errorCatalogue) as ErrorCode[];

test.each(codes)("%s reaches a client as the code that the service threw", (code) => {
  const details = [{ path: "/data/amount", message: "must be at least 1" }];
  const thrown = new ProcedoError(code, "What failed and what to do.", { details });
  const body = errorBodySchema.parse(JSON.parse(JSON.stringify(errorBodyOf(thrown, "req_1"))));
  const received = errorFromBody(statusOf(code), body);
  expect(received).toMatchObject({ code, message: thrown.message, details, requestId: "req_1" });
  expect(received.status).toBe(thrown.status);
  expect(received.retryable).toBe(thrown.retryable);
});

test("an error without details has a body without them", () => {
  expect(errorBodyOf(new ProcedoError("not_found", "No such thing."), "req_1")).toEqual({
    error: "No such thing.",
    code: "not_found",
    requestId: "req_1",
  });
});

test("a body never contains an error's cause or stack", () => {
  const error = new ProcedoError("internal", "It failed.", { cause: new Error("secret") });
  expect(JSON.stringify(errorBodyOf(error, "req_1"))).not.toMatch(/secret|stack/);
});

describe("an answer that this version does not know", () => {
  test.each([
    [400, "malformed_request"],
    [401, "unauthorized"],
    [403, "permission_denied"],
    [404, "not_found"],
    [405, "malformed_request"],
    [409, "revision_conflict"],
    [413, "payload_too_large"],
    [415, "unsupported_media_type"],
    [422, "invalid_input"],
    [429, "rate_limited"],
    [500, "internal"],
    [501, "internal"],
    [502, "overloaded"],
    [503, "overloaded"],
    [504, "overloaded"],
  ] as const)("with status %i is %s", (status, code) => {
    expect(errorFromBody(status, { error: "No.", code: "from_the_future", requestId: "r" })).toMatchObject({
      code,
      message: "No.",
    });
  });

  test.each([undefined, null, "<html>", 7, [], { error: 5, code: 7, details: "x", requestId: {} }, { error: "" }])(
    "may contain %j and still becomes an error",
    (body) => {
      const error = errorFromBody(502, body);
      expect(error).toMatchObject({ code: "overloaded", details: [] });
      expect(error.message).toBe("The service answered 502 and no reason.");
    },
  );

  test("may add fields", () => {
    const error = errorFromBody(404, { error: "No.", code: "run_not_found", requestId: "r", hint: "look" });
    expect(error.code).toBe("run_not_found");
  });

  test.each(["constructor", "__proto__", "toString"])("has no code %s", (code) => {
    expect(errorFromBody(404, { error: "No.", code }).code).toBe("not_found");
  });
});

test("the bare { error } of the contract's 404 is an error with that message", () => {
  expect(errorFromBody(404, { error: "No such key." })).toMatchObject({ code: "not_found", message: "No such key." });
});

test("a sync run that timed out differs from a gateway's 504", () => {
  const reply = {
    runId: "run_1",
    status: "timeout",
    error: "Exceeded 1000 ms.",
    statusUrl: "https://r.test/runs/run_1",
  };
  expect(errorFromBody(504, reply)).toMatchObject({ code: "run_timeout", message: "Exceeded 1000 ms." });
  expect(errorFromBody(504, { error: "upstream" }).code).toBe("overloaded");
});

test("the error has the delay of Retry-After", () => {
  expect(errorFromBody(429, {}, { retryAfterMs: 1_500 }).retryAfterMs).toBe(1_500);
});
