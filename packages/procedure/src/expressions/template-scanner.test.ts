import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { scanTemplate } from "./template-scanner.ts";

function sources(template: string): readonly string[] {
  const scanned = scanTemplate(template);
  if ("problem" in scanned) throw new Error(scanned.problem);
  return scanned.parts.filter((part) => part.kind === "expression").map((part) => part.source);
}

describe("the end of an expression is found by CEL's tokens", () => {
  test.each([
    ["{{ input.x }}", " input.x "],
    ["{{{'a': {'b': 1}}}}", "{'a': {'b': 1}}"],
    ["{{ {'a': {}}}}", " {'a': {}}"],
    ['{{ "}}" }}', ' "}}" '],
    ["{{ '}}' + '{{' }}", " '}}' + '{{' "],
    ['{{ "a\\"}}" }}', ' "a\\"}}" '],
    ['{{ """ "}} """ }}', ' """ "}} """ '],
    ["{{ r'}}' }}", " r'}}' "],
    ["{{ 1 // }}\n + 2 }}", " 1 // }}\n + 2 "],
    ["{{ 6.0 / 2 }}", " 6.0 / 2 "],
    ["{{}}", ""],
  ])("%s", (template, source) => {
    expect(sources(template)).toEqual([source]);
  });

  test("a text may contain several expressions", () => {
    expect(scanTemplate("Pay {{a}} to {{ b }}!")).toEqual({
      parts: [
        { kind: "text", text: "Pay " },
        { kind: "expression", source: "a", start: 6 },
        { kind: "text", text: " to " },
        { kind: "expression", source: " b ", start: 15 },
        { kind: "text", text: "!" },
      ],
    });
  });
});

test.each(["a }} b", "{ {", "{% x %}", "$ { }", "", "{"])("%j is text alone", (template) => {
  expect(sources(template)).toEqual([]);
});

test.each([
  "{{",
  "{{ a }",
  "{{ a",
  "{{ 'a }}",
  '{{ """a" }}',
  "{{ {'a': 1 }}",
  "{{ a // }}",
  "{{ } }}",
  "x {{ a }} {{",
])("%j is not closed, and the problem says so", (template) => {
  expect(scanTemplate(template)).toHaveProperty("problem");
});

test("scanning loses nothing: the joined parts are the template", () => {
  const piece = fc.constantFrom("{{", "}}", "{", "}", "'", '"', "\\", "a", "//", "\n", " ");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const template = pieces.join("");
      const scanned = scanTemplate(template);
      if ("problem" in scanned) return;
      const whole = scanned.parts.map((part) => (part.kind === "text" ? part.text : `{{${part.source}}}`));
      expect(whole.join("")).toBe(template);
    }),
    { numRuns: 5_000 },
  );
});
