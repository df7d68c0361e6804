import { describe, expect, test } from "vitest";
import * as z from "zod";
import { maxResultsTogether } from "./limits.ts";
import {
  functionDeclarationSchema,
  heartbeatReplySchema,
  heartbeatSchema,
  invocationResultSchema,
  invocationSchema,
  manifestSchema,
  pollQuerySchema,
  resultsSettledSchema,
  resultsTogetherOf,
  resultsTogetherSchema,
} from "./private-connection-protocol.ts";

const declaration = { name: "lookup_customer", description: "Finds a customer.", input: { type: "object" } };
const lease = { invocationId: "inv_1", leaseToken: "l1" };

describe("a function", () => {
  test("needs a name, a description and an input schema; by default it requires no review and is not idempotent", () => {
    expect(functionDeclarationSchema.parse(declaration)).toEqual({
      ...declaration,
      requiresReview: false,
      idempotent: false,
    });
    for (const name of Object.keys(declaration)) {
      expect(functionDeclarationSchema.safeParse({ ...declaration, [name]: undefined }).success, name).toBe(false);
    }
  });

  test("does not include its handler", () => {
    expect(functionDeclarationSchema.safeParse({ ...declaration, handler: "x" }).success).toBe(false);
  });

  test("is one of several in a manifest, each with its own name", () => {
    const other = { ...declaration, name: "freeze_account" };
    expect(manifestSchema.safeParse({ functions: [declaration, other] }).success).toBe(true);
    expect(manifestSchema.safeParse({ functions: [declaration, declaration] }).success).toBe(false);
    expect(manifestSchema.safeParse({ functions: [] }).success).toBe(false);
  });
});

test("a poll requests one invocation by default", () => {
  expect(pollQuerySchema.parse({})).toEqual({ max: 1 });
  expect(pollQuerySchema.parse({ max: "20", manifest: "d" })).toEqual({ max: 20, manifest: "d" });
  for (const max of ["0", "101", "x"]) expect(pollQuerySchema.safeParse({ max }).success, max).toBe(false);
});

describe("an invocation", () => {
  const context = { environment: "live", runId: "run_1", procedureId: "p", procedureVersion: "v1" };
  const invocation = { id: "inv_1", function: "f", input: {}, leaseToken: "l1", idempotencyKey: "k", context };

  test("contains its context", () => {
    expect(invocationSchema.parse(invocation)).toEqual(invocation);
  });

  test("may have no run, procedure or version", () => {
    const none = { ...context, runId: null, procedureId: null, procedureVersion: null };
    expect(invocationSchema.safeParse({ ...invocation, context: none }).success).toBe(true);
    expect(invocationSchema.safeParse({ ...invocation, context: { environment: "live" } }).success).toBe(false);
  });
});

test("a heartbeat names the leases that it extends, and its answer those to abandon", () => {
  expect(heartbeatSchema.parse({ invocations: [lease] })).toEqual({ invocations: [lease] });
  expect(heartbeatSchema.safeParse({ invocations: [] }).success).toBe(false);
  expect(heartbeatReplySchema.parse({ abandon: ["inv_1"] })).toEqual({ abandon: ["inv_1"] });
});

describe("a result", () => {
  test.each([null, 0, "", false, [], { a: 1 }])("may be %j", (output) => {
    const result = { ...lease, status: "ok", output };
    expect(invocationResultSchema.parse(result)).toEqual(result);
  });

  test("may be missing, which differs from null", () => {
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

describe("several results", () => {
  const resultOf = (n: number) => ({ invocationId: `inv_${n}`, leaseToken: "l1", status: "ok", output: n });
  const several = (count: number) => ({ results: Array.from({ length: count }, (_, n) => resultOf(n)) });

  test("are 1 to 32, of different calls", () => {
    expect(maxResultsTogether).toBe(32);
    for (const count of [1, 32]) expect(resultsTogetherSchema.parse(several(count))).toEqual(several(count));
    for (const count of [0, 33])
      expect(resultsTogetherSchema.safeParse(several(count)).success, `${count}`).toBe(false);
    const twice = { results: [resultOf(1), { ...resultOf(1), output: 2 }] };
    expect(resultsTogetherSchema.safeParse(twice).error?.issues[0]?.message).toBe(
      "must not answer an invocation twice",
    );
  });

  test("remain distinguishable as long as each names its call", () => {
    const unfit = { results: [resultOf(1), { invocationId: "inv_2", status: "done", more: [1] }] };
    expect(resultsTogetherSchema.safeParse(unfit).success).toBe(false);
    const named = resultsTogetherOf(z.looseObject({ invocationId: z.string() }));
    expect(named.parse(unfit)).toEqual(unfit);
    expect(named.safeParse({ results: [{ leaseToken: "l1", status: "ok" }] }).success).toBe(false);
  });

  test("are answered individually", () => {
    const stale = { invocationId: "inv_2", success: false, error: "Somebody else has it.", code: "stale_lease" };
    const settled = { results: [{ invocationId: "inv_1", success: true }, stale] };
    expect(resultsSettledSchema.parse(settled)).toEqual(settled);
    expect(resultsSettledSchema.safeParse({ results: [{ ...stale, code: "no_such_code" }] }).success).toBe(false);
  });
});
