import { describe, expect, it } from "vitest";
import { referenceText, searchTextSchema } from "./reference.ts";

describe("the text of a reference", () => {
  it.each([
    ["NUL and control characters", "INV\u0000-\u001b[2J7\u0085", "INV-[2J7"],
    ["marks that change the direction", "\u202eVNI\u2066\u200f-7\u061c", "VNI-7"],
    ["invisible characters", "I\u200bN\u2060V\ufeff\u00ad-\u2800\ufe0f7", "INV -7"],
    ["line ends, tabs and other spaces", "  INV\r\n\t7\u2028\u00a0 a\u3000", "INV 7 a"],
    ["halves of a surrogate pair", "a\ud83db\ude00c", "abc"],
    ["decomposed letters", "Gro\u0308\u00dfe", "Größe"],
    ["characters of patterns", "100%_\\'\"{{x}}", "100%_\\'\"{{x}}"],
  ])("has one form: %s", (_name, text, expected) => {
    expect(referenceText(text)).toBe(expected);
    expect(referenceText(expected)).toBe(expected);
  });

  it.each([
    ["a".repeat(200), "a".repeat(200)],
    ["a".repeat(201), "a".repeat(200)],
    ["😀".repeat(101), "😀".repeat(100)],
    [`a${"😀".repeat(100)}`, `a${"😀".repeat(99)}`],
    [`${"a".repeat(199)} b`, "a".repeat(199)],
    [`${"\u200b".repeat(5_000)}end`, "end"],
  ])("is cut at 200 characters, and never within one", (text, expected) => {
    expect(referenceText(text)).toBe(expected);
  });
});

describe("the text of a search", () => {
  it.each(["run_01m8c83f80jgn9dwqer4v81z0k", "INV-", "%", "a".repeat(200), " a "])("may be %j", (text) => {
    expect(searchTextSchema.safeParse(text).success).toBe(true);
  });

  it.each(["", " ", "\n", "\0", "\u202e", "\ud83d", "a".repeat(201), 7])("may not be %j", (text) => {
    expect(searchTextSchema.safeParse(text).success).toBe(false);
  });
});
