import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";
import { findCycle, importsOf } from "./arrows.ts";
import { isTest, sourceFiles, type SourceFile } from "./source-files.ts";

test("no files of a package import each other in a cycle, types included", () => {
  const files = sourceFiles(["packages"]).filter(({ path }) => /^packages\/[^/]+\/src\//.test(path) && !isTest(path));
  expect(findCycle(importGraph(files))).toBeUndefined();
});

test("a cycle of type imports is found", () => {
  const files = [
    { path: "src/a.ts", text: 'import { b } from "./inner/b.ts";\n' },
    { path: "src/inner/b.ts", text: 'import type { A } from "../a.ts";\n' },
  ];
  expect(findCycle(importGraph(files))).toEqual(["src/a.ts", "src/inner/b.ts", "src/a.ts"]);
});

function importGraph(files: readonly SourceFile[]): ReadonlyMap<string, readonly string[]> {
  return new Map(
    files.map(({ path, text }) => [
      path,
      importsOf(text)
        .filter((specifier) => specifier.startsWith("."))
        .map((specifier) => normalize(join(dirname(path), specifier))),
    ]),
  );
}
