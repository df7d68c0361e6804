import ts from "typescript";
import { isTest, type SourceFile } from "./source-files.ts";

/**
 * The allowed arrows between packages: each may use the packages that it names and, through them, all packages below.
 */
export const arrows: Readonly<Record<string, readonly string[]>> = {
  "@procedo/contract": [],
  "@procedo/webhooks": [],
  "@procedo/private-connection": ["@procedo/contract"],
  "@procedo/client": ["@procedo/contract"],
  "@procedo/procedure": ["@procedo/contract"],
  "@procedo/storage": ["@procedo/contract"],
  "@procedo/storage-sqlite": ["@procedo/storage"],
  "@procedo/storage-postgres": ["@procedo/storage"],
  "@procedo/engine": ["@procedo/storage", "@procedo/procedure", "@procedo/contract", "@procedo/webhooks"],
  "@procedo/integrations": ["@procedo/engine"],
  "@procedo/http": ["@procedo/engine"],
  "@procedo/dashboard": ["@procedo/procedure", "@procedo/contract", "@procedo/webhooks"],
  "@procedo/server": [
    "@procedo/dashboard",
    "@procedo/http",
    "@procedo/integrations",
    "@procedo/storage-sqlite",
    "@procedo/storage-postgres",
    "@procedo/client",
    "@procedo/private-connection",
  ],
};

/** All packages below the given one. */
export function below(name: string): ReadonlySet<string> {
  const reached = new Set<string>();
  const visit = (from: string): void => {
    for (const target of arrows[from] ?? []) {
      if (reached.has(target)) continue;
      reached.add(target);
      visit(target);
    }
  };
  visit(name);
  return reached;
}

/** The module specifiers that a file imports or re-exports, types and dynamic imports included. */
export function importsOf(text: string): readonly string[] {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
}

/** The imports by which sources of a package load that package by its name, past the rules for its modules. */
export function selfImports(name: string, files: readonly SourceFile[]): readonly string[] {
  return files
    .filter(({ path }) => /^packages\/[^/]+\/src\//.test(path) && !isTest(path))
    .flatMap(({ path, text }) =>
      importsOf(text)
        .filter((specifier) => packageOf(specifier) === name)
        .map((specifier) => `${path} imports ${specifier}`),
    );
}

/** The package of a bare specifier: `@procedo/storage/conformance` belongs to `@procedo/storage`. */
export function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

/** Returns the packages of a cycle in order, or `undefined` if the graph has none. */
export function findCycle(graph: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const done = new Set<string>();
  const visit = (name: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name];
    if (done.has(name)) return undefined;
    for (const target of graph.get(name) ?? []) {
      const cycle = visit(target, [...path, name]);
      if (cycle !== undefined) return cycle;
    }
    done.add(name);
    return undefined;
  };
  for (const name of graph.keys()) {
    const cycle = visit(name, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}
