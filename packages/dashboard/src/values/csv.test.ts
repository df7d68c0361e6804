import { describe, expect, test } from "vitest";
import { csvText } from "./csv.ts";

/** The only cell of a table. */
const cell = (outside: string): string => csvText(["a"], [[{ outside }]]).slice("\uFEFFa\r\n".length, -"\r\n".length);
/** What a program reads: without quotes, and without the apostrophe in front of a formula. */
const readBack = (written: string): string => {
  const text = written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written;
  return text.replace(/^'(?='*[=+\-@\t\r\n＝＋－＠])/, "");
};

test("a table has a head, and a row per line", () => {
  expect(
    csvText(
      ["Run", "Amount"],
      [
        ["run_1", 7],
        ["run_2", undefined],
      ],
    ),
  ).toBe("\uFEFFRun,Amount\r\nrun_1,7\r\nrun_2,\r\n");
});

describe("a text from outside that a spreadsheet would execute is text:", () => {
  test.each([`=HYPERLINK("http://x.example","Pay")`, "+1+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "＝1+1", "'=1", "''-1"])(
    "%j",
    (text) => {
      expect(cell(text)).toMatch(/^"?'/);
      expect(readBack(cell(text))).toBe(text);
    },
  );
});

test.each(["0012", "12345678901234567890", "a=b", "O'Neill", "'quoted'", 'say "hi"', "a,b", "two\nlines", " space "])(
  "%j is read back as it is",
  (text) => {
    expect(cell(text)).not.toMatch(/^"?''/);
    expect(readBack(cell(text))).toBe(text);
  },
);
