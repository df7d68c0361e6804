import { describe, expect, test } from "vitest";
import { EvaluationFailure } from "./evaluation-failure.ts";
import {
  durationFromText,
  durationOf,
  durationToText,
  timestampAt,
  timestampFromText,
  timestampToText,
} from "./time.ts";

describe("timestamps", () => {
  test.each([
    ["2026-01-31T09:30:00Z", "2026-01-31T09:30:00Z"],
    ["2026-01-31t09:30:00.25z", "2026-01-31T09:30:00.250Z"],
    ["2026-01-31T00:30:00+01:00", "2026-01-30T23:30:00Z"],
    ["2026-01-31T23:30:00-05:30", "2026-02-01T05:00:00Z"],
    ["2026-01-31", "2026-01-31T00:00:00Z"],
    ["2024-02-29T00:00:00.123456789Z", "2024-02-29T00:00:00.123Z"],
    ["0100-01-01", "0100-01-01T00:00:00Z"],
  ])("%s is %s", (written, moment) => {
    expect(timestampToText(timestampFromText(written))).toBe(moment);
  });

  test.each([
    "2026-02-29",
    "2026-13-01",
    "2026-00-10",
    "2026-01-31T24:00:00Z",
    "2026-01-31T09:60:00Z",
    "2026-01-31T09:30:00",
    "2026-01-31T09:30:00+24:00",
    "2026-01-31 09:30:00Z",
    "31.01.2026",
    "0099-01-01",
    "9999-12-31T23:59:59-01:00",
    "now",
    "",
  ])("%j is refused", (written) => {
    expect(() => timestampFromText(written)).toThrow(EvaluationFailure);
  });

  test("stay within the years 100 to 9999", () => {
    expect(() => timestampAt(Number.MAX_SAFE_INTEGER)).toThrow(EvaluationFailure);
    expect(() => timestampAt(Number.MIN_SAFE_INTEGER)).toThrow(EvaluationFailure);
  });
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

  test("do not grow without end", () => {
    expect(() => durationOf(Number.MAX_SAFE_INTEGER)).toThrow(EvaluationFailure);
  });
});
