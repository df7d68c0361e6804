import { describe, expect, it } from "vitest";
import { accepts, translated } from "./schema-fixtures.fixture.ts";

/** The translation of a pattern. */
function read(pattern: string) {
  const { schema, problems } = translated({ type: "string", pattern });
  return { pattern: schema["pattern"], warns: problems.length === 1, takes: (text: string) => accepts(schema, text) };
}

describe("a pattern of another dialect", () => {
  it.each([
    ["slashes of a literal", "/^[A-Z]+$/", "^[A-Z]+$", "ABC", "abc"],
    ["slashes and flags", "/^[a-z\\/]+$/gi", "^[A-Za-z\\/]+$", "aB/", "a1"],
    ["a literal that ignores case", "/^sap[0-9]{2}$/i", "^[Ss][Aa][Pp][0-9]{2}$", "SAP12", "SAB12"],
    ["Perl's begin and end", "\\A[A-Z]{3}\\Z", "^[A-Z]{3}$", "EUR", "EURO"],
    ["Ruby's begin and end", "\\A\\d+\\z", "^\\d+$", "12", "12a"],
    ["a class of POSIX", "^[[:alpha:]-]+$", "^[\\p{L}\\p{M}-]+$", "Müller-x", "a1"],
    ["a class of POSIX without its brackets", "^[:digit:]+$", "^[\\p{Nd}]+$", "12", "a"],
    ["a class of Java", "^\\p{Alnum}+$", "^[\\p{L}\\p{M}\\p{N}]+$", "a1", "a-1"],
    ["a class that Java negates", "^\\P{XDigit}$", "^[^0-9A-Fa-f]$", "x", "f"],
    ["a script by its name alone", "^\\p{Han}+$", "^[\\p{Script=Han}]+$", "漢字", "kanji"],
    ["a flag at its begin", "(?i)^ab$", "^[Aa][Bb]$", "aB", "ac"],
    ["a group of Python", "^(?P<year>\\d{4})$", "^(?<year>\\d{4})$", "2026", "26"],
    ["a repeat that gives nothing back", "^a++b*+$", "^a+b*$", "aab", "ba"],
    ["a group that gives nothing back", "^(?>a|b)c$", "^(?:a|b)c$", "ac", "c"],
    ["a bracket that stands first in its class", "^[]x]+$", "^[\\]x]+$", "x]", "y"],
    ["a repeat without its least count", "^[a-z]{,3}$", "^[a-z]{0,3}$", "ab", "abcd"],
    ["a space in a repeat", "^\\d{1, 3}$", "^\\d{1,3}$", "12", "1234"],
    ["a code point of PCRE", "^\\x{41}$", "^\\u0041$", "A", "x"],
    ["a character beyond the basic plane as two halves", "^[\\uD83D\\uDE00]$", "^[\\u{1F600}]$", "😀", "😁"],
    ["the line break of a block in YAML", "^[A-Z]+$\n", "^[A-Z]+$", "EUR", "eur"],
    ["a space before it", " ^[A-Z]+$", "^[A-Z]+$", "EUR", " EUR"],
  ])("is translated, with a warning: %s", (_, written, pattern, fits, doesNot) => {
    const made = read(written);
    expect(made.pattern).toBe(pattern);
    expect(made.warns).toBe(true);
    expect(made.takes(fits)).toBe(true);
    expect(made.takes(doesNot)).toBe(false);
  });

  it.each([
    ["slashes that may be meant", "/[a-z]+/", "/a/"],
    ["flags that change the anchors", "/^[a-z]+$/m", "A"],
    ["backslashes that are doubled", "^\\\\d{4}$", "2026"],
    ["backslashes that are doubled in a class", "^[\\\\w-]+$", "2026"],
    ["a dot whose backslash is doubled", "^\\d+\\\\.\\d{2}$", "10.50"],
    ["a horizontal space", "^\\h+$", "\t"],
    ["a quotation", "^\\Qa.b\\E$", "a.b"],
    ["a class within a class", "^[a-z[0-9]]+$", "a1"],
    ["an intersection of classes", "^[a-z&&[^b]]+$", "a"],
    ["a class that ECMAScript does not know", "^\\p{IsLetter}+$", "a"],
    ["a flag within it", "^a(?i)b$", "aB"],
    ["a comment", "^a(?#why)$", "a"],
    ["other delimiters", "#^[a-z]+$#", "abc"],
    ["quotes", '"^[a-z]+$"', "abc"],
    ["an anchor in the middle", "^arn:[a-z]+:/^.{1,255}$", "arn:a:/b"],
    ["an end before the end", "^\\d{2}$:\\d{2}$", "10:30"],
    ["the name of a format", "date", "2026-01-31"],
    ["a picture of a date", "YYYY-MM-DD", "2026-01-31"],
    ["a picture of a time", "hh:mm:ss", "10:30:00"],
    ["a picture of digits", "999-99-9999", "123-45-6789"],
    ["a range without brackets", "^a-zA-Z0-9$", "x"],
    ["no pattern at all", "([unclosed", "x"],
  ])("that cannot be written in ECMAScript is left out, with a warning: %s", (_, written, text) => {
    const made = read(written);
    expect(made.pattern).toBeUndefined();
    expect(made.warns).toBe(true);
    expect(made.takes(text)).toBe(true);
  });

  it.each([
    ["looks ahead", "^(?=a)b$"],
    ["refers back", "^(a|b)\\1$"],
    ["refers back by a name", "^(?<a>x)\\k<a>$"],
    ["repeats too often", "^.{1,5000}$"],
    ["is too long", `^${"a".repeat(2_001)}$`],
    ["names halves of characters", "^[\\uD800\\uDBFF-\\uDC00\\uDFFF]$"],
  ])("that %s is kept but not checked, with a warning", (_, written) => {
    const made = read(written);
    expect(made.pattern).toBe(written);
    expect(made.warns).toBe(true);
    expect(made.takes("anything")).toBe(true);
  });

  it.each([
    "^[A-Z]:\\\\.*$",
    "^[\\w\\[\\]]+$",
    "^[\\w[\\]]+$",
    "^[^]*$",
    "^[/\\\\-]$",
    "/users/[0-9]+/groups",
    "^\\p{L}+\\u{1F600}?$",
    "^\\u0041\\x41\\cJ\\/$",
    "^(?<a>x)(?:y)+?$",
    "^[+-z]$",
  ])("of ECMAScript stays unchanged without a warning: %s", (written) => {
    expect(read(written)).toMatchObject({ pattern: written, warns: false });
  });
});
