import type { ProcedureNode } from "@procedo/contract";
import { expect, test } from "vitest";
import { fieldWords } from "./field-words.ts";

const condition: ProcedureNode = {
  id: "size",
  kind: "condition",
  branches: [{ name: "large", when: "" }, { name: "" }],
  otherwise: "small",
};
const call: ProcedureNode = { id: "pay", kind: "tool_call", connection: "bank", action: "pay" };

test("a place is told in the labels of its fields", () => {
  expect(fieldWords(condition, "/branches/0/when")).toBe("Branch large › Expression");
  expect(fieldWords(condition, "/branches/1/name")).toBe("Branch 2 › Name");
  expect(fieldWords(call, "/guards/0/check")).toBe("Guard 1 › Has to be true");
  expect(fieldWords(call, "/review/reviewers/roles")).toBe("Reviewers of the call › Reviewers › Roles");
  expect(fieldWords(call, "")).toBe("");
});

test("members of a template keep their own names, also those of a field or with a slash", () => {
  expect(fieldWords(call, "/arguments/when/0/a~1b")).toBe("Arguments › when › 0 › a/b");
  expect(fieldWords(call, "/constructor")).toBe("constructor");
});
