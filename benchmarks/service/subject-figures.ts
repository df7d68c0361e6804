import type { SubjectOptions } from "./subject.ts";

/** How often it is looked whether anything has ended since the last look. */
export const LOOK_MS = 300;

/** What the parent asks for. */
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
