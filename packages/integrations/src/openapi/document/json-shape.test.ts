import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { membersAtMost, shapeOfJson, valuesAtMost } from "./json-shape.ts";

describe("the quick scan of a JSON text", () => {
  const texts = fc
    .tuple(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 2, "\t"))
    .map(([value, space]) => JSON.stringify(value, undefined, space));

  it("never counts too few members or values", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { members, values } = shapeOfJson(text, 200);
        expect(membersAtMost(text)).toBeGreaterThanOrEqual(members);
        expect(valuesAtMost(text, Number.POSITIVE_INFINITY)).toBeGreaterThanOrEqual(values);
      }),
    );
  });

  it.each([
    ['{"a":1,"b" :{"c"\n:[{"d":2}]}}', 4],
    ['{"time: 12:30":"http://x","\\\\":"a\\":b"}', 2],
    ['{"a\\\\\\"":1}', 1],
  ])("counts the members of %s, but not colons within texts", (text, members) => {
    expect(membersAtMost(text)).toBe(members);
    expect(shapeOfJson(text, 200).members).toBe(members);
  });

  it("counts too many rather than too few when a text begins with a colon", () => {
    expect(membersAtMost('{"a":":"}')).toBe(2);
  });

  it("stops counting values at the limit", () => {
    expect(valuesAtMost("[,,,,,,,,,,,,,,]", 5)).toBe(6);
  });
});
