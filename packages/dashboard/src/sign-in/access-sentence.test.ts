import { expect, test } from "vitest";
import { accessSentences } from "./access-sentence.ts";

test("the same access in both environments is one sentence", () => {
  expect(accessSentences({ sandbox: ["owner", "reviewer"], live: ["reviewer", "owner"] })).toEqual([
    "In Sandbox and in Live, you can see everything, decide reviews, start runs, build procedures and invite people.",
  ]);
});

test("each environment has its own sentence, also the one without access", () => {
  expect(accessSentences({ sandbox: ["builder"], live: ["reviewer"] })).toEqual([
    "In Sandbox, you can see everything, start runs and build procedures.",
    "In Live, you can see everything and decide reviews.",
  ]);
  expect(accessSentences({ sandbox: [], live: ["viewer"] })).toEqual([
    "You have no access to Sandbox.",
    "In Live, you can see everything and change nothing.",
  ]);
});
