import { expect, test } from "vitest";
import { readReference, undocumentedExports, undocumentedMembers } from "../scripts/reference.ts";

test("every exported symbol and its members have a docstring, and the links resolve", async () => {
  const { project, warnings } = await readReference();
  expect(undocumentedExports(project)).toEqual([]);
  expect(undocumentedMembers(project)).toEqual([]);
  expect(warnings).toEqual([]);
});
