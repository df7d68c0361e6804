/** How much is run: with each commit, each night, before a release. */
export type Tier = "commit" | "nightly" | "release";

/** A group of proofs, as `prove` runs it. */
export interface CrashGroup {
  readonly id: string;
  readonly title: string;
  run(options: CrashGroupOptions): Promise<CrashGroupResult>;
}

export interface CrashGroupOptions {
  readonly tier: Tier;
  readonly seed: number;
  /** Takes a line of progress. */
  report(line: string): void;
}

export interface CrashGroupResult {
  readonly counts: Readonly<Record<string, number>>;
  /** Each says what was broken, and how it is found again. */
  readonly failures: readonly string[];
}
