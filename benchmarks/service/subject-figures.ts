import type { SubjectOptions } from "./subject.ts";

/** The interval at which new ended runs are counted. */
export const LOOK_MS = 300;

/** The parent's request. */
export interface SubjectOrder extends SubjectOptions {
  readonly subject: string;
}

/** The answer to `figures`, for the time since the `mark`. */
export interface SubjectFigures {
  readonly cpuUs: number;
  readonly peakRssMb: number;
  readonly commits?: number;
  /** Runs that have ended so far. */
  readonly ended?: number;
}
