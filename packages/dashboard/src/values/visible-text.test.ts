import { expect, test } from "vitest";
import { visibleJson, visibleName } from "./visible-text.ts";

test("controls, marks of direction and spaces of no width are shown as escapes of the same text", () => {
  const text = "IBAN\u202E 00\u0000\u0007\u200B\u2066x\uFEFF\u{E0041}\u2028é 日本 👍\n";
  const shown = visibleJson(text);
  expect(shown).toBe(String.raw`"IBAN\u202e 00\u0000\u0007\u200b\u2066x\ufeff\udb40\udc41\u2028é 日本 👍\n"`);
  expect(JSON.parse(shown)).toBe(text);
});

test("names are without quotes only where they are plain words", () => {
  expect(["amount", "invoice.id", "Größe", "__proto__"].map(visibleName)).toEqual([
    "amount",
    "invoice.id",
    "Größe",
    "__proto__",
  ]);
  expect(["", "two words", "1", "a\u202Eb", "a: 1"].map(visibleName)).toEqual([
    '""',
    '"two words"',
    '"1"',
    String.raw`"a\u202eb"`,
    '"a: 1"',
  ]);
});
