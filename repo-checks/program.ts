import { join } from "node:path";
import ts from "typescript";
import { root } from "../scripts/workspace.ts";

/** The repository's compiler options, the same as those of `pnpm types`. */
export function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), (path) => ts.sys.readFile(path)) as {
    config: unknown;
  };
  return ts.parseJsonConfigFileContent(config, ts.sys, root).options;
}

/** A program over files on disk and additional files, by absolute path, that exist only in memory. */
export function createProgram(
  paths: readonly string[],
  virtual: ReadonlyMap<string, string> = new Map(),
  options: ts.CompilerOptions = compilerOptions(),
): ts.Program {
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists, getSourceFile } = host;
  host.readFile = (path) => virtual.get(path) ?? readFile.call(host, path);
  host.fileExists = (path) => virtual.has(path) || fileExists.call(host, path);
  host.getSourceFile = (path, ...rest) => {
    const text = virtual.get(path);
    return text === undefined
      ? getSourceFile.call(host, path, ...rest)
      : ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  };
  return ts.createProgram([...paths, ...virtual.keys()], options, host);
}
