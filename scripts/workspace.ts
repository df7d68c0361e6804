import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

/** The repository's root folder. */
export const root = dirname(import.meta.dirname);

/** The fields of a package.json that the repository's scripts read. */
export interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly [field: string]: unknown;
}

/** A folder of the workspace with a package.json. */
export interface WorkspacePackage {
  /** Absolute path. */
  readonly folder: string;
  /** Path from the root, such as `packages/engine`. */
  readonly path: string;
  readonly manifest: Manifest;
}

/** The packages under `packages/`, by name. */
export function libraryPackages(): readonly WorkspacePackage[] {
  return packagesUnder("packages");
}

/** The published packages: those under `packages/` that are not private. */
export function publishedPackages(): readonly WorkspacePackage[] {
  return libraryPackages().filter(({ manifest }) => manifest.private !== true);
}

/** Every package of the workspace: libraries, examples, benchmarks and proof. */
export function workspacePackages(): readonly WorkspacePackage[] {
  return [...libraryPackages(), ...packagesUnder("examples"), ...["benchmarks", "reliability"].flatMap(readPackage)];
}

/** The names of the examples for `pnpm example`: those with a `src/main.ts`. */
export function exampleNames(): readonly string[] {
  return folders("examples").filter((name) => existsSync(join(root, "examples", name, "src/main.ts")));
}

/** Whether an example is a service that runs until stopped, marked by a `start` script in its package.json. */
export function isService(name: string): boolean {
  return readPackage(`examples/${name}`).some(({ manifest }) => manifest.scripts?.["start"] !== undefined);
}

/** Creates the working folder of an example. The folder starts empty and is kept for inspection afterwards. */
export function exampleFolder(name: string): string {
  const folder = join(root, ".procedo/examples", name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/**
 * The entry points of a package, by import specifier such as `@procedo/storage/conformance`, with their source paths.
 */
export function entryPoints({ folder, manifest }: WorkspacePackage): readonly { specifier: string; source: string }[] {
  return Object.entries(manifest.exports ?? {}).flatMap(([subpath, target]) => {
    if (typeof target === "string") return [];
    const source = target["@procedo/source"];
    return source === undefined ? [] : [{ specifier: manifest.name + subpath.slice(1), source: join(folder, source) }];
  });
}

/** The JSON files exported by a package, as import specifiers such as `@procedo/contract/procedure.schema.json`. */
export function dataFiles({ manifest }: WorkspacePackage): readonly string[] {
  const files = Object.entries(manifest.exports ?? {}).filter(([, target]) => typeof target === "string");
  return files.flatMap(([subpath]) => (subpath === "./package.json" ? [] : [manifest.name + subpath.slice(1)]));
}

function packagesUnder(parent: string): readonly WorkspacePackage[] {
  return folders(parent).flatMap((name) => readPackage(`${parent}/${name}`));
}

function readPackage(path: string): readonly WorkspacePackage[] {
  const file = join(root, path, "package.json");
  if (!existsSync(file)) return [];
  return [{ folder: join(root, path), path, manifest: JSON.parse(readFileSync(file, "utf8")) as Manifest }];
}

function folders(parent: string): readonly string[] {
  const folder = join(root, parent);
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "node_modules")
    .map((entry) => entry.name)
    .sort();
}
