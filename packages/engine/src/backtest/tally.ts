import type { JsonObject } from "@procedo/contract";
import type { RunRow } from "@procedo/storage";
import type { BacktestDifference } from "./compare-decisions.ts";

/** The result of replaying a run with another version. */
export interface BacktestedRun {
  /** Identifier of the run. */
  readonly runId: string;
  /** The version that the run executed. */
  readonly procedureVersion: string;
  /** Time of the run's start, in milliseconds since the epoch. */
  readonly createdAtMs: number;
  /** `diverged`: the run differs, and its continuation is not in the record. */
  readonly verdict: "same" | "changed" | "diverged";
  /** The differences, in the order of the replay; empty with the verdict `same`. */
  readonly differences: readonly BacktestDifference[];
  /** The run as recorded. */
  readonly before: BacktestedEnd;
  /** The run as replayed. */
  readonly after: BacktestedEnd;
  /** The number of decisions in the replay. */
  readonly decisions: number;
  /** The number of recorded answers that were used for another request. */
  readonly reused: number;
}

/** The path and the end of a run. */
export interface BacktestedEnd {
  /** Ids of the nodes in the order of their visits. */
  readonly path: readonly string[];
  /** `undefined` if it is not in the record. */
  readonly status: RunRow["status"] | undefined;
  /** Output of a completed run. */
  readonly output?: JsonObject;
  /** Error of a failed run. */
  readonly error?: string;
}

/** A run that could not be replayed: its journal is in the archive, or cannot be read. */
export interface SkippedRun {
  readonly skipped: "archived" | "broken";
}

/** The outcome of a backtest: the number of runs by result, and every difference. */
export interface BacktestReport {
  /** The procedure whose runs were replayed. */
  readonly procedureId: string;
  /** The version that was tried. */
  readonly version: string;
  /** Number of replayed runs. */
  readonly runs: number;
  /** Number of runs that the version does not change. */
  readonly same: number;
  /** Number of runs that differ and whose replay reached its end. */
  readonly changed: number;
  /** Number of runs that differ and whose continuation is not in the record. */
  readonly diverged: number;
  /** The number of decisions in all runs together. */
  readonly decisions: number;
  /** Numbers of runs that were not replayed. */
  readonly skipped: {
    /** Runs whose journals are in the archive. */
    readonly archived: number;
    /** Runs whose journals cannot be read. */
    readonly broken: number;
  };
  /** The changes and the number of runs with each, most frequent first; at most 100 lines. */
  readonly summary: readonly {
    /** The `summary` of a difference. */
    readonly what: string;
    /** Number of runs with it. */
    readonly runs: number;
  }[];
  /** The first runs that are not the same. */
  readonly changes: readonly BacktestedRun[];
}

const mostSummaries = 100;

/** Counts runs, and keeps the first `keep` runs that are not the same. */
export class Tally {
  readonly #keep: number;
  readonly #counts = { runs: 0, same: 0, changed: 0, diverged: 0, decisions: 0 };
  readonly #skipped = { archived: 0, broken: 0 };
  readonly #summaries = new Map<string, number>();
  readonly #changes: BacktestedRun[] = [];

  constructor(keep: number) {
    this.#keep = keep;
  }

  add(run: BacktestedRun | SkippedRun): void {
    if ("skipped" in run) {
      this.#skipped[run.skipped] += 1;
      return;
    }
    this.#counts.runs += 1;
    this.#counts[run.verdict] += 1;
    this.#counts.decisions += run.decisions;
    if (run.verdict === "same") return;
    if (this.#changes.length < this.#keep) this.#changes.push(run);
    for (const what of new Set(run.differences.map(({ summary }) => summary))) {
      const known = this.#summaries.get(what);
      if (known !== undefined || this.#summaries.size < mostSummaries) this.#summaries.set(what, (known ?? 0) + 1);
    }
  }

  report(): Omit<BacktestReport, "procedureId" | "version"> {
    const summary = [...this.#summaries].map(([what, runs]) => ({ what, runs })).sort((a, b) => b.runs - a.runs);
    return { ...this.#counts, skipped: { ...this.#skipped }, summary, changes: this.#changes };
  }
}
