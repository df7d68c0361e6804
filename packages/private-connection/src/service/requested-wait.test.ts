import { expect, test } from "vitest";
import { requestedWaitMs } from "./requested-wait.ts";

const date = "Fri, 01 Jan 2027 00:00:00 GMT";

test.each([
  ["120", 120_000],
  [" 5 ", 5_000],
  ["0", 0],
  ["Fri, 01 Jan 2027 00:01:30 GMT", 90_000],
  ["Thu, 31 Dec 2026 23:59:00 GMT", 0],
  ["999999999", 600_000],
  ["", undefined],
  ["soon", undefined],
  ["-5", undefined],
  [undefined, undefined],
])("Retry-After %j is %s ms", (value, expected) => {
  expect(requestedWaitMs((name) => ({ "retry-after": value, date })[name])).toBe(expected);
});

test("a date without the answer's own date is ignored", () => {
  expect(requestedWaitMs((name) => (name === "retry-after" ? date : undefined))).toBeUndefined();
});
