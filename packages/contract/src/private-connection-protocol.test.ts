import { describe, expect, test } from "vitest";
import {
  functionDeclarationSchema,
  heartbeatReplySchema,
  heartbeatSchema,
  invocationResultSchema,
  invocationSchema,
  manifestSchema,
  pollQuerySchema,
} from "./private-connection-protocol.ts";

const declaration = { name: "lookup_customer", description: "Finds a customer.", input: { type: "object" } };
const lease = { invocationId: "inv_1", leaseToken: "l1" };

describe("a function", () => {
  test("needs a name, a description and an input schema; it asks for no review and is not idempotent", () => {
    expect(functionDeclarationSchema.parse(declaration)).toEqual({
      ...declaration,
      requiresReview: false,
      idempotent: false,
    });
    for (const name of Object.keys(declaration)) {
      expect(functionDeclarationSchema.safeParse({ ...declaration, [name]: undefined }).success, name).toBe(false);
    }
  });

  test("keeps its handler to itself", () => {
    expect(functionDeclarationSchema.safeParse({ ...declaration, handler: "x" }).success).toBe(false);
  });

  test("is one of several in a manifest, each under its own name", () => {
    const other = { ...declaration, name: "freeze_account" };
    expect(manifestSchema.safeParse({ functions: [declaration, other] }).success).toBe(true);
    expect(manifestSchema.safeParse({ functions: [declaration, declaration] }).success).toBe(false);
    expect(manifestSchema.safeParse({ functions: [] }).success).toBe(false);
  });
});

test("a poll takes one invocation unless it can take more", () => {
  expect(pollQuerySchema.parse({})).toEqual({ max: 1 });
  expect(pollQuerySchema.parse({ max: "20", manifest: "d" })).toEqual({ max: 20, manifest: "d" });
  for (const max of ["0", "101", "x"]) expect(pollQuerySchema.safeParse({ max }).success, max).toBe(false);
});

describe("an invocation", () => {
  const context = { environment: "live", runId: "run_1", procedureId: "p", procedureVersion: "v1" };
  const invocation = { id: "inv_1", function: "f", input: {}, leaseToken: "l1", idempotencyKey: "k", context };

  test("carries its context", () => {
    expect(invocationSchema.parse(invocation)).toEqual(invocation);
  });

  test("may have no run, procedure or version", () => {
    const none = { ...context, runId: null, procedureId: null, procedureVersion: null };
    expect(invocationSchema.safeParse({ ...invocation, context: none }).success).toBe(true);
    expect(invocationSchema.safeParse({ ...invocation, context: { environment: "live" } }).success).toBe(false);
  });
});

test("a heartbeat names the leases that it extends and is told which to abandon", () => {
  expect(heartbeatSchema.parse({ invocations: [lease] })).toEqual({ invocations: [lease] });
  expect(heartbeatSchema.safeParse({ invocations: [] }).success).toBe(false);
  expect(heartbeatReplySchema.parse({ abandon: ["inv_1"] })).toEqual({ abandon: ["inv_1"] });
});

describe("a result", () => {
  test.each([null, 0, "", false, [], { a: 1 }])("may be %j", (output) => {
    const result = { ...lease, status: "ok", output };
    expect(invocationResultSchema.parse(result)).toEqual(result);
  });

  test("may be nothing at all, which is not the same as null", () => {
    expect(invocationResultSchema.parse({ ...lease, status: "ok" })).toEqual({ ...lease, status: "ok" });
  });

  test("may be an error with its message", () => {
    const result = { ...lease, status: "error", error: "Customer is locked." };
    expect(invocationResultSchema.parse(result)).toEqual(result);
  });

  test.each([
    { ...lease, status: "error" },
    { ...lease, status: "ok", output: 1, error: "x" },
    { ...lease, status: "done", output: 1 },
    { invocationId: "inv_1", status: "ok", output: 1 },
  ])("may not be %j", (result) => {
    expect(invocationResultSchema.safeParse(result).success).toBe(false);
  });
});
