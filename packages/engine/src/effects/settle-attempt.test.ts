import { describe, expect, test } from "vitest";
import type { ActionEffect } from "../integrations/integration.ts";
import type { Failure } from "./failure.ts";
import { settleFailure } from "./settle-attempt.ts";

const policy = { maxAttempts: 4, initialDelayMs: 1_000, maxDelayMs: 30_000 };

function settle(
  effect: ActionEffect,
  failure: Partial<Failure>,
  more: {
    readonly attempt?: number;
    readonly notBegun?: number;
    readonly retryUnknown?: boolean;
    readonly doubted?: string;
  } = {},
): string {
  const settlement = settleFailure({
    failure: { effect: "none", retryable: true, message: "no", ...failure },
    effect,
    retryUnknown: more.retryUnknown ?? false,
    intent: { attempt: more.attempt ?? 1, ...(more.notBegun !== undefined && { notBegun: more.notBegun }) },
    doubted: more.doubted,
    policy,
    nowMs: 10_000,
    uniform: 0,
  });
  return `${settlement.result.status}${settlement.retryAtMs === undefined ? "" : ", again"}`;
}

describe("what becomes of a failed attempt", () => {
  test.each<[ActionEffect, Failure["effect"], boolean, boolean, string]>([
    ["read", "none", true, false, "error, again"],
    ["read", "none", false, false, "error"],
    ["read", "unknown", true, false, "error, again"],
    ["read", "unknown", false, false, "error"],
    ["idempotent", "none", true, false, "error, again"],
    ["idempotent", "none", false, false, "error"],
    ["idempotent", "unknown", true, false, "unknown, again"],
    ["idempotent", "unknown", false, false, "unknown"],
    ["once", "none", true, false, "error, again"],
    ["once", "none", false, false, "error"],
    ["once", "unknown", true, false, "unknown"],
    ["once", "unknown", false, false, "unknown"],
    ["once", "unknown", true, true, "unknown, again"],
    ["once", "unknown", false, true, "unknown"],
  ])(
    "%s, effect %s, retryable %o, author wants it again %o: %s",
    (effect, known, retryable, retryUnknown, expected) => {
      expect(settle(effect, { effect: known, retryable }, { retryUnknown })).toBe(expected);
    },
  );

  test.each(["write", undefined] as unknown as readonly ActionEffect[])(
    "a call of the effect %s, which a journal may hold, is made again only by its author's or a person's word",
    (effect) => {
      expect(settle(effect, { effect: "unknown" })).toBe("unknown");
      expect(settle(effect, { effect: "unknown" }, { retryUnknown: true })).toBe("unknown, again");
      expect(settle(effect, { effect: "none" })).toBe("error, again");
    },
  );

  test.each<ActionEffect>(["read", "idempotent", "once"])("the last attempt of a %s call is the last", (effect) => {
    expect(settle(effect, { effect: "none" }, { attempt: 3 })).toBe("error, again");
    expect(settle(effect, { effect: "none" }, { attempt: 4 })).toBe("error");
    expect(settle(effect, { effect: "unknown" }, { attempt: 4, retryUnknown: true })).toBe(
      effect === "read" ? "error" : "unknown",
    );
  });

  test.each<[ActionEffect, Failure["effect"], string]>([
    ["read", "none", "error"],
    ["idempotent", "none", "unknown"],
    ["once", "none", "unknown"],
    ["once", "unknown", "unknown"],
  ])(
    "a doubt about an earlier attempt of a %s call, which now failed with effect %s: %s",
    (effect, known, expected) => {
      expect(settle(effect, { effect: known, retryable: false }, { doubted: "cut", attempt: 2 })).toBe(expected);
    },
  );

  test("a doubt that stays tells of both attempts, and does not keep a call from being made again", () => {
    const settlement = settleFailure({
      failure: { effect: "none", retryable: true, message: "connection refused" },
      effect: "once",
      retryUnknown: false,
      intent: { attempt: 2 },
      doubted: "cut after sending",
      policy,
      nowMs: 10_000,
      uniform: 0,
    });
    expect(settlement).toEqual({
      result: { status: "unknown", reason: expect.stringMatching(/cut after sending.*connection refused/) as string },
      retryAtMs: 11_000,
    });
  });

  test("the time of the next attempt is counted from now", () => {
    const settlement = settleFailure({
      failure: { effect: "none", retryable: true, message: "no", retryAfterMs: 7_000 },
      effect: "read",
      retryUnknown: false,
      intent: { attempt: 1 },
      doubted: undefined,
      policy,
      nowMs: 10_000,
      uniform: 0,
    });
    expect(settlement.retryAtMs).toBe(17_000);
  });

  test("message and details are kept", () => {
    const tried = {
      effect: "read",
      retryUnknown: false,
      intent: { attempt: 9 },
      doubted: undefined,
      policy,
      nowMs: 0,
      uniform: 0,
    } as const;
    const failed = settleFailure({
      ...tried,
      failure: { effect: "none", retryable: false, message: "no", details: { a: 1 } },
    });
    expect(failed.result).toEqual({ status: "error", error: { message: "no", details: { a: 1 } } });
    const doubt = settleFailure({
      ...tried,
      effect: "once",
      failure: { effect: "unknown", retryable: false, message: "cut" },
    });
    expect(doubt.result).toEqual({ status: "unknown", reason: "cut" });
  });

  describe("that was not begun", () => {
    const notBegun = { notBegun: true } as const;

    test.each<ActionEffect>(["read", "idempotent", "once"])("a %s call is made again, however often", (effect) => {
      for (const attempt of [1, 4, 5, 400]) {
        expect(settle(effect, notBegun, { attempt })).toBe("error, again");
      }
    });

    test("says so, soon makes the call again, and repeats no doubt", () => {
      const settlement = settleFailure({
        failure: { effect: "none", retryable: true, message: "The worker was stopped.", ...notBegun },
        effect: "once",
        retryUnknown: false,
        intent: { attempt: 9, notBegun: 7 },
        doubted: "cut",
        policy: { maxAttempts: 1, initialDelayMs: 60_000, maxDelayMs: 3_600_000 },
        nowMs: 10_000,
        uniform: 0.5,
      });
      expect(settlement).toEqual({
        result: { status: "error", error: { message: "The worker was stopped.", code: "not_begun" } },
        retryAtMs: 10_150,
      });
    });

    test("takes nothing from the attempts of its policy, and makes no later pause longer", () => {
      expect(settle("read", {}, { attempt: 9, notBegun: 6 })).toBe("error, again");
      expect(settle("read", {}, { attempt: 9, notBegun: 5 })).toBe("error");
      const { retryAtMs } = settleFailure({
        failure: { effect: "none", retryable: true, message: "no" },
        effect: "read",
        retryUnknown: false,
        intent: { attempt: 9, notBegun: 8 },
        doubted: undefined,
        policy,
        nowMs: 10_000,
        uniform: 0,
      });
      expect(retryAtMs).toBe(10_500);
    });
  });
});
