import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";
import type { Manifest } from "../scripts/workspace.ts";
import { entryPoints, libraryPackages, root, workspacePackages } from "../scripts/workspace.ts";
import rootManifest from "../package.json" with { type: "json" };
import { arrows, below, findCycle, importsOf, packageOf, selfImports } from "./arrows.ts";
import { dashboardRoot, moduleOf } from "./module-arrows.ts";
import { isTest, sourceFiles } from "./source-files.ts";

const isOurs = (name: string): boolean => name.startsWith("@procedo/");
const declared = (manifest: Manifest): readonly string[] => [
  ...runtimeDependencies(manifest),
  ...keys(manifest.devDependencies),
];
const runtimeDependencies = (manifest: Manifest): readonly string[] => [
  ...keys(manifest.dependencies),
  ...keys(manifest.peerDependencies),
  ...keys(manifest.optionalDependencies),
];
const keys = (record: Readonly<Record<string, string>> | undefined): readonly string[] => Object.keys(record ?? {});

const libraries = libraryPackages();
const specifiers = new Set(libraries.flatMap((library) => entryPoints(library).map(({ specifier }) => specifier)));
const toolbox = new Set(Object.keys(rootManifest.devDependencies));

describe.each(libraries.map((library) => [library.manifest.name, library] as const))("%s", (name, library) => {
  const allowed = below(name);
  const files = sourceFiles([library.path]);

  test("has a place in the table of arrows", () => {
    expect(Object.keys(arrows)).toContain(name);
  });

  test("depends only on packages below it, dev dependencies included", () => {
    expect(declared(library.manifest).filter((dependency) => isOurs(dependency) && !allowed.has(dependency))).toEqual(
      [],
    );
  });

  test("imports only packages below it, tests included", () => {
    const upward = files.flatMap(({ path, text }) =>
      importsOf(text)
        .filter((specifier) => isOurs(specifier) && packageOf(specifier) !== name && !allowed.has(packageOf(specifier)))
        .map((specifier) => `${path} imports ${specifier}`),
    );
    expect(upward).toEqual([]);
  });

  test("imports its own modules by path, tests excepted", () => {
    expect(selfImports(name, files)).toEqual([]);
  });

  test("declares its imports: sources as dependencies, tests also as dev dependencies", () => {
    const undeclared = files.flatMap(({ path, text }) => {
      // Files of a web page are bundled, so that the package does not depend on what they import.
      const isBundled = name === "@procedo/dashboard" && !["index", "site"].includes(moduleOf(path, dashboardRoot));
      const forTests = isBundled || isTest(path) || !path.startsWith(`${library.path}/src/`);
      const known = new Set<string>([
        name,
        ...(forTests ? declared(library.manifest) : runtimeDependencies(library.manifest)),
      ]);
      return importsOf(text)
        .filter((specifier) => !specifier.startsWith(".") && !isBuiltin(specifier))
        .filter((specifier) => !known.has(packageOf(specifier)) && !(forTests && toolbox.has(packageOf(specifier))))
        .map((specifier) => `${path} imports ${specifier}`);
    });
    expect(undeclared).toEqual([]);
  });

  test("declares no dependency that it does not import", () => {
    const imported = new Set(files.flatMap(({ text }) => importsOf(text)).map(packageOf));
    const dependencies = runtimeDependencies(library.manifest);
    const byDependencies = new Set(
      dependencies.flatMap((dependency) => keys(installedManifest(library.path, dependency).dependencies)),
    );
    // Types of an untyped package are needed if the types of an imported package, or of its imports, refer to them.
    const used = (dependency: string): boolean => {
      const typed = dependency.replace(/^@types\//, "");
      return imported.has(typed) || (typed !== dependency && byDependencies.has(typed));
    };
    expect(dependencies.filter((dependency) => !used(dependency))).toEqual([]);
  });
});

test("the importer of OpenAPI documents loads no whole package, because each document has a thread of its own", () => {
  const importer = sourceFiles(["packages/integrations/src/openapi"]).filter(
    ({ path }) => !/\.(test|fixture)\./.test(path),
  );
  const loaded = importer.flatMap(({ path, text }) =>
    [...text.matchAll(/^(?:import|export) (?!type )[^;]*? from "(@procedo\/[^/"]+)";$/gm)].map(
      ([, name]) => `${path} loads ${name}`,
    ),
  );
  expect(importer.length).toBeGreaterThan(50);
  expect(loaded).toEqual([]);
});

test("@procedo/contract/syntax loads no package, so that a worker thread can import it without the schemas", () => {
  const files = new Set(["packages/contract/src/syntax.ts"]);
  const packages = new Set<string>();
  for (const path of files) {
    for (const specifier of importsOf(readFileSync(join(root, path), "utf8"))) {
      if (specifier.startsWith(".")) files.add(join(dirname(path), specifier));
      else packages.add(specifier);
    }
  }
  expect(files.size).toBeGreaterThan(4);
  expect([...packages]).toEqual([]);
});

test("no file reaches into another package past its entry points", () => {
  // reliability/ is excluded on purpose: it tests the internals of the packages.
  const intruders = sourceFiles(["packages", "examples", "benchmarks"]).flatMap(({ path, text }) => {
    const home = path
      .split("/")
      .slice(0, path.startsWith("packages/") || path.startsWith("examples/") ? 2 : 1)
      .join("/");
    return importsOf(text)
      .filter((specifier) => {
        if (specifier.startsWith(".")) return leaves(home, path, specifier);
        return libraries.some(({ manifest }) => manifest.name === packageOf(specifier)) && !specifiers.has(specifier);
      })
      .map((specifier) => `${path} imports ${specifier}`);
  });
  expect(intruders).toEqual([]);
});

test("the workspace's packages form no cycle, dev dependencies included", () => {
  const graph = new Map(workspacePackages().map(({ manifest }) => [manifest.name, declared(manifest).filter(isOurs)]));
  expect(findCycle(graph)).toBeUndefined();
});

test("the table of arrows itself forms no cycle", () => {
  expect(findCycle(new Map(Object.entries(arrows)))).toBeUndefined();
});

test("a source that imports its own package is found, also below a subpath", () => {
  const texts = {
    "packages/engine/src/runs/a.ts": 'import { createEngine } from "@procedo/engine";',
    "packages/engine/src/runs/b.ts": 'import type { z } from "@procedo/engine/testing";',
    "packages/engine/src/runs/c.ts": 'import type { Run } from "@procedo/contract";',
    "packages/engine/src/runs/d.test-d.ts": 'import { createEngine } from "@procedo/engine";',
    "packages/engine/test/e.ts": 'import { createEngine } from "@procedo/engine";',
  };
  const files = Object.entries(texts).map(([path, text]) => ({ path, text }));
  expect(selfImports("@procedo/engine", files)).toEqual([
    "packages/engine/src/runs/a.ts imports @procedo/engine",
    "packages/engine/src/runs/b.ts imports @procedo/engine/testing",
  ]);
});

test("a cycle is found and named", () => {
  const graph = new Map([
    ["a", ["b"]],
    ["b", ["c"]],
    ["c", ["b"]],
  ]);
  expect(findCycle(graph)).toEqual(["b", "c", "b"]);
});

function installedManifest(path: string, dependency: string): Manifest {
  return JSON.parse(readFileSync(join(root, path, "node_modules", dependency, "package.json"), "utf8")) as Manifest;
}

function leaves(home: string, path: string, specifier: string): boolean {
  return !normalize(join(root, dirname(path), specifier)).startsWith(join(root, home) + "/");
}
