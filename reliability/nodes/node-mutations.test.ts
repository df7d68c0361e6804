import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { applyEdit } from "../mutations/mutation.ts";
import { nextVersion, nodeMutations } from "./node-mutations.ts";

test.each([...nodeMutations, nextVersion])('the product still contains the place of the bug "$name"', ({ edits }) => {
  for (const edit of edits) {
    const source = readFileSync(join(import.meta.dirname, "../../packages", edit.file), "utf8");
    expect(applyEdit(source, edit)).not.toBe(source);
  }
});
