import type { Tier } from "@procedo-testing/tiers/tier";

export { tierOf, type Tier } from "@procedo-testing/tiers/tier";

/** A group of proofs, as `prove` runs it. */
export interface ProofGroup {
  /** As in the test plan: `sim-faults`, `crash-repeated`. */
  readonly id: string;
  readonly title: string;
  /** In which tier less is tried than the test plan asks for, and why. @defaultValue nowhere */
  readonly lowered?: { readonly [tier in Tier]?: string };
  /** Whether the seed decides what is tried; if not, a failure names the seed that it came from. @defaultValue true */
  readonly isSeeded?: boolean;
  run(options: ProofOptions): Promise<ProofResult>;
}

export interface ProofOptions {
  readonly tier: Tier;
  /** The first seed; the same seed proves the same again. */
  readonly seed: number;
  /** How many seeds instead of the tier's own number. */
  readonly seeds?: number | undefined;
  /** Takes a line of progress. */
  report(line: string): void;
}

export interface ProofResult {
  readonly counts: Readonly<Record<string, number>>;
  /** Each says what was broken, and how it is found again; none when the proof holds. */
  readonly failures: readonly string[];
  /** What was proven on, beside the machine: `Postgres` and its version. @defaultValue nothing else */
  readonly on?: Readonly<Record<string, string>>;
}

/** The number for a tier. */
export function forTier(tier: Tier, numbers: { readonly [tier in Tier]: number }): number {
  return numbers[tier];
}
