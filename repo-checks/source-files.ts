import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../scripts/workspace.ts";

/** A hand-written TypeScript file of the repository. */
export interface SourceFile {
  /** Path from the root with forward slashes. */
  readonly path: string;
  readonly text: string;
}

const everywhere = [
  ...["packages", "examples", "benchmarks", "reliability", "testing"],
  ...["repo-checks", "scripts", "shared-suite"],
];
const skipped = new Set(["node_modules", "dist", ".turbo"]);

/** All TypeScript files below the given folders; by default all of the repository, its root included. */
export function sourceFiles(under: readonly string[] = [...everywhere, "*.ts"]): readonly SourceFile[] {
  const patterns = under.map((folder) => (folder.endsWith(".ts") ? folder : `${folder}/**/*.ts`));
  return globSync(patterns, { cwd: root, exclude: (name) => skipped.has(name.split("/").at(-1) ?? name) })
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

/** Whether a path is a test, a type test or a fixture of tests. */
export function isTest(path: string): boolean {
  return /\.(test|test-d|fixture)\.ts$/.test(path) || /^packages\/[^/]+\/test\//.test(path);
}
