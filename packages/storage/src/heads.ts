import type { Scope } from "./scope.ts";

/** Where the journal of an ended run stops. */
export interface RunHead {
  readonly runId: string;
  /** Of the last row that is stored; 0 when there is none. */
  readonly seq: number;
  /** Of the last row; `""` when there is none. */
  readonly hash: string;
  readonly endedAtMs: number;
}

/** Which ended runs' chain heads to list. */
export interface RunHeadQuery {
  readonly scope: Scope;
  /** Ended at or after. */
  readonly endedFromMs?: number;
  /** Ended before. */
  readonly endedToMs?: number;
}
