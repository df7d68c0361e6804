import { expect, test } from "vitest";
import { readReference, undocumentedExports } from "../scripts/reference.ts";

test("every exported symbol has a docstring, and its links resolve", async () => {
  const { project, warnings } = await readReference();
  expect(undocumentedExports(project)).toEqual([]);
  expect(warnings).toEqual([]);
});
