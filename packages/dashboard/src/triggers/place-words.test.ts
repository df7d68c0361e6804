import { expect, test } from "vitest";
import { placeWords } from "./place-words.ts";

test.each([
  ["/input/amount", "is missing", "The input amount is missing."],
  ["/data/lines/0/a~1b", "must be text.", "The input lines › 0 › a/b must be text."],
  ["/when", "is no condition", "The condition is no condition."],
  ["/overlap", "contradicts the rest", "overlap contradicts the rest."],
  ["", "Nothing fits.", "Nothing fits."],
])("a fault at %j is told as a sentence", (path, message, sentence) => {
  expect(placeWords(path, message)).toBe(sentence);
});
