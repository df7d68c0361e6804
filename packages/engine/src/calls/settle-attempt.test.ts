import { describe, expect, test } from "vitest";
import type { ActionEffect } from "../integrations/integration.ts";
import type { Failure } from "./failure.ts";
import { settleFailure } from "./settle-attempt.ts";

const policy = { maxAttempts: 4, initialDelayMs: 1_000, maxDelayMs: 30_000 };

const intentOf = (effect: ActionEffect) => ({ atMs: 10_000, attempt: 1, frozen: { effect } });

function settle(
  effect: ActionEffect,
  failure: Partial<Failure>,
  more: {
    readonly attempt?: number;
    readonly notStarted?: number;
    readonly retryUnknown?: boolean;
    readonly uncertainReason?: string;
  } = {},
): string {
  const settlement = settleFailure({
    failure: { effect: "none", retryable: true, message: "no", ...failure },
    retryUnknown: more.retryUnknown ?? false,
    intent: {
      ...intentOf(effect),
      attempt: more.attempt ?? 1,
      ...(more.notStarted !== undefined && { notStarted: more.notStarted }),
    },
    uncertainReason: more.uncertainReason,
    policy,
    nowMs: 10_000,
    uniform: 0,
  });
  return `${settlement.result.status}${settlement.retryAtMs === undefined ? "" : ", again"}`;
}

