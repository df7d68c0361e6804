import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "@procedo/contract";
import { jsonPointer } from "@procedo/contract/syntax";
import { offsetInJson } from "./offset-in-json.ts";

const text = ` { "a" : [1, "x,]}\\"", {"b~/c": null} ], "\\u0064": {"e": true}, "f": 12 }`;
const at = (pointer: string, length: number): string =>
  text.slice(offsetInJson(text, pointer, JSON.parse(text) as JsonValue)).slice(0, length);

describe("the offset of a JSON pointer", () => {
  it("is the offset of a member's name, an item, or the root", () => {
    expect(at("", 1)).toBe("{");
    expect(at("/a", 3)).toBe('"a"');
    expect(at("/a/0", 1)).toBe("1");
    expect(at("/a/1", 3)).toBe('"x,');
    expect(at("/a/2/b~0~1c", 6)).toBe('"b~/c"');
    expect(at("/d/e", 3)).toBe('"e"');
    expect(at("/f", 3)).toBe('"f"');
  });

  it("is the offset of the deepest existing ancestor", () => {
    expect(at("/a/7/x", 3)).toBe('"a"');
    expect(at("/f/x", 3)).toBe('"f"');
    expect(at("/nothing", 1)).toBe("{");
  });

  it("is not the offset of a text or another member with the same name", () => {
    const place = (written: string, pointer: string) =>
      offsetInJson(written, pointer, JSON.parse(written) as JsonValue);
    expect(place('{"a":{"x":"b"},"c":{"b":1}}', "/c/b")).toBe(20);
    expect(place('{"a":{"b":0},"c":{"b":1}}', "/c/b")).toBe(18);
    expect(place('{"a":"\\"b","c":{"\\u0062":1}}', "/c/b")).toBe(16);
    expect(place('{"a":{"b":0},"c":{}}', "/c/b")).toBe(13);
  });

  it("is right for every part of any JSON in any layout", () => {
    const layouts = fc.constantFrom(undefined, 2, "\t");
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), layouts, (value, space) => {
        const written = JSON.stringify(value, undefined, space);
        for (const [path, part] of partsOf(JSON.parse(written) as JsonValue)) {
          const last = path.at(-1);
          const expected =
            typeof last === "string" ? JSON.stringify(last) : JSON.stringify(part, undefined, space).slice(0, 1);
          expect(written.slice(offsetInJson(written, jsonPointer(path), value as JsonValue))).toMatch(
            startingWith(expected),
          );
        }
      }),
    );
  });
});

function* partsOf(value: JsonValue, path: (string | number)[] = []): Generator<[(string | number)[], JsonValue]> {
  if (path.length > 0) yield [path, value];
  if (Array.isArray(value)) {
    for (const [index, item] of (value as readonly JsonValue[]).entries()) yield* partsOf(item, [...path, index]);
  } else if (typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value)) yield* partsOf(member, [...path, name]);
  }
}

const startingWith = (text: string): RegExp => new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}`);
