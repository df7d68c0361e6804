import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { agentMutations } from "./agent-mutations.ts";
import { applyEdit } from "./mutation.ts";
import { mutations } from "./mutations.ts";
import { postgresMutations } from "./postgres-mutations.ts";

const all = [...mutations, ...postgresMutations, ...agentMutations];

const packages = new URL("../../packages/", import.meta.url);

test.each(all)("the bug “$name” can be applied to the current product", ({ edits }) => {
  for (const edit of edits) {
    const source = readFileSync(new URL(edit.file, packages), "utf8");
    expect(applyEdit(source, edit)).not.toBe(source);
  }
});

test("a bug is refused if its text is missing or occurs twice", () => {
  const edit = { file: "a.ts", search: "x", replace: "y" };
  expect(() => applyEdit("", edit)).toThrow("occurs 0 times");
  expect(() => applyEdit("x x", edit)).toThrow("occurs 2 times");
});

test("each bug has a unique name", () => {
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
});
