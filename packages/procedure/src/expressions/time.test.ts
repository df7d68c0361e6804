import { describe, expect, test } from "vitest";
import { EvaluationFailure } from "./evaluation-failure.ts";
import { durationFromText, durationOf, durationToText, timestampAt } from "./time.ts";

test("times stay within the years 100 to 9999", () => {
  expect(() => timestampAt(Number.MAX_SAFE_INTEGER)).toThrow(EvaluationFailure);
  expect(() => timestampAt(Number.MIN_SAFE_INTEGER)).toThrow(EvaluationFailure);
});

describe("durations", () => {
  test.each([
    ["36h", "129600s"],
    ["1h30m", "5400s"],
    ["1.5s", "1.5s"],
    ["-250ms", "-0.25s"],
    ["0s", "0s"],
  ])("%s is %s", (written, seconds) => {
    expect(durationToText(durationFromText(written))).toBe(seconds);
  });

  test.each(["", "1", "1d", "P7D", "h", "1h 30m", "--1s", "1h-30m", `${"9".repeat(30)}h`])(
    "%j is refused",
    (written) => {
      expect(() => durationFromText(written)).toThrow(EvaluationFailure);
    },
  );

  test("the size of durations is bounded", () => {
    expect(() => durationOf(Number.MAX_SAFE_INTEGER)).toThrow(EvaluationFailure);
  });
});
