import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { nextVersion, nodeMutations } from "../nodes/node-mutations.ts";
import { changeMutations } from "../service/change-mutations.ts";
import { accessMutations } from "./access-mutations.ts";
import { agentMutations } from "./agent-mutations.ts";
import { missingNames } from "./missing-names.ts";
import { applyEdit } from "./mutation.ts";
import { mutations } from "./mutations.ts";
import { postgresMutations } from "./postgres-mutations.ts";
import { triggerMutations } from "./trigger-mutations.ts";

const inOneProcess = [...mutations, ...triggerMutations, ...postgresMutations, ...agentMutations, ...accessMutations];
const all = [...inOneProcess, ...nodeMutations, ...changeMutations, nextVersion];
const missingNamesOf = missingNames(all);

const packages = new URL("../../packages/", import.meta.url);

test.each(all)("the bug “$name” can be applied to the current product", ({ edits }) => {
  for (const edit of edits) {
    const source = readFileSync(new URL(edit.file, packages), "utf8");
    expect(applyEdit(source, edit)).not.toBe(source);
  }
});

test.each(all)("the bug “$name” uses no name that the product does not have", (bug) => {
  expect(missingNamesOf(bug)).toEqual([]);
});

test("a name that the product does not have is found", () => {
  const [bug] = mutations;
  const [edit] = bug?.edits ?? [];
  if (edit === undefined) throw new Error("There is no bug.");
  const broken = { name: "broken", edits: [{ ...edit, replace: "elsewhereOnly();" }] };
  expect(missingNamesOf(broken)).toContain("Cannot find name 'elsewhereOnly'.");
});

test("a bug is refused if its text is missing or occurs twice", () => {
  const edit = { file: "a.ts", search: "x", replace: "y" };
  expect(() => applyEdit("", edit)).toThrow("occurs 0 times");
  expect(() => applyEdit("x x", edit)).toThrow("occurs 2 times");
});

test.each([
  ["in one process", inOneProcess],
  ["of several nodes", nodeMutations],
  ["in live changes", changeMutations],
])("each bug %s has a unique name", (_where, bugs) => {
  expect(new Set(bugs.map(({ name }) => name)).size).toBe(bugs.length);
});
