import type { JsonValue } from "@procedo/contract";
import { jsonPointer } from "@procedo/contract/syntax";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { repeatedMember } from "./repeated-member.ts";

const found = (json: string): string | undefined => repeatedMember(json, JSON.parse(json) as JsonValue);

describe("a duplicate member of an object", () => {
  test.each([
    ['{"a":1,"a":2}', "/a"],
    ['{"to":"acme","amount":1,"to":"mallory"}', "/to"],
    ['{"a":1,"\\u0061":2}', "/a"],
    ['{"x":[{"a":{"b":1,"b":1}}]}', "/x/0/a/b"],
    ['[[],{"x":1},[1,{"y":{}, "a/b~c":1,"a/b~c":2}]]', "/2/1/a~1b~0c"],
    ['{"time":"10:20:30","url":"http://a","time":"1"}', "/time"],
    ['{"a":{"a":1},"a":{}}', "/a"],
    ['{"a":"\\"","a":1}', "/a"],
    ['{"a":"\\\\","a":1}', "/a"],
    ['{"":1,"":2}', "/"],
    ['{ "a" : [ ] , "b" : {} , "a" : null }', "/a"],
    ['{"__proto__":1,"__proto__":2}', "/__proto__"],
  ])("is found in %s", (json, pointer) => {
    expect(found(json)).toBe(pointer);
  });

  test.each([
    "{}",
    "[]",
    '"a"',
    "1",
    '{"a":"a"}',
    '{"a":{"a":{"a":1}},"b":{"a":2}}',
    '[{"a":1},{"a":1}]',
    '{"a":["a","a"],"b":"a,\\"a\\":1"}',
    '{"A":1,"a":2}',
  ])("is not found in %s", (json) => {
    expect(found(json)).toBeUndefined();
  });

  test("is never found in JSON's own output, and always after one was inserted", () => {
    const values = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { minKeys: 1, maxKeys: 5 });
    fc.assert(
      fc.property(values, fc.nat(), (object, pick) => {
        const json = JSON.stringify(object);
        expect(found(json)).toBeUndefined();
        const names = Object.keys(object);
        const name = names[pick % names.length] ?? "";
        expect(found(`${json.slice(0, -1)},${JSON.stringify(name)}:null}`)).toBe(jsonPointer([name]));
      }),
    );
  });

  test("is found deeper than the levels that are counted", () => {
    const within = 1_000;
    expect(found(`${"[".repeat(within)}{"a":1,"a":2}${"]".repeat(within)}`)).toBe(`${"/0".repeat(within)}/a`);
  });

  test("is searched without recursion in a text of a million brackets", () => {
    const deep = 1_000_000;
    expect(found(`${"[".repeat(deep)}${"]".repeat(deep)}`)).toBeUndefined();
  });
});
