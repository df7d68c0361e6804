import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readJsonText } from "./read-json-text.ts";

const faults = (text: string): readonly string[] =>
  readJsonText(text).problems.map(({ line, column, message }) => `${line}:${column} ${message}`);

test("a text without faults has the result of JSON.parse", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5, stringUnit: "binary" }), fc.constantFrom(0, 2), (json, indent) => {
      const text = JSON.stringify(JSON.parse(json), undefined, indent);
      const read = readJsonText(text);
      expect(read.problems).toEqual([]);
      expect(read.value).toEqual(JSON.parse(text));
    }),
    { numRuns: 500 },
  );
});

test("any text gives a result, and one that JSON.parse accepts has no syntax fault except repeated names", () => {
  const piece = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"a"',
    '"',
    "'",
    "//",
    "\n",
    " ",
    "1",
    "01",
    "null",
    "NaN",
    "\\",
    "{{",
    "}}",
    "“",
    "\u00a0",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
      const text = pieces.join("");
      const { problems } = readJsonText(text);
      let isJson = true;
      try {
        JSON.parse(text);
      } catch {
        isJson = false;
      }
      expect(problems.filter(({ message }) => !message.includes("stands twice")).length > 0).toBe(!isJson);
    }),
    { numRuns: 5_000 },
  );
});

describe("a common mistake is reported with its line and column, and the intended value is read:", () => {
  test.each<[string, string, readonly string[], unknown]>([
    ["a comma at the end", '{\n  "a": 1,\n}', ['2:9 There is a comma before "}"; remove it.'], { a: 1 }],
    ["a comma at the end of a list", "[1, 2,]", ['1:6 There is a comma before "]"; remove it.'], [1, 2]],
    ["two commas", "[1,, 2]", ["1:4 There is an extra comma here; remove it."], [1, 2]],
    ["a missing comma", '{\n  "a": 1\n  "b": 2\n}', ["2:9 A comma is missing here."], { a: 1, b: 2 }],
    ["a semicolon", '{"a": 1; "b": 2}', ["1:8 Use a comma between the parts here, not a semicolon."], { a: 1, b: 2 }],
    ["a missing colon", '{"a" 1}', ['1:6 A colon ":" belongs between a name and its value.'], { a: 1 }],
    ["an equals sign", '{"a" = 1}', ['1:6 A colon ":" belongs between a name and its value, not =.'], { a: 1 }],
    [
      "single quotes",
      "{'a': 'b'}",
      ["1:2 Text must be in double quotes (\"), not in '.", "1:7 Text must be in double quotes (\"), not in '."],
      { a: "b" },
    ],
    ["quotes from a word processor", "{“a”: 1}", ['1:2 Text must be in double quotes ("), not in “.'], { a: 1 }],
    ["a name without quotes", "{a: 1}", ['1:2 A name must be in double quotes; write "a".'], { a: 1 }],
    [
      "a comment at the end of a line",
      '{"a": 1 // one\n}',
      ["1:9 JSON has no comments; remove it, or put it into a description."],
      { a: 1 },
    ],
    [
      "a comment between",
      '{/* one */"a": 1}',
      ["1:2 JSON has no comments; remove it, or put it into a description."],
      { a: 1 },
    ],
    [
      "keywords of another language",
      '{"a": True, "b": None}',
      ["1:7 Write true, in lower case.", "1:18 JSON has no None; write null, or leave the member out."],
      { a: true, b: null },
    ],
    ["NaN", '{"a": NaN}', ["1:7 JSON has no NaN; write null, or leave the member out."], { a: null }],
    [
      "numbers in the notation of other languages",
      "[.5, +1, 01, 1_000]",
      [
        "1:2 .5 is not a JSON number; write 0.5.",
        "1:6 +1 is not a JSON number; write 1.",
        "1:10 01 is not a JSON number; write 1.",
        "1:14 1_000 is not a JSON number; write 1000.",
      ],
      [0.5, 1, 1, 1000],
    ],
    [
      "a number that loses digits",
      "[9007199254740993]",
      [
        "1:2 9007199254740993 has more digits than a number keeps here; write it as a text, or an amount in minor units.",
      ],
      [9007199254740992],
    ],
    [
      "a line break within a text",
      '{"a": "one\ntwo"}',
      ["1:11 A line break within a text is written \\n."],
      { a: "one\ntwo" },
    ],
    ["a tab within a text", '{"a": "one\ttwo"}', ["1:11 A tab within a text is written \\t."], { a: "one\ttwo" }],
    [
      "a missing quote",
      '{\n  "a": "one,\n  "b": 2\n}',
      ["2:8 The closing quote of this text is missing."],
      { a: "one", b: 2 },
    ],
    [
      "a missing quote within a line",
      '{"a": "one, "b": 2, "c": 3}',
      ["1:7 The closing quote of this text is missing."],
      { a: "one", b: 2, c: 3 },
    ],
    [
      "quotes within a text",
      '{"a": "Pay "Acme" now", "b": "{{ input["x"] == "" }}"}',
      ['1:12 A quote within a text is written \\".', '1:40 A quote within a text is written \\".'],
      { a: 'Pay "Acme" now', b: '{{ input["x"] == "" }}' },
    ],
    [
      "an expression over several lines",
      '{"a": "{{\n  input.a\n}}"}',
      ["1:10 A line break within a text is written \\n.", "2:10 A line break within a text is written \\n."],
      { a: "{{\n  input.a\n}}" },
    ],
    [
      "a text that continues on the next line",
      '{"a": "one \\\n two"}',
      ["1:13 A line break within a text is written \\n."],
      { a: "one \n two" },
    ],
    [
      "the fence of a Markdown block",
      '```json\n{"a": 1}\n```\n',
      ['1:1 The document must begin with "{"; remove the text before it.'],
      { a: 1 },
    ],
    [
      "a JavaScript export",
      'export default {"a": 1};\n',
      ['1:1 The document must begin with "{"; remove the text before it.'],
      { a: 1 },
    ],
    [
      "the quotes of a shell",
      "'{\"a\": 1}'",
      ['1:1 The document must begin with "{"; remove the text before it.'],
      { a: 1 },
    ],
    [
      "a path of Windows",
      '["C:\\data"]',
      ['1:5 "\\d" is not a JSON escape; a backslash is written \\\\.'],
      ["C:\\data"],
    ],
    [
      "an expression without quotes",
      '{"a": {{ input.a }}}',
      ['1:7 An expression must be in quotes; write "{{ input.a }}".'],
      { a: "{{ input.a }}" },
    ],
    [
      "a word without quotes",
      '{"kind": start}',
      ['1:10 Text must be in double quotes; write "start".'],
      { kind: "start" },
    ],
    ["a missing value", '{"a": , "b": 2}', ["1:7 The value is missing here."], { a: null, b: 2 }],
    ["a duplicate name", '{"a": 1, "a": 2}', ['1:10 "a" occurs twice in its object; keep one.'], { a: 2 }],
    [
      "an invisible character",
      '{\u00a0"a": 1}',
      ["1:2 An invisible character (U+00A0) is not allowed here; remove it."],
      { a: 1 },
    ],
    [
      "more than one document",
      '{"a": 1} {"b": 2}',
      ["1:10 The document ended before this; remove it, or a bracket that closes too early."],
      { a: 1 },
    ],
    [
      "several mistakes",
      "{\n  a: 1,\n  'b': 2,\n}",
      [
        '2:3 A name must be in double quotes; write "a".',
        "3:3 Text must be in double quotes (\"), not in '.",
        '3:9 There is a comma before "}"; remove it.',
      ],
      { a: 1, b: 2 },
    ],
  ])("%s", (_name, text, expected, value) => {
    const read = readJsonText(text);
    expect(faults(text)).toEqual(expected);
    expect(read.value).toEqual(value);
  });
});

