import { basename, join } from "node:path";
import ts from "typescript";
import type { WorkspacePackage } from "./workspace.ts";
import { entryPoints, root } from "./workspace.ts";

/** Path of the checked-in list of a package's exported names. */
export function exportsFile({ path }: WorkspacePackage): string {
  return join(root, "repo-checks/exports", `${basename(path)}.txt`);
}

/** Lists the exported names of each package as readable text, in the given order. */
export function exportedNames(packages: readonly WorkspacePackage[]): readonly string[] {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), (path) => ts.sys.readFile(path)) as {
    config: unknown;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const sources = packages.flatMap((one) => entryPoints(one).map(({ source }) => source));
  const program = ts.createProgram(sources, options);
  return packages.map((one) =>
    entryPoints(one)
      .map(({ specifier, source }) => `${specifier}\n${listExports(program, source).join("")}`)
      .join("\n"),
  );
}

function listExports(program: ts.Program, source: string): readonly string[] {
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(source);
  const module = file && checker.getSymbolAtLocation(file);
  if (module === undefined) return [];
  return checker
    .getExportsOfModule(module)
    .map((symbol) => `  ${kindOf(checker, symbol).padEnd(11)} ${symbol.name}\n`)
    .sort();
}

function kindOf(checker: ts.TypeChecker, symbol: ts.Symbol): string {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const typeOnly = symbol.declarations?.some(ts.isTypeOnlyExportDeclaration) ?? false;
  const isValue = !typeOnly && (target.flags & ts.SymbolFlags.Value) !== 0;
  const isType = (target.flags & ts.SymbolFlags.Type) !== 0;
  if (isValue && isType) return target.flags & ts.SymbolFlags.Class ? "class" : "value, type";
  return isValue ? "value" : "type";
}
