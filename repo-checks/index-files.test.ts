import { relative } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { entryPoints, libraryPackages, root } from "../scripts/workspace.ts";
import { sourceFiles } from "./source-files.ts";

const entries = new Set(
  libraryPackages().flatMap((one) => entryPoints(one).map(({ source }) => relative(root, source))),
);
const indexFiles = sourceFiles(["packages", "examples"]).filter(
  ({ path }) => path.endsWith("/index.ts") || entries.has(path),
);

test("every declared entry point exists", () => {
  expect([...entries].filter((path) => !indexFiles.some((file) => file.path === path))).toEqual([]);
});

test("index files consist of explicit named exports and nothing else", () => {
  expect(indexFiles.flatMap(({ path, text }) => surprises(path, text))).toEqual([]);
});

test("a star, a declaration and a side effect in an index file are found", () => {
  const text =
    'export * from "./a.ts";\nexport * as b from "./b.ts";\nexport const c = 1;\nimport "./d.ts";\nexport { e } from "./e.ts";\n';
  expect(surprises("index.ts", text)).toHaveLength(4);
});

function surprises(path: string, text: string): readonly string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  return file.statements
    .filter(
      (it) => !(ts.isExportDeclaration(it) && it.exportClause !== undefined && ts.isNamedExports(it.exportClause)),
    )
    .map((it) => `${path}: ${it.getText(file).split("\n")[0] ?? ""}`);
}
