import process from "node:process";

/** Set where `prove --built` was asked for; children of children inherit it. */
const variable = "PROCEDO_PROVE_BUILT";

/** From now on the processes that proofs start run the packages as they are built. */
export function proveBuilt(): void {
  process.env[variable] = "1";
}

export interface PackageUse {
  /** Loaded before the packages; what it changes is their source. @defaultValue nothing */
  readonly preload?: readonly string[];
  /** The process loads modules that a package does not export. @defaultValue false */
  readonly looksInside?: boolean;
}

/**
 * Node's flags for a process that a proof starts: it runs the packages from source or, as proofs of a build do, from `dist`,
 * which loads a fifth sooner.
 */
export function packageFlags({ preload = [], looksInside = false }: PackageUse = {}): string[] {
  const isBuilt = process.env[variable] !== undefined && preload.length === 0 && !looksInside;
  const condition = isBuilt ? [] : ["--conditions=@procedo/source"];
  return [...condition, ...preload.flatMap((file) => ["--import", file])];
}
