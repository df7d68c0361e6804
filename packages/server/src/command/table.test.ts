import { expect, test } from "vitest";
import { moment, table } from "./table.ts";

test("columns are as wide as their widest cell, and no line ends in blanks", () => {
  expect(
    table(
      ["ID", "NAME"],
      [
        ["1", "a"],
        ["1000", ""],
      ],
    ),
  ).toEqual(["ID    NAME", "1     a", "1000"]);
});

test("an empty list has no heading", () => {
  expect(table(["ID"], [])).toEqual([]);
});

test("an optional column is left out if it is empty in all rows", () => {
  const rows = (reference: string) =>
    table(
      ["ID", "REFERENCE", "STATUS"],
      [
        ["1", "", "ok"],
        ["2", reference, "ok"],
      ],
      ["REFERENCE"],
    );
  expect(rows("")).toEqual(["ID  STATUS", "1   ok", "2   ok"]);
  expect(rows("INV")).toEqual(["ID  REFERENCE  STATUS", "1              ok", "2   INV        ok"]);
});

test("untrusted text can neither move the cursor nor hide or reorder the screen", () => {
  expect(table(["TITLE"], [["\u001b[2Jpay\n10\u202e\u2028€"]])).toEqual([
    "TITLE",
    "\\u{1b}[2Jpay\\u{a}10\\u{202e}\\u{2028}€",
  ]);
});

test("a time is printed in ISO 8601, and a missing one as empty", () => {
  expect([moment(0), moment(undefined)]).toEqual(["1970-01-01T00:00:00.000Z", ""]);
});
