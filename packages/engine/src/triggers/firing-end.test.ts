import { describe, expect, test } from "vitest";
import { ProcedoError } from "@procedo/contract";
import { afterDefect, afterRefusal, type FiringNext } from "./firing-end.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const pauseOf = (next: FiringNext): number => (next.status === "pending" ? next.afterMs : 0);

/** The pauses of a start that always fails, and the age of its firing when it is given up. */
function triedUntilItFails(firstTryAtMs: number): { readonly pauses: readonly number[]; readonly ageMs: number } {
  const pauses: number[] = [];
  for (let ageMs = firstTryAtMs; ; ageMs += pauses.at(-1) ?? 0) {
    const next = afterDefect(new TypeError("x is not a function"), { tries: pauses.length + 1, ageMs });
    if (next.status !== "pending") return { pauses, ageMs };
    pauses.push(pauseOf(next));
  }
}

describe("an error of a start", () => {
  test.each(["storage_unavailable", "overloaded", "rate_limited", "shutting_down"] as const)(
    "%s passes, so that the firing is tried again without a bound",
    (code) => {
      expect(afterRefusal(new ProcedoError(code, "Not now."))).toMatchObject({ status: "pending" });
    },
  );

  test("that says when to try again is obeyed", () => {
    const error = new ProcedoError("rate_limited", "Not now.", { retryAfterMs: 7_000 });
    expect(pauseOf(afterRefusal(error) ?? { status: "skipped", reason: "" })).toBe(7_000);
  });

  test.each([
    new TypeError("x is not a function"),
    new ProcedoError("decryption_failed", "The secret cannot be decrypted."),
    new ProcedoError("internal", "The database rejected a statement."),
    new ProcedoError("upstream_unreachable", "The service does not answer."),
    "a text",
  ])("has no known meaning, so that it is judged as a defect: %s", (error) => {
    expect(afterRefusal(error)).toBeUndefined();
  });
});

describe("a start that fails by a defect", () => {
  test("is tried again with pauses that grow to an hour, for a day", () => {
    const { pauses, ageMs } = triedUntilItFails(0);
    expect(pauses.slice(0, 4)).toEqual([2_000, 4_000, 8_000, 16_000]);
    expect(Math.max(...pauses)).toBe(hourMs);
    expect(ageMs).toBeGreaterThanOrEqual(dayMs);
    expect(ageMs).toBeLessThanOrEqual(dayMs + hourMs);
  });

  test("is tried again for an hour if its firing had waited behind a run for days", () => {
    const { pauses, ageMs } = triedUntilItFails(3 * dayMs);
    expect(pauses).toHaveLength(11);
    expect(ageMs - 3 * dayMs).toBeGreaterThan(hourMs);
  });

  test("ends as start_failed, with the message of our own error", () => {
    const error = new ProcedoError("decryption_failed", "The secret cannot be decrypted.");
    expect(afterDefect(error, { tries: 30, ageMs: dayMs })).toEqual({
      status: "failed",
      reason: "start_failed",
      error: JSON.stringify({
        message:
          "The run could not be started, and is not tried again. The last error: The secret cannot be decrypted.",
        details: [],
      }),
    });
  });

  test.each([new TypeError("token whsec_1 is wrong"), "whsec_1"])(
    "shows nothing of the text of an error that is not ours: %s",
    (error) => {
      const next = afterDefect(error, { tries: 30, ageMs: dayMs });
      expect(next).toMatchObject({ status: "failed", error: expect.stringContaining("log of the service") as string });
      expect(JSON.stringify(next)).not.toContain("whsec_1");
    },
  );
});