describe("the settlement of a failed attempt", () => {
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
    "%s, effect %s, retryable %o, author wants a repetition %o: %s",
    (effect, known, retryable, retryUnknown, expected) => {
      expect(settle(effect, { effect: known, retryable }, { retryUnknown })).toBe(expected);
    },
  );

  test.each(["write", undefined] as unknown as readonly ActionEffect[])(
    "a call of the unknown effect %s in a journal is repeated only by its author's or a person's decision",
    (effect) => {
      expect(settle(effect, { effect: "unknown" })).toBe("unknown");
      expect(settle(effect, { effect: "unknown" }, { retryUnknown: true })).toBe("unknown, again");
      expect(settle(effect, { effect: "none" })).toBe("error, again");
    },
  );

  test.each<ActionEffect>(["read", "idempotent", "once"])(
    "a %s call is not repeated after its last attempt",
    (effect) => {
      expect(settle(effect, { effect: "none" }, { attempt: 3 })).toBe("error, again");
      expect(settle(effect, { effect: "none" }, { attempt: 4 })).toBe("error");
      expect(settle(effect, { effect: "unknown" }, { attempt: 4, retryUnknown: true })).toBe(
        effect === "read" ? "error" : "unknown",
      );
    },
  );

  test.each<[ActionEffect, Failure["effect"], string]>([
    ["read", "none", "error"],
    ["idempotent", "none", "unknown"],
    ["once", "none", "unknown"],
    ["once", "unknown", "unknown"],
  ])(
    "an uncertain earlier attempt of a %s call, whose later attempt failed with effect %s: %s",
    (effect, known, expected) => {
      expect(settle(effect, { effect: known, retryable: false }, { uncertainReason: "cut", attempt: 2 })).toBe(
        expected,
      );
    },
  );

  test("lasting uncertainty names both attempts, and does not prevent a repetition", () => {
    const settlement = settleFailure({
      failure: { effect: "none", retryable: true, message: "connection refused" },
      retryUnknown: false,
      intent: { ...intentOf("once"), attempt: 2 },
      uncertainReason: "cut after sending",
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
      retryUnknown: false,
      intent: { ...intentOf("read"), attempt: 1 },
      uncertainReason: undefined,
      policy,
      nowMs: 10_000,
      uniform: 0,
    });
    expect(settlement.retryAtMs).toBe(17_000);
  });

  test("message and details are kept", () => {
    const tried = {
      retryUnknown: false,
      intent: { ...intentOf("read"), attempt: 9 },
      uncertainReason: undefined,
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
      intent: { ...intentOf("once"), attempt: 9 },
      failure: { effect: "unknown", retryable: false, message: "cut" },
    });
    expect(doubt.result).toEqual({ status: "unknown", reason: "cut" });
  });

  describe("of a call that may have arrived repeats it only while its idempotency key is kept", () => {
    const dayMs = 86_400_000;
    const lostAt = (effect: ActionEffect, ageMs: number, more: { ttlMs?: number; retryUnknown?: boolean } = {}) =>
      settleFailure({
        failure: { effect: "unknown", retryable: true, message: "The worker stopped." },
        retryUnknown: more.retryUnknown ?? false,
        intent: {
          atMs: 0,
          attempt: 1,
          frozen: { effect, ...(more.ttlMs !== undefined && { idempotencyKeyTtlMs: more.ttlMs }) },
        },
        uncertainReason: undefined,
        policy: { ...policy, initialDelayMs: 0 },
        nowMs: ageMs,
        uniform: 0,
      });

    test.each<[string, ActionEffect, number, object, boolean]>([
      ["an idempotent call within a day", "idempotent", dayMs, {}, true],
      ["an idempotent call after a day", "idempotent", dayMs + 1, {}, false],
      ["an idempotent call whose key is kept longer", "idempotent", 2 * dayMs, { ttlMs: 3 * dayMs }, true],
      ["an idempotent call whose key is kept for five minutes", "idempotent", 300_001, { ttlMs: 300_000 }, false],
      ["an idempotent call that its author wants repeated", "idempotent", 2 * dayMs, { retryUnknown: true }, false],
      ["a once call that its author wants repeated", "once", dayMs, { retryUnknown: true }, true],
      ["a once call that its author wants repeated, after a day", "once", dayMs + 1, { retryUnknown: true }, false],
      ["a read of any age", "read", 400 * dayMs, {}, true],
    ])("%s", (_name, effect, ageMs, more, repeated) => {
      const { result, retryAtMs } = lostAt(effect, ageMs, more);
      expect(retryAtMs !== undefined).toBe(repeated);
      if (!repeated)
        expect(result).toMatchObject({ status: "unknown", reason: expect.stringContaining("expired at") as string });
    });

    test("the age counts from the first attempt that may have arrived, to the moment of the repetition", () => {
      const tried = {
        failure: { effect: "none", retryable: true, message: "refused" },
        retryUnknown: false,
        intent: { ...intentOf("idempotent"), atMs: 50_000, attempt: 2, firstSentAtMs: 1_000 },
        uncertainReason: "cut",
        policy: { maxAttempts: 4, initialDelayMs: 10_000, maxDelayMs: 10_000 },
        uniform: 1,
      } as const;
      expect(settleFailure({ ...tried, nowMs: dayMs - 9_000 }).retryAtMs).toBe(dayMs + 1_000);
      const { result, retryAtMs } = settleFailure({ ...tried, nowMs: dayMs - 8_999 });
      expect(retryAtMs).toBeUndefined();
      expect(result).toMatchObject({
        reason: expect.stringMatching(/^cut A later attempt: refused .*expires before/) as string,
      });
    });

    test("an attempt that certainly did not arrive does not start the age", () => {
      const { retryAtMs } = settleFailure({
        failure: { effect: "none", retryable: true, message: "connection refused" },
        retryUnknown: false,
        intent: { ...intentOf("idempotent"), atMs: 0 },
        uncertainReason: undefined,
        policy,
        nowMs: 10 * dayMs,
        uniform: 0,
      });
      expect(retryAtMs).toBe(10 * dayMs + 500);
    });
  });

  describe("of a conflict", () => {
    const conflict = { effect: "none", retryable: false, conflict: true } as const;

    test("is a refusal of a first attempt", () => {
      for (const effect of ["read", "idempotent", "once"] as const) expect(settle(effect, conflict)).toBe("error");
      expect(settle("idempotent", conflict, { attempt: 2 })).toBe("error");
    });

    test("repeats a repetition within the attempts that are left, after which the outcome is unknown", () => {
      expect(settle("idempotent", conflict, { attempt: 2, uncertainReason: "cut" })).toBe("unknown, again");
      expect(settle("idempotent", conflict, { attempt: 4, uncertainReason: "cut" })).toBe("unknown");
      expect(settle("once", conflict, { attempt: 2, uncertainReason: "cut", retryUnknown: true })).toBe(
        "unknown, again",
      );
      expect(settle("once", conflict, { attempt: 2, uncertainReason: "cut" })).toBe("unknown");
    });
  });

  describe("with a requested wait of hours", () => {
    const hourMs = 3_600_000;
    const wait = (retryAfterMs: number, more: { attempt?: number; deferrals?: number; maxAttempts?: number } = {}) =>
      settleFailure({
        failure: { effect: "none", retryable: true, message: "daily limit", retryAfterMs },
        retryUnknown: false,
        intent: { ...intentOf("once"), attempt: more.attempt ?? 1, deferrals: more.deferrals ?? 0 },
        uncertainReason: undefined,
        policy: { ...policy, maxAttempts: more.maxAttempts ?? 4 },
        nowMs: 0,
        uniform: 0,
      });

    test("waits as long as requested, at most a day, and consumes no attempt", () => {
      expect(wait(5 * hourMs)).toMatchObject({ retryAtMs: 5 * hourMs, deferred: true });
      expect(wait(48 * hourMs)).toMatchObject({ retryAtMs: 24 * hourMs, deferred: true });
      expect(wait(5 * hourMs, { attempt: 4 })).toMatchObject({ retryAtMs: 5 * hourMs, deferred: true });
      expect(wait(1_000, { attempt: 6, deferrals: 3 })).toMatchObject({ retryAtMs: 4_000 / 2 });
    });

    test("consumes an attempt if the wait is an hour or less", () => {
      expect(wait(hourMs)).not.toHaveProperty("deferred");
      expect(wait(hourMs, { attempt: 4 })).not.toHaveProperty("retryAtMs");
    });

    test("is deferred seven times, and then consumes attempts", () => {
      expect(wait(24 * hourMs, { attempt: 7, deferrals: 6 })).toMatchObject({ deferred: true });
      expect(wait(24 * hourMs, { attempt: 8, deferrals: 7 })).not.toHaveProperty("deferred");
      expect(wait(24 * hourMs, { attempt: 8, deferrals: 7 })).toHaveProperty("retryAtMs");
      expect(wait(24 * hourMs, { attempt: 11, deferrals: 7 })).not.toHaveProperty("retryAtMs");
    });

    test("is not deferred if the policy allows only one attempt", () => {
      expect(wait(5 * hourMs, { maxAttempts: 1 })).not.toHaveProperty("retryAtMs");
    });
  });

  describe("that was not started", () => {
    const notStarted = { notStarted: true } as const;

    test.each<ActionEffect>(["read", "idempotent", "once"])("repeats a %s call without limit", (effect) => {
      for (const attempt of [1, 4, 5, 400]) {
        expect(settle(effect, notStarted, { attempt })).toBe("error, again");
      }
    });

    test("is recorded as not started, repeats the call soon, and carries no uncertainty", () => {
      const settlement = settleFailure({
        failure: { effect: "none", retryable: true, message: "The worker was stopped.", ...notStarted },
        retryUnknown: false,
        intent: { ...intentOf("once"), attempt: 9, notStarted: 7 },
        uncertainReason: "cut",
        policy: { maxAttempts: 1, initialDelayMs: 60_000, maxDelayMs: 3_600_000 },
        nowMs: 10_000,
        uniform: 0.5,
      });
      expect(settlement).toEqual({
        result: { status: "error", error: { message: "The worker was stopped.", code: "not_started" } },
        retryAtMs: 10_150,
      });
    });

    test("consumes no attempt of the policy, and lengthens no later delay", () => {
      expect(settle("read", {}, { attempt: 9, notStarted: 6 })).toBe("error, again");
      expect(settle("read", {}, { attempt: 9, notStarted: 5 })).toBe("error");
      const { retryAtMs } = settleFailure({
        failure: { effect: "none", retryable: true, message: "no" },
        retryUnknown: false,
        intent: { ...intentOf("read"), attempt: 9, notStarted: 8 },
        uncertainReason: undefined,
        policy,
        nowMs: 10_000,
        uniform: 0,
      });
      expect(retryAtMs).toBe(10_500);
    });
  });
});
