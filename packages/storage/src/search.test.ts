import { expect, it } from "vitest";
import { afterPrefix } from "./search.ts";

const inOrder = (a: string, b: string): boolean => Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;

it.each<[prefix: string, after: string | undefined]>([
  ["INV-1", "INV-2"],
  ["a%", "a&"],
  ["a\u{d7ff}", "a\u{e000}"],
  ["a\u{ffff}", "a\u{10000}"],
  ["a😀", "a😁"],
  ["a\u{10ffff}", "b"],
  ["a\u{10ffff}\u{10ffff}", "b"],
  ["\u{10ffff}", undefined],
  ["", undefined],
])("the first text after all that begin with %j is %j", (prefix, after) => {
  expect(afterPrefix(prefix)).toBe(after);
  if (after === undefined) return;
  expect(after.isWellFormed()).toBe(true);
  for (const text of [prefix, `${prefix}\u{10ffff}\u{10ffff}`]) expect(inOrder(text, after)).toBe(true);
});
