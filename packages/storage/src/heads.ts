import type { Scope } from "./scope.ts";

/** The last journal row of an ended run. */
export interface RunHead {
  /** Identifier of the run. */
  readonly runId: string;
  /** Of the last stored row; 0 when there is none. */
  readonly seq: number;
  /** Hash of the last row; `""` when there is none. */
  readonly hash: string;
  /** Time of the run's end, in milliseconds since the epoch. */
  readonly endedAtMs: number;
}

/** The ended runs whose chain heads are listed. */
export interface RunHeadQuery {
  /** The workspace and environment of the runs. */
  readonly scope: Scope;
  /** Earliest end time, inclusive. */
  readonly endedFromMs?: number;
  /** Latest end time, exclusive. */
  readonly endedToMs?: number;
}
