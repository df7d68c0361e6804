import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse, stringify, type ToStringOptions } from "yaml";
import { readYaml } from "./read-yaml.ts";
import { createTextPositions } from "./text-position.ts";

const read = (text: string) => readYaml(text, createTextPositions(text));

const value = fc.jsonValue({ maxDepth: 3, stringUnit: fc.constantFrom(..."ab \n:#-'\"\\{[,|>&*!%?@`~0é😀") });
const styles = fc.constantFrom<ToStringOptions & { indentSeq?: boolean; indent?: number }>(
  {},
  { lineWidth: 20 },
  { defaultStringType: "QUOTE_DOUBLE", lineWidth: 20 },
  { defaultStringType: "QUOTE_SINGLE", lineWidth: 20 },
  { defaultStringType: "BLOCK_LITERAL" },
  { defaultStringType: "BLOCK_FOLDED", lineWidth: 20 },
  { collectionStyle: "flow" },
  { indentSeq: false, indent: 4 },
);
const pieces = fc.constantFrom(
  ..."a|b|- |-|  | |\n|: |:|#| #|\"|'|[|]|{|}|,|&a |*a |>|1|? |~|!!str |---|...|%A b|\\|\t|key: |<<: |\n\n|\n    ".split(
    "|",
  ),
  "|",
  "|-",
);

/** The writer has faults of its own: in a flow it leaves "?\n~" without quotes, which makes a mapping of a text. */
function readsBack(text: string, meant: string): boolean {
  try {
    return JSON.stringify(parse(text)) === meant;
  } catch {
    return false;
  }
}

describe("YAML", () => {
  it("from another writer is read correctly in all styles", () => {
    fc.assert(
      fc.property(value, styles, (content, style) => {
        const text = stringify({ content, list: [content] }, style);
        const meant = JSON.stringify({ content, list: [content] });
        fc.pre(readsBack(text, meant));
        const result = read(text);
        expect(result.ok && JSON.parse(JSON.stringify(result.value))).toEqual(JSON.parse(meant));
      }),
      { numRuns: 500 },
    );
  });

  it("that is invalid gives problems with places, for any text", () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 16 }), (parts) => {
        const result = read(parts.join(""));
        if (result.ok) return;
        expect(result.problems.length).toBeGreaterThan(0);
        for (const { line, message } of result.problems) {
          expect(line).toBeGreaterThan(0);
          expect(message).toMatch(/^[^\n]+[.?]$/);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("with anchors on names is read", () => {
    expect(read("&a key: 1\nother: *a\n")).toMatchObject({ ok: true, value: { key: 1, other: "key" } });
  });

  it("suggests an open quote when a fault follows a quoted text of several lines", () => {
    const result = read('info:\n  title: "a\n   version: "1"\n');
    expect(result.ok ? [] : result.problems[0]).toMatchObject({
      line: 3,
      message: expect.stringMatching(/line 2 .*\?/) as string,
    });
  });

  it("with a fault before endless nesting is rejected without recursion", () => {
    const result = read(`a: "b" c\nd: ${"[".repeat(100_000)}\n`);
    expect(result.ok ? [] : result.problems).toMatchObject([{ line: 1 }]);
  });
});
