import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

/** The repository's root folder. */
export const root = dirname(import.meta.dirname);

/** What the house reads of a package.json. */
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

/** A folder of the workspace that has a package.json. */
export interface WorkspacePackage {
  /** Absolute path. */
  readonly folder: string;
  /** Path from the root, as in `packages/engine`. */
  readonly path: string;
  readonly manifest: Manifest;
}

/** The packages under `packages/`, by name. */
export function libraryPackages(): readonly WorkspacePackage[] {
  return packagesUnder("packages");
}

/** The packages that are published: those under `packages/` that are not private. */
export function publishedPackages(): readonly WorkspacePackage[] {
  return libraryPackages().filter(({ manifest }) => manifest.private !== true);
}

/** Every package of the workspace: libraries, examples, benchmarks and proof. */
export function workspacePackages(): readonly WorkspacePackage[] {
  return [...libraryPackages(), ...packagesUnder("examples"), ...["benchmarks", "proof"].flatMap(readPackage)];
}

/** The names of the examples that `pnpm example` runs: those with a `src/main.ts`. */
export function exampleNames(): readonly string[] {
  return folders("examples").filter((name) => existsSync(join(root, "examples", name, "src/main.ts")));
}

/** Whether an example is a service, which runs until it is stopped: its package.json has a `start` script. */
export function isService(name: string): boolean {
  return readPackage(`examples/${name}`).some(({ manifest }) => manifest.scripts?.["start"] !== undefined);
}

/** Where an example runs: an empty folder, so that it starts afresh, and what it leaves can be looked at afterwards. */
export function exampleFolder(name: string): string {
  const folder = join(root, ".procedo/examples", name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** The entry points of a package as import specifiers with the path of their source: `@procedo/storage/conformance`. */
export function entryPoints({ folder, manifest }: WorkspacePackage): readonly { specifier: string; source: string }[] {
  return Object.entries(manifest.exports ?? {}).flatMap(([subpath, target]) => {
    if (typeof target === "string") return [];
    const source = target["@procedo/source"];
    return source === undefined ? [] : [{ specifier: manifest.name + subpath.slice(1), source: join(folder, source) }];
  });
}

/** The JSON files that a package exports, as import specifiers: `@procedo/contract/procedure.schema.json`. */
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
