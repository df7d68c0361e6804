import { expect, test } from "vitest";
import { nameSimilarity, nameWords } from "./name-similarity.ts";

test.each([
  ["Hooli KK", "HOOLI Kabushiki Kaisha"],
  ["Petrov, Iván", "ivan petrov"],
  ["Société Orion S.A.R.L.", "societe orion sarl"],
  ["ＦＵＬＬ width", "full Width"],
  ["Hooli K.K.", "Hooli KK"],
])("%s and %s are one name", (left, right) => {
  expect(nameSimilarity(left, right)).toBe(1);
});

test("names that differ in a few letters are alike, others are not", () => {
  expect(nameSimilarity("Globex Corporation", "Globecs Corporation")).toBeGreaterThan(0.7);
  expect(nameSimilarity("Acme Industrial GmbH", "Globecs Corporation")).toBeLessThan(0.4);
});

test("a name of legal forms only is a name, and no name is like nothing", () => {
  expect(nameWords("Limited Company")).toBe("company limited");
  expect(nameSimilarity("...", "")).toBe(0);
});

test("letters beyond the Latin ones count", () => {
  expect(nameSimilarity("フーリ株式会社", "フーリ株式会社")).toBe(1);
  expect(nameSimilarity("フーリ株式会社", "Acme")).toBe(0);
});
