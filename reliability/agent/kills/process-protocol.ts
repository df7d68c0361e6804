import type { LoopPoint } from "./loop-points.ts";
import type { LoopInput } from "./loop-procedure.ts";

/**
 * What a process that dies and its parent say to each other. A process works on several databases at once, each with an
 * engine of its own: when each of them has come to its point and is held there, one SIGKILL is a death at all of them.
 */
export interface ProcessSetup {
  readonly cells: readonly CellSetup[];
}

export interface CellSetup {
  readonly cell: number;
  /** Path of a SQLite file, or address of a Postgres. */
  readonly database: string;
  readonly procedure: "loop" | "bounded";
  readonly keyPath: string;
  readonly bankUrl: string;
  readonly bankToken: string;
  readonly modelUrl: string;
  readonly leaseMs: number;
  /** What earlier processes have left. */
  readonly starts: readonly LoopStart[];
  /** Armed before anything is opened. */
  readonly point?: LoopPoint;
}

/** A run, by its idempotency key. */
export interface LoopStart {
  readonly key: string;
  readonly input: LoopInput;
}

/** More work for a cell, and where it is to be held meanwhile; left out, what was said before stands. */
export interface MoreWork {
  readonly cell: number;
  readonly starts: readonly LoopStart[];
  readonly point?: LoopPoint;
}

export type CellMessage =
  /** It is held at its point. */
  | { readonly type: "reached"; readonly cell: number }
  /** Every run that it was told of has ended. */
  | { readonly type: "idle"; readonly cell: number }
  | { readonly type: "failed"; readonly cell: number; readonly message: string };
