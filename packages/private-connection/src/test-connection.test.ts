import { describe, expect, test } from "vitest";
import * as z from "zod";
import * as z3 from "zod3";
import { defineFunction } from "./functions/define-function.ts";
import type { HandlerContext } from "./invocations/handler-context.ts";
import { testConnection } from "./test-connection.ts";

const about = { name: "f", description: "d" } as const;
const calling = (handler: (input: object, context: HandlerContext) => unknown, more: object = {}) =>
  testConnection({ functions: [defineFunction({ ...about, input: z.object({}), handler, ...more })] }).call("f", {});

describe("a call in process", () => {
  test("receives the complete context, for the chosen environment", async () => {
    const seen: HandlerContext[] = [];
    const f = defineFunction({ ...about, input: z.object({}), handler: (_input, context) => void seen.push(context) });
    const { call } = testConnection({ functions: [f], environment: "live" });
    await call("f", {});
    await call("f", {}, { id: "inv_1", runId: "run_1", procedureId: "p", procedureVersion: "v3", idempotencyKey: "k" });
    expect(seen).toEqual([
      {
        ...{ id: expect.stringMatching(/^test_/), idempotencyKey: seen[0]?.id, environment: "live" },
        ...{ runId: null, procedureId: null, procedureVersion: null, signal: expect.any(AbortSignal) },
      },
      {
        ...{ id: "inv_1", idempotencyKey: "k", environment: "live", runId: "run_1" },
        ...{ procedureId: "p", procedureVersion: "v3", signal: expect.any(AbortSignal) },
      },
    ]);
    expect(new Set(seen.map(({ id }) => id)).size).toBe(2);
  });

  test.each([
    ["zod 4", z.object({ limit: z.number().default(5), cents: z.string().transform(Number) })],
    ["zod 3", z3.object({ limit: z3.number().default(5), cents: z3.string().transform(Number) })],
  ])("validates its input and fills in defaults with %s", async (_name, input) => {
    const seen: unknown[] = [];
    const f = defineFunction({ ...about, input: input as z.ZodType, handler: (given) => void seen.push(given) });
    const { call } = testConnection({ functions: [f] });
    await call("f", { cents: "12", extra: true });
    expect(seen).toEqual([{ limit: 5, cents: 12 }]);
    await expect(call("f", { limit: "many" })).rejects.toMatchObject({
      code: "action_failed",
      message: expect.stringMatching(/^Invalid input: \/limit: .*; \/cents: .*\.$/),
    });
    expect(seen).toHaveLength(1);
  });

  test("returns the result after JSON", async () => {
    expect(await calling(() => ({ at: new Date(0), none: undefined }))).toEqual({ at: "1970-01-01T00:00:00.000Z" });
    expect(await calling(() => undefined)).toBeUndefined();
    expect(await calling(() => null)).toBeNull();
  });

  test("sends its input as JSON, too", async () => {
    const seen: unknown[] = [];
    const f = defineFunction({ ...about, input: z.looseObject({}), handler: (input) => void seen.push(input) });
    const { call } = testConnection({ functions: [f] });
    await call("f", { at: new Date(0), none: undefined });
    expect(seen).toEqual([{ at: "1970-01-01T00:00:00.000Z" }]);
    await expect(call("f", { big: 1n })).rejects.toThrow('The input cannot be sent as JSON: "big" is a BigInt');
  });

  test("of an unknown or inherited name finds no function", async () => {
    const { call } = testConnection({
      functions: [defineFunction({ ...about, input: z.object({}), handler: () => 1 })],
    });
    for (const name of ["constructor", "__proto__", ""]) {
      await expect(call(name as "f", {})).rejects.toThrow(`Function "${name}" is not found`);
    }
  });

  test("that exceeds the function's time limit fails, and its signal is aborted", async () => {
    const signals: AbortSignal[] = [];
    const hanging = calling((_input, { signal }) => (signals.push(signal), new Promise(() => undefined)), {
      timeoutMs: 1,
    });
    await expect(hanging).rejects.toThrow("did not finish within 1 ms; it may still have taken effect.");
    expect(signals[0]?.aborted).toBe(true);
  });

  test("can be aborted by the test, before and during the call", async () => {
    const f = defineFunction({
      ...about,
      input: z.object({}),
      handler: (_input, { signal }) =>
        new Promise((_resolve, reject) => {
          if (signal.aborted) reject(new Error("aborted before"));
          signal.addEventListener("abort", () => reject(new Error("aborted meanwhile")));
        }),
    });
    const { call } = testConnection({ functions: [f] });
    await expect(call("f", {}, { signal: AbortSignal.abort() })).rejects.toThrow("aborted before");
    const abort = new AbortController();
    const running = call("f", {}, { signal: abort.signal });
    setImmediate(() => abort.abort());
    await expect(running).rejects.toThrow("aborted meanwhile");
  });
});

describe("any thrown value becomes a message:", () => {
  const hostile = {
    get message(): string {
      throw new Error("of the getter");
    },
  };
  test.each([
    ["an error", new TypeError("No such list."), "No such list."],
    ["an error without a message", new TypeError(""), "The handler threw TypeError without a message."],
    ["a text", "No such list.", "No such list."],
    ["an empty string", "", "The handler threw an empty string."],
    ["null", null, "The handler threw null."],
    ["undefined", undefined, "The handler threw undefined."],
    ["a number", 5, "The handler threw 5."],
    ["a symbol", Symbol("s"), "The handler threw Symbol(s)."],
    ["an object with a message", { message: "Of an older library." }, "Of an older library."],
    ["an object without", { code: 5 }, "The handler threw an object without a message."],
    ["an object that throws itself", hostile, "The handler threw a value that cannot be shown."],
    ["a proxy that was revoked", revoked(), "The handler threw a value that cannot be shown."],
  ])("%s, thrown or rejected", async (_name, thrown, message) => {
    const throwing = (): never => {
      throw thrown as Error;
    };
    await expect(calling(throwing)).rejects.toMatchObject({ code: "action_failed", message });
    await expect(calling(async () => throwing())).rejects.toMatchObject({ message });
  });

  test("a very long message is truncated", async () => {
    const long = calling(() => {
      throw new Error("x".repeat(100_000));
    });
    await expect(long).rejects.toThrow(/^x{16384}… \(100000 characters\)$/);
  });
});

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

test("an error in the schema's own check is returned, too", async () => {
  const refine = () => {
    throw new Error("of the refinement");
  };
  const f = defineFunction({ ...about, input: z.object({}).refine(refine), handler: () => 1 });
  await expect(testConnection({ functions: [f] }).call("f", {})).rejects.toThrow(
    "The input could not be checked: of the refinement",
  );
});
