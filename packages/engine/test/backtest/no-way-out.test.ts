import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";

const source = fileURLToPath(new URL("../../src", import.meta.url));

/** All modules that a module loads at run time, directly or indirectly, without type imports. */
function loadedBy(paths: readonly string[]): ReadonlySet<string> {
  const loaded = new Set<string>();
  const load = (path: string): void => {
    if (loaded.has(path)) return;
    loaded.add(path);
    if (!path.endsWith(".ts")) return;
    const compilerOptions = {
      module: ts.ModuleKind.ESNext,
      target: ts.ScriptTarget.ESNext,
      verbatimModuleSyntax: true,
    };
    const { outputText } = ts.transpileModule(readFileSync(path, "utf8"), { compilerOptions });
    for (const { fileName } of ts.preProcessFile(outputText, true, true).importedFiles) {
      load(fileName.startsWith(".") ? join(dirname(path), fileName) : fileName);
    }
  };
  paths.forEach(load);
  return new Set([...loaded].map((path) => (path.endsWith(".ts") ? relative(source, path) : path)));
}

/** The modules that send requests, resolve connections or write rows. */
const waysOut = [
  ...["calls/make-call.ts", "connections/resolve-connection.ts"],
  ...["runs/execute-call.ts", "runs/execute-run.ts", "runs/execution.ts", "runs/commit-row.ts"],
  ...["egress/egress.ts", "egress/guarded-fetch.ts", "egress/system-network.ts", "egress/dispatchers.ts"],
  ...["deliveries/sender.ts", "journal/journal-writer.ts"],
];

test("no module that a backtest loads can send a request, resolve a connection or write a row", () => {
  const files = readdirSync(join(source, "backtest")).filter((name) => name.endsWith(".ts"));
  const loaded = loadedBy(files.map((name) => join(source, "backtest", name)));
  expect([...waysOut, "undici"].filter((path) => loaded.has(path))).toEqual([]);
  expect(loaded).toContain("runs/perform-step.ts");
});

test("the same search finds each of these modules in the import graph of the engine", () => {
  const loaded = loadedBy([join(source, "create-engine.ts")]);
  expect([...waysOut, "undici"].filter((path) => !loaded.has(path))).toEqual([]);
});
