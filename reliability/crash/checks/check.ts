import type { Evidence } from "../evidence.ts";

/** One invariant: says what violates it. Pure. */
export type Check = (evidence: Evidence) => readonly string[];
