import { readFileSync, writeFileSync } from "node:fs";
import { optionsOf, type SimulationOptions } from "./options.ts";

/** A seed that once found a fault. Known seeds always run first. */
export interface KnownSeed {
  readonly seed: number;
  /** The fault that it found. */
  readonly found: string;
  /** The complete options of the seed at that time, because later versions expand a seed differently. */
  readonly options: SimulationOptions;
}

const file = new URL("../seeds.json", import.meta.url);

export function readKnownSeeds(): readonly KnownSeed[] {
  return JSON.parse(readFileSync(file, "utf8")) as KnownSeed[];
}

/** Stores a seed with all its options, unless it is already stored. */
export function keepSeed(seed: number, found: string): void {
  const known = readKnownSeeds();
  if (known.some((kept) => kept.seed === seed)) return;
  const all = [...known, { seed, found, options: optionsOf(seed) }];
  writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`);
}
