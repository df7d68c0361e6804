import type { LoopPoint } from "./loop-points.ts";
import type { LoopInput } from "./loop-procedure.ts";

/**
 * The messages between a process that will be killed and its parent. A process works on several databases at once, each
 * with its own engine. When all are held at their points, one SIGKILL is a kill at each point.
 */
export interface ProcessSetup {
  readonly cells: readonly CellSetup[];
}

export interface CellSetup {
  readonly cell: number;
  /** Path of a SQLite file, or address of a Postgres database. */
  readonly database: string;
  readonly procedure: "loop" | "bounded";
  readonly keyPath: string;
  readonly bankUrl: string;
  readonly bankToken: string;
  readonly modelUrl: string;
  readonly leaseMs: number;
  /** The unfinished starts of earlier processes. */
  readonly starts: readonly LoopStart[];
  /** The point that is armed before the database is opened. */
  readonly point?: LoopPoint;
}

/** A run, by its idempotency key. */
export interface LoopStart {
  readonly key: string;
  readonly input: LoopInput;
}

/** More work for a cell, and the point at which to hold it; without a point, the earlier one stays. */
export interface MoreWork {
  readonly cell: number;
  readonly starts: readonly LoopStart[];
  readonly point?: LoopPoint;
}

export type CellMessage =
  /** It is held at its point. */
  | { readonly type: "reached"; readonly cell: number }
  /** All its runs have ended. */
  | { readonly type: "idle"; readonly cell: number }
  | { readonly type: "failed"; readonly cell: number; readonly message: string };
