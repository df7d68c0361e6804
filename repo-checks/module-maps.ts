import { isTest, type SourceFile } from "./source-files.ts";

/** A comment that lists the files of a module, each with its purpose. */
const mapComment = /^\/\*\n(?: \*.*\n)*? \* {3}[a-z-]+(?:\.ts|\/).*\n(?: \*.*\n)*? \*\/$/gm;
const namedFile = /(?:[a-z-]+\/)*[a-z-]+\.ts\b/g;

/**
 * The faults of the maps of modules, each as a sentence: a module of several files without a map, a file that no map of
 * its module names, and a name without a file.
 *
 * @param root the folder of the modules, with a slash at its end
 */
export function mapFaults(files: readonly SourceFile[], root: string): readonly string[] {
  const modules = new Map<string, SourceFile[]>();
  for (const file of files) {
    const [module = "", ...rest] = file.path.slice(root.length).split("/");
    if (rest.length === 0 || isTest(file.path)) continue;
    modules.set(module, [...(modules.get(module) ?? []), file]);
  }
  return [...modules].flatMap(([module, own]) => (own.length === 1 ? [] : faultsOf(`${root}${module}/`, own, files)));
}

function faultsOf(folder: string, own: readonly SourceFile[], all: readonly SourceFile[]): readonly string[] {
  const maps = own.flatMap(({ path, text }) => [...text.matchAll(mapComment)].map(([map]) => ({ path, map })));
  if (maps.length === 0) return [`${folder} has no map of its files.`];
  const names = maps.flatMap(({ path, map }) => [...map.matchAll(namedFile)].map(([name]) => ({ path, name })));
  const isNamed = (path: string): boolean => names.some(({ name }) => `/${path}`.endsWith(`/${name}`));
  const holders = new Set(maps.map(({ path }) => path));
  return [
    ...own
      .filter(({ path }) => !holders.has(path) && !isNamed(path))
      .map(({ path }) => `${path} is not in the map of ${folder}.`),
    ...names
      .filter(({ name }) => !all.some(({ path }) => path.endsWith(`/${name}`)))
      .map(({ path, name }) => `${path} names ${name}, which does not exist.`),
  ];
}
