import process from "node:process";

/** Set by `prove --built`; inherited by all child processes. */
const variable = "PROCEDO_PROVE_BUILT";

/** From now on the processes of proofs run the built packages. */
export function proveBuilt(): void {
  process.env[variable] = "1";
}

export interface PackageUse {
  /** Modules that are loaded before the packages and change their sources. @defaultValue none */
  readonly preload?: readonly string[];
  /** Whether the process loads modules that a package does not export. @defaultValue false */
  readonly looksInside?: boolean;
}

/**
 * Node's flags for a process of a proof. It runs the packages from source or, with `--built`, from `dist`, which loads
 * in four fifths of the time.
 */
export function packageFlags({ preload = [], looksInside = false }: PackageUse = {}): string[] {
  const isBuilt = process.env[variable] !== undefined && preload.length === 0 && !looksInside;
  const condition = isBuilt ? [] : ["--conditions=@procedo/source"];
  return [...condition, ...preload.flatMap((file) => ["--import", file])];
}