describe("a text that cannot be read to its end is reported with the place:", () => {
  test.each([
    ["nothing", "", "1:1 The text is empty."],
    ["YAML", "schemaVersion: 1\nprocedureId: pay\n", "1:1 This looks like YAML; write it as JSON."],
    ["HTML", "<html></html>", "1:1 This looks like markup, not JSON."],
    ["a missing bracket", '{\n  "a": [1, 2\n', '3:1 The text ends before "[" of line 2, column 8 is closed.'],
    ["another bracket", '{\n  "a": [1, 2}\n', '2:13 "]" is expected here for "[" of line 2, column 8, not "}".'],
    ["a merge", '{\n<<<<<<< HEAD\n"a": 1}', "2:1 There is an unresolved merge conflict here."],
    ["a missing quote at the end", '{"a": "one', "1:7 The closing quote of this text is missing."],
    ["too many levels", "[".repeat(1_000_000), "1:202 The text nests deeper than 200 levels."],
  ])("%s", (_name, text, expected) => {
    expect(faults(text)).toEqual([expected]);
    expect(readJsonText(text).value).toBeUndefined();
  });
});

test.each<[string, (count: number) => string]>([
  ["spaces within a text that is not closed", (count) => `{"a": "${" ".repeat(count)}x\n}`],
  ["line breaks within a text", (count) => `{"a": "${"\n".repeat(count)}"}`],
  ["lines that are not closed", (count) => `{"a": "${"b\n".repeat(count)}"`],
  ["expressions that are not closed", (count) => `{"a": "${"{{\n".repeat(count)}"`],
  ["quotes within a text", (count) => `{"a": "${'b"c'.repeat(count)}`],
  ["quotes around nothing", (count) => `[${'""a'.repeat(count)}`],
  ["backticks behind a document", (count) => `x{}${"`".repeat(count)}x`],
  ["digits and lines of digits", (count) => `[${"1_".repeat(count)}]`],
])("a text of a million %s is read in linear time", (_name, textOf) => {
  expect(readJsonText(textOf(1_000_000)).problems.length).toBeGreaterThan(0);
});

test("a byte order mark at the beginning is no fault", () => {
  expect(readJsonText('\uFEFF{"a": 1}')).toMatchObject({ value: { a: 1 }, problems: [] });
});

test("places have lines and columns: a member its name, an item itself, a part of a text its character", () => {
  const text = '{\r\n\t"a": ["x", {"b~/c": "\\u00e9\\n{{ inptu }}"}]\r\n}';
  const read = readJsonText(text);
  expect(read.positionOf("/a")).toEqual({ line: 2, column: 2 });
  expect(read.positionOf("/a/1")).toEqual({ line: 2, column: 13 });
  expect(read.positionOf("/a/1/b~0~1c")).toEqual({ line: 2, column: 14 });
  const [part] = read.place([{ severity: "error", path: "/a/1/b~0~1c", code: "expression", message: "", offset: 5 }]);
  expect(text.split("\r\n")[1]?.slice((part?.column ?? 0) - 1)).toMatch(/^inptu/);
  expect(read.positionOf("/a/7/x")).toEqual(read.positionOf("/a"));
  expect(read.lines.line(2)).toContain("inptu");
});

test("a value that is lost in a faulty text has no other problems", () => {
  const read = readJsonText('{"timeoutMs": NaN, "name": 5}');
  const problem = (path: string) => ({ severity: "error", path, code: "shape", message: "" }) as const;
  expect(read.place([problem("/timeoutMs"), problem("/name")])).toMatchObject([{ path: "/name", line: 1, column: 20 }]);
});
