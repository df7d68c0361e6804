import { expect, test } from "vitest";
import { durationOptions, durationWords } from "./duration-words.ts";

test.each([
  ["PT24H", "24 hours"],
  ["P7D", "7 days"],
  ["P1W", "1 week"],
  ["PT1H30M", "1 hour 30 minutes"],
  ["PT90S", "90 seconds"],
  ["nonsense", "nonsense"],
  ["PT0S", "PT0S"],
])("%s is %s", (iso, words) => {
  expect(durationWords(iso)).toBe(words);
});

test("a duration that is not offered stays a choice", () => {
  expect(durationOptions(["PT0S", "PT5M"], "PT7M", "None")).toEqual([
    { value: "PT0S", label: "None" },
    { value: "PT5M", label: "5 minutes" },
    { value: "PT7M", label: "7 minutes" },
  ]);
});
