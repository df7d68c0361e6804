import { expect, test } from "vitest";
import { cronWords } from "./cron-words.ts";

test.each([
  ["30 6 * * 1-5", "At 06:30, Monday through Friday"],
  ["*/15 * * * *", "Every 15 minutes"],
  ["0 18 L * *", "At 18:00, on the last day of the month"],
  ["0 9 * * MON#1", "At 09:00, on the first Monday of the month"],
  ["5 0 1 JAN *", "At 00:05, on day 1 of the month, only in January"],
])("%s is read as %s", (cron, words) => {
  expect(cronWords(cron)).toBe(words);
});

test.each(["", "@daily", "* * * * * *", "61 * * * *", "nonsense in five short words", "<img src=x onerror=alert(1)>"])(
  "%j has no words",
  (cron) => {
    expect(cronWords(cron)).toBeUndefined();
  },
);
