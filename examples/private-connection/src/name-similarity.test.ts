import { expect, test } from "vitest";
import { nameSimilarity, nameWords } from "./name-similarity.ts";

test.each([
  ["Hooli KK", "HOOLI Kabushiki Kaisha"],
  ["Petrov, Iván", "ivan petrov"],
  ["Société Orion S.A.R.L.", "societe orion sarl"],
  ["ＦＵＬＬ width", "full Width"],
  ["Hooli K.K.", "Hooli KK"],
])("treats %s and %s as the same name", (left, right) => {
  expect(nameSimilarity(left, right)).toBe(1);
});

test("rates names with few different letters as similar, and others as different", () => {
  expect(nameSimilarity("Globex Corporation", "Globecs Corporation")).toBeGreaterThan(0.7);
  expect(nameSimilarity("Acme Industrial GmbH", "Globecs Corporation")).toBeLessThan(0.4);
});

test("keeps a name that consists of legal forms only, and rates an empty name as similar to none", () => {
  expect(nameWords("Limited Company")).toBe("company limited");
  expect(nameSimilarity("...", "")).toBe(0);
});

test("compares letters of non-Latin scripts", () => {
  expect(nameSimilarity("フーリ株式会社", "フーリ株式会社")).toBe(1);
  expect(nameSimilarity("フーリ株式会社", "Acme")).toBe(0);
});
