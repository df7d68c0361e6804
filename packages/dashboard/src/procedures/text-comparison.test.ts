import { expect, test } from "vitest";
import { compareTexts, withoutEqualParts } from "./text-comparison.ts";

const words = (left: string, right: string) =>
  compareTexts(left.replaceAll(" ", "\n"), right.replaceAll(" ", "\n")).map(
    (row) => `${row.left?.text ?? "·"}${row.isEqual ? "=" : "|"}${row.right?.text ?? "·"}`,
  );

test("equal lines stand beside each other, changed ones too", () => {
  expect(words("a b c d", "a x c d e")).toEqual(["a=a", "b|x", "c=c", "d=d", "·|e"]);
  expect(words("a b", "a b")).toEqual(["a=a", "b=b"]);
  expect(words("p a q b", "a b")).toEqual(["p|·", "a=a", "q|·", "b=b"]);
});

test("every line of both texts is shown once, in order", () => {
  const left = Array.from({ length: 3_000 }, (_, index) => `l${index % 7}`);
  const right = Array.from({ length: 2_500 }, (_, index) => `r${index % 5}`);
  const rows = compareTexts(left.join("\n"), right.join("\n"));
  expect(rows.flatMap((row) => row.left?.text ?? [])).toEqual(left);
  expect(rows.flatMap((row) => row.right?.text ?? [])).toEqual(right);
});

test("equal lines far from a difference are a gap", () => {
  const left = Array.from({ length: 50 }, (_, index) => String(index)).join("\n");
  const parts = withoutEqualParts(compareTexts(left, left.replace("20", "twenty")));
  expect(parts.map((part) => (part.kind === "gap" ? part.count : "row"))).toEqual([
    17,
    "row",
    "row",
    "row",
    "row",
    "row",
    "row",
    "row",
    26,
  ]);
});
