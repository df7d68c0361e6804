import fc from "fast-check";
import { expect, test } from "vitest";
import { isJsonText, jsonInSlices } from "./json-text.ts";

test("JSON that is made in slices is the same as in one piece", async () => {
  const object = fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue()), fc.constant(undefined)));
  await fc.assert(
    fc.asyncProperty(object, async (value) => {
      const made = await jsonInSlices(value, () => Promise.resolve());
      expect(made.json).toBe(JSON.stringify(value));
      expect(isJsonText(made)).toBe(true);
    }),
  );
});

test("others have their turn after each quarter of a megabyte", async () => {
  let pauses = 0;
  const items = Array.from({ length: 40 }, (_, index) => ({ index, text: "x".repeat(64 * 1024) }));
  await jsonInSlices({ items }, async () => void pauses++);
  expect(pauses).toBe(10);
});
