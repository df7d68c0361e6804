import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { repeatedName } from "./repeated-name.ts";

describe("a name that an object has twice", () => {
  test.each([
    ['{"a":1,"a":2}', "a"],
    ['{"to":"acme","amount":1,"to":"mallory"}', "to"],
    ['{"a":1,"\\u0061":2}', "a"],
    ['{"x":[{"a":{"b":1,"b":1}}]}', "b"],
    ['{"a":{"a":1},"a":{}}', "a"],
    ['{"a":"\\"","a":1}', "a"],
    ['{"a":"\\\\","a":1}', "a"],
    ['{"":1,"":2}', ""],
    ['{ "a" : [ ] , "b" : {} , "a" : null }', "a"],
    ['{"__proto__":1,"__proto__":2}', "__proto__"],
  ])("is found in %s", (json, name) => {
    expect(repeatedName(json)).toBe(name);
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
    expect(repeatedName(json)).toBeUndefined();
  });

  test("is never found in what JSON itself writes, and always once one was put in twice", () => {
    const values = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { minKeys: 1, maxKeys: 5 });
    fc.assert(
      fc.property(values, fc.nat(), (object, pick) => {
        const json = JSON.stringify(object);
        expect(repeatedName(json)).toBeUndefined();
        const names = Object.keys(object);
        const name = names[pick % names.length] ?? "";
        expect(repeatedName(`${json.slice(0, -1)},${JSON.stringify(name)}:null}`)).toBe(name);
      }),
    );
  });

  test("costs a text of a million brackets no stack", () => {
    const deep = 1_000_000;
    expect(repeatedName(`${"[".repeat(deep)}${"]".repeat(deep)}`)).toBeUndefined();
  });
});
