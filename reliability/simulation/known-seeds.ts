import { readFileSync, writeFileSync } from "node:fs";
import { optionsOf, type SimulationOptions } from "./options.ts";

/** A seed that once found something; it is run first, for ever. */
export interface KnownSeed {
  readonly seed: number;
  /** What it found. */
  readonly found: string;
  /** What the seed meant then, in full: later versions expand a seed differently. */
  readonly options: SimulationOptions;
}

const file = new URL("../seeds.json", import.meta.url);

export function readKnownSeeds(): readonly KnownSeed[] {
  return JSON.parse(readFileSync(file, "utf8")) as KnownSeed[];
}

/** Keeps a seed with all its options, unless it is kept already. */
export function keepSeed(seed: number, found: string): void {
  const known = readKnownSeeds();
  if (known.some((kept) => kept.seed === seed)) return;
  const all = [...known, { seed, found, options: optionsOf(seed) }];
  writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`);
}
