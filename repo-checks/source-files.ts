import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../scripts/workspace.ts";

/** A TypeScript file of the repository that is written by hand. */
export interface SourceFile {
  /** Path from the root with forward slashes. */
  readonly path: string;
  readonly text: string;
}

const everywhere = [
  ...["packages", "examples", "benchmarks", "reliability", "testing"],
  ...["repo-checks", "scripts", "shared-suite"],
];
const skipped = new Set(["node_modules", "dist", ".turbo", "schema.d.ts"]);

/** All TypeScript files below the given folders; by default all of the repository, its root included. */
export function sourceFiles(under: readonly string[] = [...everywhere, "*.ts"]): readonly SourceFile[] {
  const patterns = under.map((folder) => (folder.endsWith(".ts") ? folder : `${folder}/**/*.{ts,tsx}`));
  return globSync(patterns, { cwd: root, exclude: (name) => skipped.has(name.split("/").at(-1) ?? name) })
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

/** Whether a path is a test, a type test or a fixture of tests. */
export function isTest(path: string): boolean {
  return /\.(test|test-d|fixture)\.ts$/.test(path) || /^packages\/[^/]+\/test\//.test(path);
}
