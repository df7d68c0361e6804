import type { Tier } from "@procedo-testing/tiers/tier";

export { tierOf, type Tier } from "@procedo-testing/tiers/tier";

/** A group of proofs, as `prove` runs it. */
export interface ProofGroup {
  /** Words, such as `sim-faults` or `crash-repeated`. */
  readonly id: string;
  readonly title: string;
  /** The tiers that try less than the test plan requires, with the reasons. @defaultValue none */
  readonly lowered?: { readonly [tier in Tier]?: string };
  /** Whether the seed determines the cases; otherwise a failure names its own seed. @defaultValue true */
  readonly isSeeded?: boolean;
  run(options: ProofOptions): Promise<ProofResult>;
}

export interface ProofOptions {
  readonly tier: Tier;
  /** The first seed. The same seed repeats the same proof. */
  readonly seed: number;
  /** The number of seeds, in place of the tier's. */
  readonly seeds?: number | undefined;
  /** Prints a line of progress. */
  report(line: string): void;
}

export interface ProofResult {
  readonly counts: Readonly<Record<string, number>>;
  /** One message per broken promise, with the way to repeat it; empty if the proof holds. */
  readonly failures: readonly string[];
  /** The versions of other software, such as Postgres. @defaultValue none */
  readonly on?: Readonly<Record<string, string>>;
}

/** Returns a tier's number. */
export function forTier(tier: Tier, numbers: { readonly [tier in Tier]: number }): number {
  return numbers[tier];
}
