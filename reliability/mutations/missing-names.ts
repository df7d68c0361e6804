import ts from "typescript";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { applyEdit, type Mutation } from "./mutation.ts";

const root = join(import.meta.dirname, "../..");

/** TypeScript's numbers for "Cannot find name", without and with a suggestion, and for a missing export. */
const codes = new Set([2304, 2552, 2305]);

/**
 * Returns a checker of seeded bugs: which names of a bug's replaced text the product does not have. Such a bug throws
 * wherever it is reached, so that any proof finds it, or waits for a run that cannot end.
 */
export function missingNames(mutations: readonly Mutation[]): (mutation: Mutation) => readonly string[] {
  const pathOf = (file: string): string => join(root, "packages", file);
  const paths = [...new Set(mutations.flatMap(({ edits }) => edits.map(({ file }) => pathOf(file))))];
  const mutated = new Map<string, string>();
  let version = 0;
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), (path) => ts.sys.readFile(path)) as {
    config: unknown;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const host: ts.LanguageServiceHost = {
    ...ts.sys,
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    getScriptFileNames: () => paths,
    getScriptVersion: (path) => (paths.includes(path) ? String(version) : "0"),
    getScriptSnapshot: (path) => {
      const text = mutated.get(path) ?? ts.sys.readFile(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCompilationSettings: () => options,
    getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
  };
  const service = ts.createLanguageService(host);

  return ({ edits }) => {
    mutated.clear();
    version += 1;
    for (const edit of edits) {
      const path = pathOf(edit.file);
      mutated.set(path, applyEdit(mutated.get(path) ?? readFileSync(path, "utf8"), edit));
    }
    return [...mutated.keys()].flatMap((path) =>
      service
        .getSemanticDiagnostics(path)
        .filter(({ code }) => codes.has(code))
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " ")),
    );
  };
}
