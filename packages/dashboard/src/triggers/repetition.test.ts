import { expect, test } from "vitest";
import { cronOf, repetitionOf, usualRepetition } from "./repetition.ts";

test.each([
  ["*/15 * * * *", "minutes"],
  ["5 * * * *", "hourly"],
  ["0 0 * * *", "daily"],
  ["30 6 * * 1-5", "weekly"],
  ["30 6 * * 0,6", "weekly"],
  ["0 18 L * *", "monthly"],
  ["0 18 28 * *", "monthly"],
])("%s is %s, and is written the same again", (cron, kind) => {
  const repetition = repetitionOf(cron);
  expect(repetition.kind).toBe(kind);
  expect(cronOf(repetition)).toBe(cron);
});

test.each([
  "*/7 * * * *",
  "0 */2 * * *",
  "0 9-17 * * *",
  "0 18 31 * *",
  "30 6 * JAN 1-5",
  "30 6 * * MON",
  "30 6 1 * 1",
  "06 6 * * *",
  "* * * * *",
  "",
  "nonsense",
])("%j is kept as a cron expression", (cron) => {
  expect(repetitionOf(cron)).toEqual({ ...usualRepetition, kind: "cron", cron });
});

test("a time is written without leading zeros, and no day of the week as none", () => {
  expect(cronOf({ ...usualRepetition, kind: "daily", time: "00:05" })).toBe("5 0 * * *");
  expect(cronOf({ ...usualRepetition, kind: "weekly", days: [] })).toBe("30 6 * * ");
});
