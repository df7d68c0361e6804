import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scanJson } from "@procedo/procedure/json";
import { createTextPositions } from "./text-position.ts";
import { readJson } from "./read-json.ts";

function problem(text: string) {
  const read = readJson(text, createTextPositions(text));
  return read.ok ? undefined : read.problems[0];
}

describe("a fault in JSON", () => {
  it.each([
    ['{ "a": [1, 2', 1, 13, /ends too early: 2 brackets are still open/],
    ['{\n  "a": "cut o', 2, 14, /ends too early: a bracket is still open/],
    ['{ "a": "cut o\n', 1, 14, /ends too early/],
    ['{ "a": tr', 1, 10, /ends too early/],
    ['{ "a": "\\u00', 1, 13, /ends too early/],
    ["{ 'a': 1 }", 1, 3, /name in double quotes/],
    ["{ a: 1 }", 1, 3, /name in double quotes.*"a"/],
    ["{ \"a\": 'b' }", 1, 8, /not single ones/],
    ['{ "a" 1 }', 1, 7, /colon/],
    ['{ "a": 1 "b": 2 }', 1, 10, /comma or }/],
    ["[1 2]", 1, 4, /comma or \]/],
    ['{ "a": 1, }', 1, 11, /comma precedes }/],
    ["[1,]", 1, 4, /value is missing before \]/],
    ['{ "a": }', 1, 8, /value is missing before }/],
    ["[1]\n]", 2, 1, /continues after its end/],
    ["[ // x\n1]", 1, 3, /no comments/],
    ['{ /* x */ "a": 1}', 1, 3, /no comments/],
    ["[NaN]", 1, 2, /not "NaN"/],
    ["[01]", 1, 2, /not "01"/],
    ["[True]", 1, 2, /not "True"/],
    ["[1.]", 1, 2, /not "1\."/],
    ['["a\nb"]', 1, 4, /line break/],
    ['["\u0001"]', 1, 3, /control character/],
    ['["\\x"]', 1, 3, /no escape \\x/],
    ['["\\u12g4"]', 1, 3, /four hexadecimal digits/],
    ["[1}", 1, 3, /comma or \]/],
  ])("is described with line and column: %j", (text, line, column, message) => {
    expect(problem(text)).toEqual({
      severity: "error",
      pointer: "",
      line,
      column,
      message: expect.stringMatching(message),
    });
  });

  it("quotes at most one word of the text, on one line", () => {
    const { message } = problem(`[${"x".repeat(1_000)}]`) ?? { message: "" };
    expect(message.length).toBeLessThan(100);
    expect(problem("[\u202e\u0007]")?.message).toMatch(/\\u202e/);
  });

  it("is found exactly when JSON.parse finds one", () => {
    const characters = fc.constantFrom(..."{}[]:,\"\\ \n\t01.-eEtrufalsn'/\u0000é");
    const soup = fc.string({ unit: characters, maxLength: 12 });
    const edited = fc
      .tuple(fc.json({ maxDepth: 3 }), fc.nat(), fc.nat({ max: 3 }), soup)
      .map(([text, at, removed, inserted]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + inserted + text.slice(place + removed);
      });
    fc.assert(
      fc.property(fc.oneof(soup, edited), (text) => {
        expect(scanJson(text, {}) === undefined).toBe(parses(text));
      }),
      { numRuns: 3_000 },
    );
  });
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
