/** How much is run: with each commit, each night, before a release. */
export type Tier = "commit" | "nightly" | "release";

/** A group of proofs, as `prove` runs it. */
export interface ProofGroup {
  /** As in the test plan: `M-01`, `D-03`. */
  readonly id: string;
  readonly title: string;
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
}

/** The number for a tier. */
export function forTier(tier: Tier, numbers: { readonly [tier in Tier]: number }): number {
  return numbers[tier];
}
